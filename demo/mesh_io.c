#include "mesh_io.h"

#include <stdio.h>
#include <stdlib.h>

struct open_file {
    struct aiFile functions;
    struct mesh_io *io;
    FILE *stream;
};

static struct open_file *of(struct aiFile *file)
{
    return (struct open_file *)(void *)file->UserData;
}

/* Until all is read once this is the phase of reading; what some formats read again is parsing. */
static size_t read_file(struct aiFile *file, char *to, size_t size, size_t count)
{
    struct mesh_io *io = of(file)->io;
    if (atomic_load(&io->progress->cancelled))
        return 0;
    size_t done = fread(to, size, count, of(file)->stream);
    io->read += done * size;
    mesh_progress_tell(io->progress, io->read < io->size ? MESH_PHASE_READ : MESH_PHASE_PARSE,
                       io->read, io->size);
    return done;
}

static size_t write_file(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell(struct aiFile *file)
{
    long at = ftell(of(file)->stream);
    return at > 0 ? (size_t)at : 0;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    static const int origins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
    if ((unsigned)origin > aiOrigin_END)
        return aiReturn_FAILURE;
    return fseek(of(file)->stream, (long)offset, origins[origin]) == 0 ? aiReturn_SUCCESS
                                                                       : aiReturn_FAILURE;
}

static size_t size_of(struct aiFile *file)
{
    long at = ftell(of(file)->stream);
    fseek(of(file)->stream, 0, SEEK_END);
    size_t size = tell(file);
    fseek(of(file)->stream, at, SEEK_SET);
    return size;
}

static void flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *open_file(struct aiFileIO *functions, const char *path, const char *mode)
{
    struct open_file *file = mode[0] == 'r' ? malloc(sizeof *file) : NULL;
    FILE *stream = file ? fopen(path, "rb") : NULL;
    if (!stream) {
        free(file);
        return NULL;
    }
    file->io = (struct mesh_io *)(void *)functions->UserData;
    file->stream = stream;
    file->functions = (struct aiFile){.ReadProc = read_file,
                                      .WriteProc = write_file,
                                      .TellProc = tell,
                                      .FileSizeProc = size_of,
                                      .SeekProc = seek,
                                      .FlushProc = flush,
                                      .UserData = (aiUserData)file};
    return &file->functions;
}

static void close_file(struct aiFileIO *functions, struct aiFile *file)
{
    (void)functions;
    fclose(of(file)->stream);
    free(of(file));
}

void mesh_io_start(struct mesh_io *io, uint64_t size, struct mesh_progress *progress)
{
    *io = (struct mesh_io){.progress = progress, .size = size};
    io->functions = (struct aiFileIO){
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)io};
    mesh_progress_tell(progress, MESH_PHASE_READ, 0, 1);
}

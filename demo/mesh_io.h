/* Files as assimp reads them, counted. */
#ifndef MESH_IO_H
#define MESH_IO_H

#include <assimp/cfileio.h>

#include "mesh_progress.h"

struct mesh_io {
    struct aiFileIO functions; /* for aiImportFileExWithProperties */
    struct mesh_progress *progress;
    uint64_t size; /* of the mesh's own file, as bytes read are counted against it */
    uint64_t read;
};

/* It has to outlive the import and stay where it is. */
void mesh_io_start(struct mesh_io *io, uint64_t size, struct mesh_progress *progress);

#endif

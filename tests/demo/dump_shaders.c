/* Writes the demo's shaders, with what they include, into a folder: dump_shaders --dump FOLDER. A test has
 * them checked by the reference compiler, which takes what is wrong more strictly than some drivers. */
#include <stdio.h>
#include <string.h>

#include "shaders.h"

static int dump(const char *folder, const struct viewer_source *source)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, source->name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "dump_shaders: %s can't be written\n", path);
        return 1;
    }
    int failed = fprintf(file, "#version 430 core\n%s", source->text) < 0;
    return fclose(file) != 0 || failed;
}

int main(int argc, char **argv)
{
    int failed = argc != 3 || strcmp(argv[1], "--dump") != 0;
    for (unsigned i = 0; i < viewer_source_count && !failed; i++)
        failed = dump(argv[2], &viewer_sources[i]);
    return failed;
}

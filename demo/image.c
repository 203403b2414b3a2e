#include "image.h"

#include <errno.h>
#include <spng.h>
#include <stdio.h>
#include <string.h>

static int encode_rows(spng_ctx *png, const unsigned char *rgb, int width, int height)
{
    size_t row_size = 3 * (size_t)width;
    int error = spng_encode_image(png, NULL, 0, SPNG_FMT_PNG,
                                  SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
    for (int row = height - 1; row >= 0 && !error; row--)
        error = spng_encode_row(png, rgb + row_size * (size_t)row, row_size);
    return error == SPNG_EOI ? 0 : error;
}

static int encode(FILE *file, const unsigned char *rgb, int width, int height)
{
    struct spng_ihdr header = {.width = (uint32_t)width,
                               .height = (uint32_t)height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!png)
        return SPNG_EMEM;
    int error = spng_set_png_file(png, file);
    if (!error)
        error = spng_set_ihdr(png, &header);
    if (!error)
        error = encode_rows(png, rgb, width, height);
    spng_ctx_free(png);
    return error;
}

bool image_write_png(const char *path, const unsigned char *rgb, int width, int height,
                     struct failure *failure)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return failure_set(failure, "%s: %s", path, strerror(errno));
    int error = encode(file, rgb, width, height);
    bool closed = fclose(file) == 0;
    if (!error && closed)
        return true;
    remove(path);
    return failure_set(failure, "%s: %s", path,
                       error ? spng_strerror(error) : "the file could not be written to its end");
}

/* Compares the pictures before and after: compare_pictures BEFORE.png AFTER.png [coherent]
 * Both have to be of one size, show something, and differ; with "coherent" the colours of
 * neighbours have to be much closer in AFTER than in BEFORE. */
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct picture {
    unsigned char *rgb;
    size_t width;
    size_t height;
};

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return 1;
}

static int read_picture(struct picture *picture, const char *path)
{
    struct spng_ihdr header;
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(path, "can't be opened");
    spng_ctx *png = spng_ctx_new(0);
    int error = spng_set_png_file(png, file);
    if (!error)
        error = spng_get_ihdr(png, &header);
    if (!error)
        error = spng_decoded_image_size(png, SPNG_FMT_RGB8, &size);
    if (!error) {
        *picture = (struct picture){malloc(size), header.width, header.height};
        error = spng_decode_image(png, picture->rgb, size, SPNG_FMT_RGB8, 0);
    }
    spng_ctx_free(png);
    fclose(file);
    return error ? fail(path, spng_strerror(error)) : 0;
}

/* The background is neutral and dark; the mesh is neither. */
static int is_lit(const unsigned char *pixel)
{
    int lowest = pixel[0], highest = pixel[0];
    for (int channel = 1; channel < 3; channel++) {
        lowest = pixel[channel] < lowest ? pixel[channel] : lowest;
        highest = pixel[channel] > highest ? pixel[channel] : highest;
    }
    return highest > 60 && highest - lowest > 15;
}

/* The mean difference of lit pixels to their lit neighbours on the right. */
static double roughness(const struct picture *picture, size_t *lit)
{
    double sum = 0;
    *lit = 0;
    for (size_t y = 0; y < picture->height; y++)
        for (size_t x = 0; x + 1 < picture->width; x++) {
            const unsigned char *pixel = picture->rgb + 3 * (y * picture->width + x);
            if (!is_lit(pixel) || !is_lit(pixel + 3))
                continue;
            for (int channel = 0; channel < 3; channel++)
                sum += abs(pixel[channel] - pixel[channel + 3]);
            ++*lit;
        }
    return *lit ? sum / (double)*lit : 0;
}

static int compare(const struct picture *before, const struct picture *after, int coherent)
{
    size_t lit[2], size = before->width * before->height;
    if (before->width != after->width || before->height != after->height)
        return fail("pictures", "not of one size");
    double rough[2] = {roughness(before, &lit[0]), roughness(after, &lit[1])};
    printf("%zux%zu, lit %.1f %% and %.1f %%, neighbours differ by %.2f before and %.2f after\n",
           before->width, before->height, 100.0 * (double)lit[0] / (double)size,
           100.0 * (double)lit[1] / (double)size, rough[0], rough[1]);
    if (lit[0] < size / 20 || lit[1] < size / 20)
        return fail("pictures", "next to nothing is drawn");
    if (memcmp(before->rgb, after->rgb, 3 * size) == 0)
        return fail("pictures", "before and after are the same");
    if (coherent && rough[1] > 0.5 * rough[0])
        return fail("pictures", "colours don't lie closer together after sorting");
    return 0;
}

int main(int argc, char **argv)
{
    struct picture before = {0}, after = {0};
    if (argc < 3)
        return fail("compare_pictures", "give two files");
    int code = read_picture(&before, argv[1]) || read_picture(&after, argv[2]) ||
               compare(&before, &after, argc > 3 && strcmp(argv[3], "coherent") == 0);
    free(before.rgb);
    free(after.rgb);
    return code;
}

#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SIZE = 16, MAX_SIZE = 16384, MAX_FRAMES = 1000000000 };

const char options_help[] =
    "Usage: gl_segsort_viewer [--mesh FILE] [--headless] [--frames N] [--screenshot FILE]\n"
    "                         [--size WxH] [--keys 30|63] [--help]\n"
    "\n"
    "Sorts the triangles of each submesh of a mesh along a Morton curve on the GPU, checks the\n"
    "result against the CPU, and shows each triangle coloured by its place in the order.\n"
    "\n"
    "  --mesh FILE        any mesh that assimp reads; by default 2CylinderEngine.glb of the "
    "Debian\n"
    "                     package assimp-testmodels, or a generated mesh where that is missing;\n"
    "                     \"generated\" asks for that one\n"
    "  --headless         open no window: draw both orders and write two pictures, before.png\n"
    "                     (file order) and after.png (Morton order). Also chosen where there is\n"
    "                     no display\n"
    "  --frames N         quit after N frames; without a window, draw each picture N times\n"
    "  --screenshot FILE  without a window, write the Morton order's picture to FILE and the file\n"
    "                     order's beside it with \"-before\" added to the name; in a window, the\n"
    "                     name that key S saves to (default screenshot.png), and with --frames\n"
    "                     the last frame is saved too\n"
    "  --size WxH         pixels of the picture or window, by default 1280x800\n"
    "  --keys 30|63       bits of the Morton codes that are sorted by, by default 30; with 63 "
    "each\n"
    "                     axis has 2,097,152 cells in place of 1,024, which tells apart the\n"
    "                     triangles of dense meshes\n"
    "  --help             print this text\n"
    "\n"
    "In the window: drag orbits, the wheel zooms, 1 shows the file order, 2 the Morton order,\n"
    "S saves a screenshot, Escape quits.\n"
    "\n"
    "Exit codes: 0 all is well; 1 no mesh, no OpenGL 4.3, a GL error, or an order that differs\n"
    "from the CPU's; 2 a wrong command line.\n";

/* A whole decimal number in low..high; end is where it stopped. */
static bool parse_number(const char *text, const char **end, int low, int high, int *number)
{
    long value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value <= high; at++)
        value = value * 10 + (*at - '0');
    if (at == text || value < low || value > high)
        return false;
    *number = (int)value;
    *end = at;
    return true;
}

static bool parse_size(const char *text, struct options *options)
{
    const char *at;
    if (!parse_number(text, &at, MIN_SIZE, MAX_SIZE, &options->width) || *at != 'x')
        return false;
    return parse_number(at + 1, &at, MIN_SIZE, MAX_SIZE, &options->height) && *at == '\0';
}

static bool parse_keys(const char *text, struct options *options)
{
    bool long_keys = strcmp(text, "63") == 0;
    options->key_bits = long_keys ? 63 : 30;
    return long_keys || strcmp(text, "30") == 0;
}

static bool parse_valued(struct options *options, const char *name, const char *value,
                         struct failure *failure)
{
    const char *end;
    if (strcmp(name, "--mesh") == 0) {
        options->mesh = value;
        return true;
    }
    if (strcmp(name, "--screenshot") == 0) {
        options->screenshot = value;
        return value[0] != '\0' || failure_set(failure, "--screenshot needs a file name");
    }
    if (strcmp(name, "--frames") == 0)
        return (parse_number(value, &end, 1, MAX_FRAMES, &options->frames) && *end == '\0') ||
               failure_set(failure, "--frames %s: not a number of 1 to %d", value, MAX_FRAMES);
    if (strcmp(name, "--size") == 0)
        return parse_size(value, options) ||
               failure_set(failure, "--size %s: not WxH with each of %d to %d", value, MIN_SIZE,
                           MAX_SIZE);
    if (strcmp(name, "--keys") == 0)
        return parse_keys(value, options) ||
               failure_set(failure, "--keys %s: neither 30 nor 63", value);
    return failure_set(failure, "unknown option %s; --help lists the options", name);
}

static bool takes_value(const char *name)
{
    static const char *const valued[] = {"--mesh", "--screenshot", "--frames", "--size", "--keys"};
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++)
        if (strcmp(name, valued[i]) == 0)
            return true;
    return false;
}

bool options_parse(struct options *options, int argc, char **argv, struct failure *failure)
{
    *options = (struct options){.key_bits = 30, .width = 1280, .height = 800};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            options->help = true;
        } else if (strcmp(argv[i], "--headless") == 0) {
            options->headless = true;
        } else if (takes_value(argv[i]) && i + 1 == argc) {
            return failure_set(failure, "%s needs a value; --help tells which", argv[i]);
        } else {
            const char *value = takes_value(argv[i]) ? argv[i + 1] : "";
            if (!parse_valued(options, argv[i], value, failure))
                return false;
            i++;
        }
    }
    return true;
}

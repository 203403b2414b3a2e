#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SIZE = 16, MAX_SIZE = 16384, MAX_FRAMES = 1000000000, MAX_SEED = 1000000000 };
enum { MIN_PARTICLES = 4096, MAX_PARTICLES = 1 << 22 };

const char options_help[] =
    "Usage: gl_segsort_viewer [--scene NAME] [--mesh FILE] [--headless] [--frames N]\n"
    "                         [--screenshot FILE] [--size WxH] [--keys 30|63] [--seed S]\n"
    "                         [--animate] [--curve] [--first K]\n"
    "                         [--particles N] [--domain emitter|one] [--sorting every|never|N]\n"
    "                         [--oracle gpu|cpu] [--help]\n"
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
    "  --frames N         quit after N frames; without a window, go on for N, by default 1\n"
    "  --screenshot FILE  without a window, write the Morton order's picture to FILE and the file\n"
    "                     order's beside it with \"-before\" added to the name; in a window, the\n"
    "                     name that F12 saves to (default screenshot.png), and with --frames\n"
    "                     the last frame is saved too\n"
    "  --size WxH         pixels of the picture or window, by default 1280x800\n"
    "  --keys 30|63       bits of the Morton codes that are sorted by, by default 30; with 63 "
    "each\n"
    "                     axis has 2,097,152 cells in place of 1,024, which tells apart the\n"
    "                     triangles of dense meshes\n"
    "  --animate          the mesh wobbles, and is sorted anew in every frame: after --frames N\n"
    "                     steps of a 60th of a second, the pictures show the last one\n"
    "  --curve            draw the curve through the triangles' centroids, in their order\n"
    "  --first K          draw the first K triangles of each submesh only\n"
    "  --help             print this text\n"
    "\n"
    "  --scene NAME       \"morton\", which is all of the above and the default; \"network\", a\n"
    "                     sort at work, step by step; or \"particles\":\n"
    "                     fountains of transparent particles, drawn back to front. Of it\n"
    "                     --headless draws 120 frames or those of --frames, 60 a second, and "
    "saves\n"
    "                     the last one as particles.png or FILE\n"
    "  --seed S           another S draws other particles, by default 1\n"
    "  --particles N      room for that many in all fountains, by default 1048576\n"
    "  --domain emitter   sort each fountain's particles, and draw the fountains by their "
    "distance\n"
    "  --domain one       sort all particles together\n"
    "  --sorting every    in every frame, which is the default; never, or every Nth frame\n"
    "  --oracle cpu       draw in the order of a CPU's sort, to compare pictures\n"
    "\n"
    "In the window: space pauses, F12 saves a screenshot, Escape quits, and a mesh that is "
    "dropped\n"
    "is opened. Morton: drag orbits, the wheel zooms, f sees all again; 1 2 3 4 show the file,\n"
    "Morton, spatial and cache order, v one, two or all of them, c the curve, p plays the first\n"
    "triangles, w wobbles, b changes the keys, n picks the next submesh. Particles: s sorts every\n"
    "frame, u none, n every 8th, o changes the domain. Network: p plays or stops, . and , step,\n"
    "r other rows, m more, g more segments, k other keys, d direction, a algorithm.\n"
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

static bool parse_sorting(const char *text, struct options *options)
{
    const char *end;
    options->sorting = strcmp(text, "every") == 0 ? 1 : 0;
    if (options->sorting == 1 || strcmp(text, "never") == 0)
        return true;
    return parse_number(text, &end, 1, MAX_FRAMES, &options->sorting) && *end == '\0';
}

/* One of two words, the second of which sets the flag. */
static bool parse_choice(const char *text, const char *off, const char *on, bool *flag)
{
    *flag = strcmp(text, on) == 0;
    return *flag || strcmp(text, off) == 0;
}

static bool parse_scene_valued(struct options *options, const char *name, const char *value,
                               struct failure *failure)
{
    const char *end;
    if (strcmp(name, "--scene") == 0) {
        options->scene = value;
        return true;
    }
    if (strcmp(name, "--seed") == 0)
        return (parse_number(value, &end, 0, MAX_SEED, &options->seed) && *end == '\0') ||
               failure_set(failure, "--seed %s: not a number of 0 to %d", value, MAX_SEED);
    if (strcmp(name, "--particles") == 0)
        return (parse_number(value, &end, MIN_PARTICLES, MAX_PARTICLES, &options->particles) &&
                *end == '\0') ||
               failure_set(failure, "--particles %s: not a number of %d to %d", value,
                           MIN_PARTICLES, MAX_PARTICLES);
    if (strcmp(name, "--domain") == 0)
        return parse_choice(value, "emitter", "one", &options->one_domain) ||
               failure_set(failure, "--domain %s: neither emitter nor one", value);
    if (strcmp(name, "--oracle") == 0)
        return parse_choice(value, "gpu", "cpu", &options->cpu_oracle) ||
               failure_set(failure, "--oracle %s: neither gpu nor cpu", value);
    if (strcmp(name, "--sorting") == 0)
        return parse_sorting(value, options) ||
               failure_set(failure, "--sorting %s: not every, never or a number", value);
    return failure_set(failure, "unknown option %s; --help lists the options", name);
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
    if (strcmp(name, "--first") == 0)
        return (parse_number(value, &end, 1, MAX_FRAMES, &options->first) && *end == '\0') ||
               failure_set(failure, "--first %s: not a number of 1 to %d", value, MAX_FRAMES);
    if (strcmp(name, "--keys") == 0)
        return parse_keys(value, options) ||
               failure_set(failure, "--keys %s: neither 30 nor 63", value);
    return parse_scene_valued(options, name, value, failure);
}

/* An option without a value. */
static bool parse_flag(struct options *options, const char *name)
{
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        options->help = true;
    else if (strcmp(name, "--headless") == 0)
        options->headless = true;
    else if (strcmp(name, "--animate") == 0)
        options->animate = true;
    else if (strcmp(name, "--curve") == 0)
        options->curve = true;
    else
        return false;
    return true;
}

static bool takes_value(const char *name)
{
    static const char *const valued[] = {"--mesh",   "--screenshot", "--frames",  "--size",
                                         "--keys",   "--scene",      "--seed",    "--particles",
                                         "--domain", "--oracle",     "--sorting", "--first"};
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++)
        if (strcmp(name, valued[i]) == 0)
            return true;
    return false;
}

bool options_parse(struct options *options, int argc, char **argv, struct failure *failure)
{
    *options = (struct options){.scene = "morton",
                                .key_bits = 30,
                                .width = 1280,
                                .height = 800,
                                .seed = 1,
                                .particles = 1 << 20,
                                .sorting = 1};
    for (int i = 1; i < argc; i++) {
        if (parse_flag(options, argv[i])) {
            continue;
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

#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SIZE = 16, MAX_SIZE = 16384, MAX_FRAMES = 1000000000, MAX_SEED = 1000000000 };
enum { MIN_PARTICLES = 4096, MAX_PARTICLES = 1 << 22 };

const char options_help[] =
    "Usage: gl_segsort_viewer [--scene NAME] [--mesh FILE] [--headless] [--frames N]\n"
    "                         [--screenshot FILE] [--size WxH] [--keys 30|63] [--seed S]\n"
    "                         [--particles N] [--domain emitter|one] [--sorting every|never|N]\n"
    "                         [--oracle gpu|cpu] [--view whole|split] [--lengths equal|power]\n"
    "                         [--smoke full|half] [--help]\n"
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
    "  --scene NAME       \"morton\", which is all of the above and the default; \"network\", a\n"
    "                     sort at work, step by step; or \"particles\":\n"
    "                     plumes of smoke around the mesh, drawn back to front. Of it\n"
    "                     --headless draws 120 frames or those of --frames, 60 a second, and "
    "saves\n"
    "                     the last one as particles.png or FILE\n"
    "  --seed S           another S draws other particles, by default 1\n"
    "  --particles N      room for that many in all emitters, by default 1572864: about 1,100,000\n"
    "                     live at once\n"
    "  --domain emitter   sort each emitter's particles, and draw the emitters by their distance\n"
    "  --domain one       sort all particles together\n"
    "  --sorting every    in every frame, which is the default; never, or every Nth frame\n"
    "  --oracle cpu       draw in the order of a CPU's sort, to compare pictures\n"
    "  --view split       leave the picture's left half unsorted\n"
    "  --lengths power    give emitters live particles by a power law, else all about as many\n"
    "  --smoke half       draw smoke with half the pixels along each axis: faster without a GPU\n"
    "\n"
    "In the window: drag orbits, the wheel zooms, 1 shows the file order, 2 the Morton order,\n"
    "S saves a screenshot, Escape quits.\n"
    "With a scene: space pauses, F12 saves a screenshot, Escape quits. Particles: s sorts every\n"
    "frame, u none, n every few, v compares, o changes the domain, l lengths, f freezes, c turns "
    "the\n"
    "camera, h halves the resolution. Network: p plays or stops, . and , step, r other rows, m "
    "more,\n"
    "g more segments, k other keys, d direction, a algorithm.\n"
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
    if (strcmp(name, "--view") == 0)
        return parse_choice(value, "whole", "split", &options->split) ||
               failure_set(failure, "--view %s: neither whole nor split", value);
    if (strcmp(name, "--lengths") == 0)
        return parse_choice(value, "equal", "power", &options->power_law) ||
               failure_set(failure, "--lengths %s: neither equal nor power", value);
    if (strcmp(name, "--smoke") == 0)
        return parse_choice(value, "full", "half", &options->half_smoke) ||
               failure_set(failure, "--smoke %s: neither full nor half", value);
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
    if (strcmp(name, "--keys") == 0)
        return parse_keys(value, options) ||
               failure_set(failure, "--keys %s: neither 30 nor 63", value);
    return parse_scene_valued(options, name, value, failure);
}

static bool takes_value(const char *name)
{
    static const char *const valued[] = {
        "--mesh",      "--screenshot", "--frames", "--size",    "--keys", "--scene",   "--seed",
        "--particles", "--domain",     "--oracle", "--sorting", "--view", "--lengths", "--smoke"};
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
                                .particles = 3 << 19,
                                .sorting = 1};
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

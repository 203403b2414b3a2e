#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SIZE = 16, MAX_SIZE = 16384, MAX_FRAMES = 1000000000, MAX_SEED = 1000000000 };
enum { MAX_STEP = 1000 };
enum { MIN_PARTICLES = 4096, MAX_PARTICLES = 1 << 22 };

const char *const options_help[] = {
    "Usage: gl_segsort_viewer [--scene NAME] [options of it] [--headless] [--frames N]\n"
    "                         [--screenshot FILE] [--size WxH] [--panels on|off|scene]\n"
    "                         [--program-cache on|off] [--help]\n"
    "\n"
    "Sorts segments on the GPU, frame by frame, and shows what becomes of them.\n"
    "\n"
    "  --scene NAME       \"morton\", which is the default: the triangles of each submesh of a\n"
    "                     mesh, sorted along a Morton curve, checked against the CPU, and "
    "coloured\n"
    "                     by their places in the order; \"particles\": plumes of smoke around\n"
    "                     the mesh, drawn back to front; or \"network\": a sort at work, step by\n"
    "                     step\n"
    "  --headless         open no window: draw frames, a 60th of a second apart, and write a\n"
    "                     picture of the last one, NAME.png. Of morton there are two, before.png\n"
    "                     (file order) and after.png (Morton order). Also chosen where there is\n"
    "                     no display\n"
    "  --frames N         quit after N frames; without a window by default 120, of morton 1\n"
    "  --screenshot FILE  the picture's name; of morton it is the Morton order's, and the file\n"
    "                     order's has \"-before\" added to it. In a window, the name that F12\n"
    "                     saves to (by default screenshot.png), and with --frames the last frame\n"
    "                     is saved too\n"
    "  --size WxH         pixels of the picture or window, by default 1280x800, or as\n"
    "                     many times that as a monitor's dots are finer than usual\n"
    "  --panels on|off    show the panels: by default on in a window, off without one, where on\n"
    "                     draws them, and the times they tell, into the picture\n"
    "  --panels scene     show the scene's alone, so that two pictures are the same\n"
    "  --program-cache on|off\n"
    "                     keep compiled programs in $XDG_CACHE_HOME/gl_segsort or\n"
    "                     ~/.cache/gl_segsort, so that sorts start faster the next time: by\n"
    "                     default on in a window, off without one\n"
    "  --help             print this text\n",
    "\n"
    "Options of morton, and --mesh of particles too:\n"
    "\n"
    "  --mesh FILE        any mesh that assimp reads; by default 2CylinderEngine.glb of the "
    "Debian\n"
    "                     package assimp-testmodels, or a generated mesh where that is missing;\n"
    "                     \"generated\" asks for that one\n"
    "  --keys 30|63       bits of the Morton codes that are sorted by, by default 30; with 63 "
    "each\n"
    "                     axis has 2,097,152 cells in place of 1,024, which tells apart the\n"
    "                     triangles of dense meshes\n"
    "  --animate          the mesh wobbles, and is sorted anew in every frame\n"
    "  --curve            draw the curve through the triangles' centroids, in their order\n"
    "  --first K          draw the first K triangles of each submesh only\n"
    "\n"
    "Options of particles:\n"
    "\n"
    "  --seed S           another S draws other particles, by default 1\n"
    "  --particles N      room for that many in all emitters, by default 1572864, of which about\n"
    "                     1,100,000 live at once; where the CPU draws, 32768 and --smoke half\n"
    "  --domain emitter   sort each emitter's particles, and draw the emitters by their distance\n"
    "  --domain one       sort all particles together\n"
    "  --sorting every    in every frame, which is the default; never, or every Nth frame\n"
    "  --oracle cpu       draw in the order of a CPU's sort, to compare pictures\n"
    "  --view split       leave the picture's left half unsorted\n"
    "  --lengths power    give emitters live particles by a power law, else all about as many\n"
    "  --smoke half       draw smoke with half the pixels along each axis: faster without a GPU\n",
    "\n"
    "Options of network:\n"
    "\n"
    "  --rows N           8 to 65536, by default 96; more than 1024 are a grid\n"
    "  --segments N       1 to 32 that they are in, by default 3\n"
    "  --lengths NAME     of the segments: uneven, which is the default, equal or power\n"
    "  --row-keys NAME    random, which is the default, sorted, reversed or few\n"
    "  --distinct N       at most so many different keys\n"
    "  --algorithm NAME   bitonic, which is the default, radix or auto\n"
    "  --direction NAME   ascending, which is the default, or descending\n"
    "  --step N           stop at that step, in place of playing all of them\n"
    "  --seed S           another S draws other keys, by default 1\n"
    "\n"
    "In the window F1 to F3 show the scenes, H tells all keys, Tab hides the panels, space "
    "pauses,\n"
    "F12 saves a screenshot, F11 saves every frame (as screenshot-0001.png and so on, or by the\n"
    "name of --screenshot) until it is pressed again, Escape quits, and a file that is dropped is\n"
    "opened.\n"
    "\n"
    "Exit codes: 0 all is well; 1 no mesh, no OpenGL 4.3, a GL error, or an order that differs\n"
    "from the CPU's; 2 a wrong command line.\n",
    NULL};

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
    options->sized = true;
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

/* The same, which are both told from none. */
static bool parse_switch(const char *text, const char *off, const char *on,
                         enum options_switch *which)
{
    bool flag;
    if (!parse_choice(text, off, on, &flag))
        return false;
    *which = flag ? OPTIONS_ON : OPTIONS_OFF;
    return true;
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
    if (strcmp(name, "--smoke") == 0)
        return parse_switch(value, "full", "half", &options->half_smoke) ||
               failure_set(failure, "--smoke %s: neither full nor half", value);
    if (strcmp(name, "--sorting") == 0)
        return parse_sorting(value, options) ||
               failure_set(failure, "--sorting %s: not every, never or a number", value);
    if (strcmp(name, "--step") == 0)
        return (parse_number(value, &end, 0, MAX_STEP, &options->network_step) && *end == '\0') ||
               failure_set(failure, "--step %s: not a number of 0 to %d", value, MAX_STEP);
    if (network_settings_have(name))
        return network_settings_set(&options->network, name, value, failure);
    return failure_set(failure, "unknown option %s; --help lists the options", name);
}

static bool parse_panels(const char *text, struct options *options)
{
    options->scene_panel = strcmp(text, "scene") == 0;
    return parse_switch(options->scene_panel ? "on" : text, "off", "on", &options->panels);
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
    if (strcmp(name, "--panels") == 0)
        return parse_panels(value, options) ||
               failure_set(failure, "--panels %s: not on, off or scene", value);
    if (strcmp(name, "--program-cache") == 0)
        return parse_switch(value, "off", "on", &options->program_cache) ||
               failure_set(failure, "--program-cache %s: neither on nor off", value);
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
    static const char *const valued[] = {
        "--mesh", "--screenshot", "--frames", "--size",   "--keys",         "--scene",
        "--seed", "--particles",  "--domain", "--oracle", "--sorting",      "--panels",
        "--step", "--first",      "--view",   "--smoke",  "--program-cache"};
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++)
        if (strcmp(name, valued[i]) == 0)
            return true;
    return network_settings_have(name);
}

bool options_parse(struct options *options, int argc, char **argv, struct failure *failure)
{
    *options = (struct options){
        .scene = "morton",
        .key_bits = 30,
        .width = 1280,
        .height = 800,
        .seed = 1,
        .sorting = 1,
        .network = {.rows = 96, .segment_count = 3, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
        .network_step = -1};
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

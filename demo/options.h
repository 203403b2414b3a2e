/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "network_settings.h"

enum options_switch { OPTIONS_DEFAULT, OPTIONS_ON, OPTIONS_OFF };

struct options {
    const char *scene;
    const char *mesh;       /* NULL: the default mesh */
    const char *screenshot; /* NULL: the default names */
    bool headless;
    bool help;
    enum options_switch panels;        /* by default on in a window, off without one */
    enum options_switch program_cache; /* by default as panels */
    bool scene_panel;                  /* of the panels only the scene's, which tells no times */
    unsigned key_bits;                 /* of the Morton codes: 30 or 63 */
    bool animate;                      /* the mesh wobbles, and is sorted in every frame */
    bool curve;                        /* shows the curve */
    int first;                         /* triangles of each submesh that are shown; 0: all */
    int frames;                        /* 0: until closed; without a window, 1, or 120 of a scene */
    int seed;                          /* of what a scene draws by chance */
    int particles;                     /* room for them; 0: as many as suits the driver */
    bool one_domain;                   /* all particles are sorted together */
    bool cpu_oracle;                   /* the order is a CPU's */
    int sorting;                       /* every so many frames; 0: never */
    struct network_settings network;   /* its seed is the one above; lengths are of particles too */
    int network_step;                  /* to start with and stop at; less than 0: play */
    bool split;                        /* the picture's left half is unsorted */
    /* Smoke has half of the pixels along each axis; by default where few particles suit the driver. */
    enum options_switch half_smoke;
    int width;
    int height;
    bool
        sized; /* these were asked for, in pixels; else a window has that many dots of a 96th inch */
};

/* Reads the arguments; the strings stay argv's. */
bool options_parse(struct options *options, int argc, char **argv, struct failure *failure);

/* What --help prints, in parts, NULL behind the last. */
extern const char *const options_help[];

#endif

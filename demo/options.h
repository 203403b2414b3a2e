/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "failure.h"

struct options {
    const char *scene;
    const char *mesh;       /* NULL: the default mesh */
    const char *screenshot; /* NULL: the default names */
    bool headless;
    bool help;
    unsigned key_bits; /* of the Morton codes: 30 or 63 */
    int frames;        /* 0: until closed; without a window, 1, or 120 of a scene */
    int seed;          /* of what a scene draws by chance */
    int particles;     /* room for them */
    bool one_domain;   /* all particles are sorted together */
    bool cpu_oracle;   /* the order is a CPU's */
    int sorting;       /* every so many frames; 0: never */
    bool split;        /* the picture's left half is unsorted */
    bool power_law;    /* emitters' lengths fall so, else they are equal */
    bool half_smoke;   /* smoke has half of the pixels along each axis */
    int width;
    int height;
};

/* Reads the arguments; the strings stay argv's. */
bool options_parse(struct options *options, int argc, char **argv, struct failure *failure);

extern const char options_help[];

#endif

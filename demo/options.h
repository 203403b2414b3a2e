/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "failure.h"

struct options {
    const char *mesh;       /* NULL: the default mesh */
    const char *screenshot; /* NULL: the default names */
    bool headless;
    bool help;
    unsigned key_bits; /* of the Morton codes: 30 or 63 */
    int frames;        /* 0: until closed; without a window, 1 */
    int width;
    int height;
};

/* Reads the arguments; the strings stay argv's. */
bool options_parse(struct options *options, int argc, char **argv, struct failure *failure);

extern const char options_help[];

#endif

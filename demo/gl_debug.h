/* What the driver has to say: messages of a debug context, and GL's error queue. */
#ifndef GL_DEBUG_H
#define GL_DEBUG_H

#include <stdbool.h>

enum { GL_DEBUG_KEPT = 32 };

struct gl_debug_message {
    char text[256];      /* cut where it is longer */
    const char *kind;    /* such as "error", "advice" */
    unsigned severity;   /* GL's */
    unsigned id, repeat; /* how many times it came */
};

struct gl_debug {
    bool debug_context;
    unsigned message_count; /* of medium or high severity, advice on performance excepted */
    unsigned high, medium;  /* all of these */
    unsigned kept_count;    /* how many were put into the ring; the oldest ones are gone */
    struct gl_debug_message kept[GL_DEBUG_KEPT];
};

/* Prints messages of medium or high severity to stderr and counts them, where the current context
 * is a debug context. Advice on performance, which some drivers give for every readback, is only
 * printed. Keeps the latest ones, those of low severity too; equal ones once. debug must live as
 * long as the context. */
void gl_debug_install(struct gl_debug *debug);

/* How many messages are kept, and the one that came that many before the latest. */
unsigned gl_debug_kept(const struct gl_debug *debug);
const struct gl_debug_message *gl_debug_message(const struct gl_debug *debug, unsigned age);

/* Empties GL's error queue, prints each to stderr, and returns how many there were plus the
 * messages counted so far. */
unsigned gl_debug_count(const struct gl_debug *debug);

#endif

/* What the driver has to say: messages of a debug context, and GL's error queue. */
#ifndef GL_DEBUG_H
#define GL_DEBUG_H

struct gl_debug {
    unsigned message_count; /* of medium or high severity, advice on performance excepted */
};

/* Prints messages of medium or high severity to stderr and counts them, where the current context
 * is a debug context. Advice on performance, which some drivers give for every readback, is only
 * printed. debug must live as long as the context. */
void gl_debug_install(struct gl_debug *debug);

/* Empties GL's error queue, prints each to stderr, and returns how many there were plus the
 * messages counted so far. */
unsigned gl_debug_count(const struct gl_debug *debug);

#endif

/* The CUDA program, which sorts the same inputs in a process of its own. It is told a case in a
 * line, makes the inputs itself, and answers with a line for each of its sorts:
 *
 *     ready DEVICE                                     once, or: error SENTENCE
 *     case WARM_UP REPETITIONS VERIFY INPUTS           what it is sent
 *     time NAME SCRATCH VERIFIED CLOCK REPETITIONS MEDIAN LEAST MOST TENTH NINETIETH
 *     failed NAME SENTENCE                             in place of a time
 *     done                                             behind the case's last
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "inputs.h"
#include "timer.h"

#include <stdio.h>
#include <sys/types.h>

struct peers {
    pid_t process; /* 0: there are none */
    FILE *to, *from;
    char device[128];
};

struct peers_time {
    char name[32];
    struct timer_result time; /* milliseconds 0: it failed */
    uint64_t scratch_bytes;
    bool verified;
};

/* False, with a sentence on stderr, where the program doesn't run; then no case has peers. */
bool peers_open(const char *path, struct peers *peers);
void peers_close(struct peers *peers);

/* Starts a case. */
void peers_ask(struct peers *peers, const struct timer_effort *effort, bool verify,
               const struct inputs *inputs);

/* The next of its times; false after the last. */
bool peers_next(struct peers *peers, struct peers_time *time);

#endif

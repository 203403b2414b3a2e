#include "spread.h"

#include <stdlib.h>
#include <time.h>

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

struct spread spread_of(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return (struct spread){.median = times[count / 2],
                           .least = times[0],
                           .most = times[count - 1],
                           .tenth = times[count / 10],
                           .ninetieth = times[count - 1 - count / 10],
                           .repetitions = count};
}

double spread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

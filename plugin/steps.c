#include "steps.h"

#include "gl_segsort.h"

uint32_t segsort_network_steps(uint32_t rows)
{
    uint32_t stages = 0;
    while ((uint64_t)1 << stages < rows)
        stages++;
    return stages * (stages + 1) / 2;
}

/* Stage 2^n has n steps. */
bool gl_segsort_network_step(uint32_t step, uint32_t *stage, uint32_t *stride)
{
    for (uint32_t stages = 1; step > 0 && stages < 32; step -= stages++)
        if (step <= stages) {
            *stage = 1u << stages;
            *stride = *stage >> step;
            return true;
        }
    *stage = *stride = 0;
    return false;
}

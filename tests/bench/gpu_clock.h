/* The GPU's clock as nvidia-smi tells it, read while the GPU works. */
#ifndef BENCH_GPU_CLOCK_H
#define BENCH_GPU_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

void gpu_clock_start(void);      /* asks, and doesn't wait */
unsigned gpu_clock_finish(void); /* MHz; 0: unknown */

#ifdef __cplusplus
}
#endif

#endif

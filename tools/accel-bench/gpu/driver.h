/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver's own calls, for native ways on GPUs. They live in this process, on libaccel's context and stream (its
 * native handles), so that only the call differs. A driver has no threads that poll as OpenMP's do. One table serves
 * CUDA and HIP: their functions have the same parameters but for the copy's direction.
 */
#ifndef BENCH_GPU_DRIVER_H
#define BENCH_GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench.h"

typedef struct gpu_driver {
    bool hip;
    void *context;  /* of the device: CUDA's; for HIP the ordinal + 1 */
    int ordinal;    /* HIP's */
    char words[64]; /* how the table calls what launches: "cuLaunchKernel" */

    /* All return 0, or the driver's number. */
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);
    int (*synchronize)(void *stream);
    int (*fill_8)(void *, unsigned char, size_t count, void *stream);
    int (*fill_16)(void *, unsigned short, size_t count, void *stream);
    int (*fill_32)(void *, unsigned, size_t count, void *stream);
    int (*copy_cuda)(void *dst, const void *src, size_t size, void *stream);
    int (*copy_hip)(void *dst, const void *src, size_t size, int kind, void *stream);
    int (*set_context)(void *context);
    int (*set_device)(int ordinal);
    int (*load_cuda)(void **module, const void *image, unsigned options, void *names, void **values);
    int (*load_hip)(void **module, const void *image);
    int (*function)(void **function, void *module, const char *name);
    int (*unload)(void *module);
} gpu_driver;

/* Opens the driver of the bench's device, whose backend has loaded the library. Returns false after a message. */
bool gpu_driver_open(const bench *, gpu_driver *);
/* Makes the device's context current in the calling thread, or none. */
bool gpu_driver_enter(const gpu_driver *);
bool gpu_driver_leave(const gpu_driver *);
/* Between memory of the host and of the device, as their addresses say. */
static inline int gpu_driver_copy(const gpu_driver *d, void *dst, const void *src, size_t size, void *stream)
{
    enum { BY_ADDRESS = 4 };
    return d->hip ? d->copy_hip(dst, src, size, BY_ADDRESS, stream) : d->copy_cuda(dst, src, size, stream);
}
/* Returns true for 0; otherwise prints a message with the number and returns false. */
bool gpu_driver_check(const char *what, int result);

/* Loads the hand-written kernels (kernels.cu) for the device. If there are none, *module is NULL after a message. */
void gpu_driver_load(const bench *, const gpu_driver *, void **module);

#endif

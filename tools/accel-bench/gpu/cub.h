/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB beside libaccel's patterns and algorithms, on the same stream and memory. cub.cu has the functions, a shared object that is
 * built when asked for. It needs a device of NVIDIA's with a real driver.
 */
#ifndef BENCH_GPU_CUB_H
#define BENCH_GPU_CUB_H

#include "gpu/driver.h"

/* One function with its operands. */
typedef struct gpu_cub {
    const gpu_driver *driver;
    void *stream;
    const void *from;
    void *to;
    size_t n;
    void *host; /* a call's result is copied from `to` to the host; NULL: it is not */
    size_t host_bytes;

    int (*call)(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream);
    accel_buffer *temporary; /* of so many bytes */
    size_t bytes;
} gpu_cub;

/* Finds the function of cub.cu for the operands, and allocates what it needs. Where there is no CUB, a message says why and `call`
 * is NULL. Returns false after a message if CUB refuses. */
bool gpu_cub_open(const bench *, const char *function, gpu_cub *);
void gpu_cub_close(gpu_cub *);
/* A bench_sample, whose state is a gpu_cub: calls, the copy, and a wait for each. */
bool gpu_cub_sample(void *cub, size_t repetitions, double *nanoseconds);

#endif

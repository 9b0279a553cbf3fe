/* SPDX-License-Identifier: Apache-2.0 */
/* A launch of few heavy elements, of the cases heavy and crowd. */
#ifndef BENCH_HEAVY_H
#define BENCH_HEAVY_H

#include "bench.h"
#include "kernels/busy.h"

enum { HEAVY_ELEMENTS = 64 };

typedef struct heavy_launch {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    accel_work work; /* the case's to set */
    heavy_args args; /* of HEAVY_ELEMENTS equal ones; the case may have fewer, or unequal ones */
} heavy_launch;

/* On the bench's device, of equal elements. After a failure, too, heavy_close is to be called. */
bool heavy_open(const bench *, heavy_launch *, uint64_t steps);
void heavy_close(heavy_launch *);
/* For bench_add_way and bench_run. */
bool heavy_sample(void *launch, size_t repetitions, double *nanoseconds);
bool heavy_validate(void *launch);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of pageable memory in some queues at once, by libaccel and by the driver. The driver makes its caller wait, so it
 * has a thread for each queue beyond the first. Its copies are made on streams of other queues: where a program has asked
 * for the stream, libaccel copies otherwise (docs/gpu.md).
 */
#ifndef BENCH_GPU_PAGEABLE_H
#define BENCH_GPU_PAGEABLE_H

#include "gpu/cases.h"

enum { PAGEABLE_QUEUES = 4 };

/* A copy, in a queue of its own. */
typedef struct pageable_lane {
    accel_queue *queue, *other;
    void *stream; /* of the other queue */
    accel_buffer *buffer;
    unsigned char *bytes;
    bool to_device;
} pageable_lane;

typedef struct pageable_copies {
    gpu_driver driver;
    pageable_lane lanes[PAGEABLE_QUEUES];
    size_t count, size; /* lanes that copy at once, and bytes of each */
    accel_buffer *pinned;
    void *pinned_bytes; /* its memory, of the same size */
    double work;        /* ns that the caller computes beside a copy */
} pageable_copies;

/* All copies at once, until they are over. */
bool pageable_sample(void *copies, size_t repetitions, double *nanoseconds);
bool pageable_sample_driver(void *copies, size_t repetitions, double *nanoseconds);
/* Of the first lane alone: the call that begins the copy, without the rest of it. */
bool pageable_sample_call(void *copies, size_t repetitions, double *nanoseconds);
bool pageable_sample_driver_call(void *copies, size_t repetitions, double *nanoseconds);
/* Of the first lane alone: the copy, and the caller's own work after the call. */
bool pageable_sample_beside(void *copies, size_t repetitions, double *nanoseconds);
bool pageable_sample_driver_beside(void *copies, size_t repetitions, double *nanoseconds);
/* The slower of two: memcpy by one thread, and the link, by the driver's copies of pinned memory. */
bool pageable_sample_bound(void *copies, size_t repetitions, double *nanoseconds);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* x and y of the DAXPY cases. With a = 1 and small whole numbers in x, y counts exactly how often the operation
 * was done, by any way. */
#ifndef BENCH_AXPY_VECTORS_H
#define BENCH_AXPY_VECTORS_H

#include "bench.h"
#include "kernels/bench_kernels.h"

typedef struct axpy_vectors {
    accel_queue *queue;   /* the case's */
    accel_kernel *kernel; /* likewise */
    accel_work work;
    accel_buffer *x, *y;
    axpy_args args;
    double done; /* times */
} axpy_vectors;

/* Creates both with n numbers each, filled when it returns, and queue and kernel. Returns false after a message; call
 * axpy_vectors_release also then. */
bool axpy_vectors_create(bench *, axpy_vectors *, size_t n);
void axpy_vectors_release(axpy_vectors *);

/* Element i of x. */
double axpy_vectors_x(size_t i);

/* Ours: launch and wait, so many times. */
bool axpy_vectors_sample(axpy_vectors *, size_t repetitions, double *nanoseconds);
/* Is y what `done` says? */
bool axpy_vectors_valid(const axpy_vectors *);

#endif

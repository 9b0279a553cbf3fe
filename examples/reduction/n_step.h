/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REDUCTION_N_STEP_H
#define REDUCTION_N_STEP_H

#include <accel/accel.h>

/* One of the five steps, with what it needs to add up arrays of up to `n` elements. */
typedef struct n_step {
    accel_queue *queue;   /* borrowed */
    accel_kernel *kernel; /* borrowed */
    size_t elements;      /* per thread */
    accel_buffer *sums[2];
} n_step;

accel_status n_step_create(accel_queue *, accel_kernel *, size_t elements, size_t n, n_step *);
void n_step_release(n_step *);

/* *result = the sum of x; both are addresses on the device; n is at least 1. Launches the kernel until one sum is left and
 * counts the launches. The queue keeps their order, so nothing waits. */
accel_status n_step_sum(const n_step *, size_t n, const double *x, double *result, unsigned *launches);

#endif

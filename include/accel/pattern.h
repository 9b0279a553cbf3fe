/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/pattern.h - running kernels that are patterns (accel/kernel/pattern.h). The conventions are those of accel/accel.h.
 *
 *     size_t n = 1000000;
 *     accel_reduce(queue, ddot, 1, &n, &args, sizeof args, result);    // a buffer of one double
 */
#ifndef ACCEL_PATTERN_H
#define ACCEL_PATTERN_H

#include <accel/accel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reduces `extent`, of the kernel's 1 to 3 dimensions, and writes the result into the first element of `result`, in the
 * queue's order: on a non-blocking queue nothing waits. Extents of 0 give what the reducer starts with. `args` is the
 * kernel's argument struct, as for accel_launch. The elements of `result` have the size of the kernel's; it may lie on the
 * queue's device, on the host, or anywhere that accel_copy reaches from there. It is kept alive until it is written.
 *
 * Up to 16384 elements are one launch. More take two, and memory of the queue's device for the results between them, which
 * the queue allocates, keeps for the next call and gives back when it ends. Errors: ACCEL_INVALID (a kernel that is no
 * reduction, other dimensions, another element size, a result without elements), ACCEL_LIMIT (extents whose product
 * overflows), ACCEL_OUT_OF_MEMORY. After an error of these nothing was submitted. */
ACCEL_API accel_status accel_reduce(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                    const void *args, size_t args_size, accel_buffer *result);

#ifdef __cplusplus
}
#endif

#endif

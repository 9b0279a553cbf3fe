/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/algorithm.h - algorithms on buffers, which need no kernel of the caller's. The conventions are those of accel/accel.h.
 *
 *     accel_reduce_values(queue, x, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, sum);    // a buffer of one double
 *
 * All of them run in the queue's order, and on a non-blocking queue nothing waits. Buffers are dense, and of the queue's
 * device; on CPUs also plain ones of the host. They may have any dimensions and count as one. The caller keeps them until
 * the work is done. The kernels are libaccel's own: the first call for a device loads them from beside the plugins
 * (docs/kernels.md). Errors of all: ACCEL_INVALID (a type, an element size, a number of elements, a buffer elsewhere),
 * ACCEL_NOT_FOUND (no object of these kernels runs on the device; the text names the target), ACCEL_OUT_OF_MEMORY. After an
 * error of these nothing was submitted.
 */
#ifndef ACCEL_ALGORITHM_H
#define ACCEL_ALGORITHM_H

#include <accel/accel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the elements of a buffer are. */
enum accel_type {
    ACCEL_TYPE_INT32 = 1,
    ACCEL_TYPE_UINT32 = 2,
    ACCEL_TYPE_INT64 = 3,
    ACCEL_TYPE_UINT64 = 4,
    ACCEL_TYPE_FLOAT = 5,
    ACCEL_TYPE_DOUBLE = 6
};

enum accel_operation {
    ACCEL_OPERATION_SUM = 1, /* of integers modulo 2^32 or 2^64, like the product */
    ACCEL_OPERATION_PROD = 2,
    ACCEL_OPERATION_MIN = 3, /* of no values: the type's largest, or infinity; a NaN is never one */
    ACCEL_OPERATION_MAX = 4
};

/* Joins all values by the operation (enum accel_operation) and writes the result into the first element of `result`, which
 * may lie wherever accel_reduce's may. It has the bits of an ACCEL_REDUCE of these values (P1). */
ACCEL_API accel_status accel_reduce_values(accel_queue *queue, accel_buffer *values, uint32_t type, uint32_t operation,
                                           accel_buffer *result);

#ifdef __cplusplus
}
#endif

#endif

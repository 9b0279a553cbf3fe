/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/algorithm.h - algorithms on buffers, which need no kernel of the caller's. The conventions are those of accel/accel.h.
 *
 *     accel_reduce_values(queue, x, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, sum);    // a buffer of one double
 *
 * All of them run in the queue's order, and on a non-blocking queue nothing waits. Buffers are dense, and memory that kernels
 * of the queue use, as accel_scan's result. They may have any dimensions and count as one. Those of accel_transpose and
 * accel_gemm are matrices instead. The caller keeps them until the work is done. The kernels are libaccel's own: the first
 * call for a device loads them from beside the plugins (docs/kernels.md). Errors of all: ACCEL_INVALID (a type, an element
 * size, a number of elements, a buffer elsewhere), ACCEL_LIMIT (the device runs these kernels in blocks of fewer threads than
 * they need, or its max_allocation is less than the memory that they need; the text has both numbers), ACCEL_NOT_FOUND (no
 * object of these kernels runs on the device; the text names the target), ACCEL_OUT_OF_MEMORY. After an error of these nothing was
 * submitted. A driver may refuse (ACCEL_DRIVER, ACCEL_DEVICE_LOST) one of several launches: then those before it have been
 * submitted, and what was to be written is undefined; of accel_sort that is keys and values.
 */
#ifndef ACCEL_ALGORITHM_H
#define ACCEL_ALGORITHM_H

#include <accel/accel.h>
#include <accel/pattern.h>

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

/* Scans all values by the operation, and writes as many results into `result`, which has values of the same type and at
 * least as many. Result i joins the values before i, or with ACCEL_SCAN_INCLUSIVE (enum accel_scan_flag) 0 to i; of no
 * values it is what a reduction of none gives. `result` may be `values` or lie in the same memory: then it replaces them.
 * Else the two share no byte. It has the bits of an ACCEL_SCAN of these values (P7). More than 2048 values take scratch
 * memory as accel_scan does. */
ACCEL_API accel_status accel_scan_values(accel_queue *queue, accel_buffer *values, uint32_t type, uint32_t operation,
                                         accel_buffer *result, uint32_t flags);

enum accel_sort_flag { ACCEL_SORT_DESCENDING = 1 };

typedef struct accel_sort_desc {
    uint32_t struct_size;
    uint32_t type;  /* of the keys: enum accel_type */
    uint32_t flags; /* enum accel_sort_flag */
    /* Keys are compared by so many bits from this one on, counted from the lowest, of the unsigned integers that have their
     * order. bit_count 0: all that are left. */
    uint32_t first_bit, bit_count;
} accel_sort_desc;
#define ACCEL_SORT_DESC_INIT ACCEL_SIZED_INIT(accel_sort_desc)

/* Sorts the keys in their buffer, and moves `values`, if it is not NULL, in the same way: value i belongs to key i, may have
 * any size, and there are at least as many. Ascending, or descending by a flag; equal keys keep their order in both.
 * Floating-point numbers have IEEE 754's total order: -0.0 comes before 0.0, a NaN with a sign first and one without last.
 * The result is the same on every device. The queue keeps scratch memory as large as keys and values, and 8 to 16 bytes more
 * per value if values have not 4 or 8 bytes. Fewer bits take fewer passes over the keys. */
ACCEL_API accel_status accel_sort(accel_queue *queue, const accel_sort_desc *desc, accel_buffer *keys,
                                  accel_buffer *values);

typedef struct accel_histogram_desc {
    uint32_t struct_size;
    uint32_t type;    /* of the values: enum accel_type */
    double low, high; /* of even bins: values from low to before high count */
    accel_buffer
        *edges; /* doubles in ascending order, one more than bins: bin k is from edge k to before edge k + 1. NULL:
                            even bins */
} accel_histogram_desc;
#define ACCEL_HISTOGRAM_DESC_INIT ACCEL_SIZED_INIT(accel_histogram_desc)

/* Counts how many values are in each bin. There are as many bins as `counts` has elements, which are uint32_t or uint64_t
 * and are overwritten. Values are compared as doubles; those outside all bins, and NaNs, do not count. The even bin of x is
 * floor((x - low) * (bins / (high - low))), rounded after each operation, so the result is the same on every device. Errors
 * besides: ACCEL_LIMIT (more than 2^31 - 2 bins). */
ACCEL_API accel_status accel_histogram(accel_queue *queue, const accel_histogram_desc *desc, accel_buffer *values,
                                       accel_buffer *counts);

/* Writes the transposed matrix: element (i, j) of `from` becomes (j, i) of `to`. Both are buffers of two dimensions, of the
 * same element size, and `to` has the extents of `from` the other way round. Rows may have any pitches. The buffers share no
 * byte, so a matrix is not transposed in its own memory. */
ACCEL_API accel_status accel_transpose(accel_queue *queue, accel_buffer *from, accel_buffer *to);

/* Copies the elements of `from` whose flag is not 0 to the beginning of `to`, in their order, and writes how many were chosen
 * into the first element of `count`. Elements have any size. Flag i belongs to element i; flags are integers of 1, 2, 4 or
 * 8 bytes, and there are at least as many. If `to` has fewer elements than are chosen, the first ones are written; the
 * count says how many there are. What lies behind the chosen elements stays as it is.
 *
 * `count` has elements of 4 or 8 bytes, uint32_t or uint64_t, and may lie wherever accel_reduce's result may. `from` and
 * `flags` share no byte with `to` or `count`, nor do these two: nothing is selected in its own memory. No elements give the
 * count 0. The result is the same on every device. The queue keeps scratch memory of 8 bytes per block, a few kilobytes.
 * Errors, of the next three too: ACCEL_INVALID (also buffers that share memory, and a count of 4 bytes for 2^32 elements or
 * more). A count in memory of another backend is copied there behind the kernels: if that copy fails, `to` has been written and
 * `count` has not. */
ACCEL_API accel_status accel_select(accel_queue *queue, accel_buffer *from, accel_buffer *flags, accel_buffer *to,
                                    accel_buffer *count);

/* Like accel_select, but `to` has at least as many elements as `from`, and the others follow the chosen ones. Both keep
 * their order. */
ACCEL_API accel_status accel_partition(accel_queue *queue, accel_buffer *from, accel_buffer *flags, accel_buffer *to,
                                       accel_buffer *count);

/* Like accel_select; chosen is the first of each run of equal elements. Elements are equal if all their bytes are, padding
 * too: so -0.0 differs from 0.0, and a NaN equals itself. Of sorted elements each one is left once. */
ACCEL_API accel_status accel_unique(accel_queue *queue, accel_buffer *from, accel_buffer *to, accel_buffer *count);

/* Run-length encoding: writes the first of each run of equal elements, as accel_unique does, to `elements`, the length of
 * each run to `lengths`, which are uint32_t or uint64_t, and the number of runs to `count`. Of the first two as many are
 * written as fit. No two share a byte. The queue keeps scratch memory: 4 bytes for each element of `lengths`, or of `from`
 * if these are fewer; 8 bytes from 2^32 elements of `from` on. */
ACCEL_API accel_status accel_run_lengths(accel_queue *queue, accel_buffer *from, accel_buffer *elements,
                                         accel_buffer *lengths, accel_buffer *count);

enum accel_gemm_flag {
    ACCEL_GEMM_TRANSPOSE_A = 1, /* the transposed matrix of A is a factor, not A itself */
    ACCEL_GEMM_TRANSPOSE_B = 2
};

typedef struct accel_gemm_desc {
    uint32_t struct_size;
    uint32_t type;  /* of all three matrices: ACCEL_TYPE_FLOAT or ACCEL_TYPE_DOUBLE */
    uint32_t flags; /* enum accel_gemm_flag */
} accel_gemm_desc;
#define ACCEL_GEMM_DESC_INIT ACCEL_SIZED_INIT(accel_gemm_desc)

/* The matrix product C = alpha * A * B + beta * C. All are buffers of two dimensions, whose rows may have any pitches. A, or
 * its transposed matrix, has as many rows as C; B, or its transposed one, as many columns; A has as many columns as B has
 * rows. C shares no byte with A and B. With beta 0 C is not read, with alpha 0 A and B are not. Of floats, alpha and beta are
 * rounded to floats, as the calling thread rounds.
 *
 * Each element is one sum: beta times its value, then for each k in ascending order alpha * A(i, k), rounded, times B(k, j).
 * Products are added without being rounded (fma), but on CPUs without such an instruction (x86-64 before v3). So the
 * result is the same on all other devices, with any number of threads. */
ACCEL_API accel_status accel_gemm(accel_queue *queue, const accel_gemm_desc *desc, double alpha, accel_buffer *a,
                                  accel_buffer *b, double beta, accel_buffer *c);

#ifdef __cplusplus
}
#endif

#endif

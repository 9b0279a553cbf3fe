/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and elements of scatters.k.c. */
#ifndef TEST_KERNELS_SCATTERS_H
#define TEST_KERNELS_SCATTERS_H
#include <accel/scatter.h>

/* X(operation, type's name, type, reducer): every number that a scatter takes. */
#define SCATTERS_OF(X, operation, reducer)                                                                             \
    X(operation, i32, int32_t, reducer)                                                                                \
    X(operation, u32, uint32_t, reducer)                                                                               \
    X(operation, i64, int64_t, reducer)                                                                                \
    X(operation, u64, uint64_t, reducer)                                                                               \
    X(operation, f32, float, reducer)                                                                                  \
    X(operation, f64, double, reducer)
#define SCATTERS(X)                                                                                                    \
    SCATTERS_OF(X, sum, ACCEL_SUM)                                                                                     \
    SCATTERS_OF(X, prod, ACCEL_PROD)                                                                                   \
    SCATTERS_OF(X, min, ACCEL_MIN)                                                                                     \
    SCATTERS_OF(X, max, ACCEL_MAX)

/* What element i, whose value is v, adds. Sums of 32 bits without a sign count, those of 64 bits count in both halves. To the
 * least and the greatest without a sign a negative value is a large one; products without a sign wrap around. */
#define SCATTER_VALUE_sum(T, v, i) ((T)-1 > 0 ? (T)0x100000001 : (T)(v))
#define SCATTER_VALUE_min(T, v, i) (T)(v)
#define SCATTER_VALUE_max(T, v, i) (T)(v)
#define SCATTER_VALUE_prod(T, v, i) ((T)-1 > 0 ? (T)(2 * (i) + 1) : (v) < 0 ? (T)-1 : (T)1)

typedef struct scatters_args {
    size_t n;
    const uint32_t *cell; /* of element i */
    const int32_t *value;
    accel_scatter_view view, counts;
} scatters_args;

/* A cell that no atomic instruction joins: 24 bytes. */
typedef struct scatters_extent {
    int64_t low, high;
    uint64_t number;
} scatters_extent;
/* Of 16 bytes, and of 8, as many as one instruction exchanges. */
typedef struct scatters_complex {
    double re, im;
} scatters_complex;
typedef struct scatters_small_complex {
    float re, im;
} scatters_small_complex;

#endif

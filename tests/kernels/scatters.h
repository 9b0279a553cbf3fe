/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and elements of scatters.k.c. */
#ifndef TEST_KERNELS_SCATTERS_H
#define TEST_KERNELS_SCATTERS_H
#include <accel/scatter.h>

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

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of ranges.k.c. */
#ifndef TEST_KERNELS_RANGES_H
#define TEST_KERNELS_RANGES_H
#include <accel/range.h>
#include <stddef.h>
#include <stdint.h>

/* ranges_1d to _6d: count[linear index of i, j, ... in extent, the last the fastest] += 1 for each index of the range;
 * outside += 1 if one is not inside extent. twice[] of the same index is 1 more than count[] was, without a barrier. */
typedef struct {
    accel_range range;
    size_t extent[6];
    uint32_t *count; /* 0 before */
    uint32_t *twice; /* 0 before */
    uint32_t *outside;
    uint32_t *
        visits; /* ranges_sequence: 0 before; how many indices were visited; count[] of an index is how many were before */
} ranges_args;

#endif

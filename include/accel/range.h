/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/range.h - a range of 1 to 6 dimensions, for hosts and kernels.
 *
 * A host fills dims, begin and end, lets accel_range_divide choose the tiles, and passes the range to a kernel as a member
 * of its arguments. There ACCEL_FOR_EACH_RANGE_4D(acc, args.range, i, j, k, l) and its kin visit each of its elements once.
 * This file stands alone, like accel/object.h.
 */
#ifndef ACCEL_RANGE_H
#define ACCEL_RANGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct accel_range {
    uint32_t struct_size;
    uint32_t dims;   /* 1 to 6; the last dimension is the fastest */
    size_t begin[6]; /* the first index; entries behind dims are ignored, here and below */
    size_t end[6];   /* the index behind the last; equal to begin if there is none */
    size_t tile[6];  /* elements of a tile; 0: accel_range_divide chooses for the device; if it was not called, all */
} accel_range;

#endif

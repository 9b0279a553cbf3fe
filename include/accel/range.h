/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/range.h - a range of 1 to 6 dimensions, for hosts and kernels.
 *
 * A host fills dims, begin and end, lets accel_range_divide choose the tiles, and passes the range to a kernel as a member
 * of its arguments. There ACCEL_FOR_EACH_RANGE_4D(acc, args.range, i, j, k, l) and its kin visit each of its elements once.
 * The loop has an order of its own and does not read the range's. If they differ, the loop visits the same elements, only more
 * slowly: tiles are short where it runs fastest. A loop of another number of dimensions than the range's visits nothing.
 *
 * This file stands alone, like accel/object.h.
 */
#ifndef ACCEL_RANGE_H
#define ACCEL_RANGE_H

#include <stddef.h>
#include <stdint.h>

/* Which dimension runs fastest. */
enum accel_range_order {
    ACCEL_RANGE_DEVICE = 0, /* the device chooses: the last one, on all of today's */
    ACCEL_RANGE_RIGHT = 1,  /* the last one: memory as in C */
    ACCEL_RANGE_LEFT = 2    /* the first one: memory as in Fortran */
};

typedef struct accel_range {
    uint32_t struct_size;
    uint32_t dims;     /* 1 to 6 */
    size_t begin[6];   /* the first index; entries behind dims are ignored, here and below */
    size_t end[6];     /* the index behind the last; equal to begin if there is none */
    size_t tile[6];    /* elements of a tile; 0: accel_range_divide chooses for the device; if it was not called, all */
    uint32_t order;    /* enum accel_range_order, that of the loop; accel_range_divide replaces 0 by what it chose */
    uint32_t reserved; /* 0 */
} accel_range;

#endif

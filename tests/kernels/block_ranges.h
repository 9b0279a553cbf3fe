/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of block_ranges.k.c. No struct has padding, so that results can be compared bit by bit. */
#ifndef TEST_KERNELS_BLOCK_RANGES_H
#define TEST_KERNELS_BLOCK_RANGES_H
#include <stddef.h>
#include <stdint.h>

/* x -> factor * x + offset, joined by composition: the order of the values matters. */
typedef struct {
    double factor, offset;
} block_ranges_affine;
/* Several reductions in one pass. */
typedef struct {
    double least, sum;
} block_ranges_span;

#define BLOCK_RANGES_TILE 200

/* What every thread is told. */
typedef struct {
    double sum, last, all;
    block_ranges_span span;
    block_ranges_affine composed, before;
    uint64_t most, kept;
} block_ranges_results;

/* Each block has n numbers of x and y, and n of each result. */
typedef struct {
    size_t n;
    const double *x, *y;
    double *inclusive;             /* of x * y */
    double *in_place;              /* of y, exclusive, from n / 3 on; what is before stays y */
    block_ranges_affine *composed; /* in place, inclusive */
    block_ranges_affine *before;   /* exclusive */
    uint16_t
        *kept; /* exclusive, through shared memory: of the first BLOCK_RANGES_TILE numbers of x that are more than 1 */
    block_ranges_results *each; /* of each thread of the grid */
} block_ranges_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments, elements and results of reductions.k.c. No struct has padding, so that results can be compared bit by bit. */
#ifndef TEST_KERNELS_REDUCTIONS_H
#define TEST_KERNELS_REDUCTIONS_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const double *x, *y;
    size_t nj, nk; /* of two and three dimensions: the element is x[(i * nj + j) * nk + k] */
} reductions_args;

typedef struct {
    double min, max;
} low_high;
typedef struct {
    float value;
    uint32_t index;
} float_place;
typedef struct {
    double min, max;
    uint64_t min_index, max_index;
} low_high_places;
/* Several reductions in one pass. */
typedef struct {
    double min, max, dot;
    uint64_t positive;
} statistics;
/* x -> factor * x + offset, joined by composition: the order of the values matters. */
typedef struct {
    double factor, offset;
} affine;
typedef struct {
    float sums[9];
} many_sums;

#endif

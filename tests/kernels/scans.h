/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and elements of scans.k.c. No struct has padding, so that results can be compared bit by bit. */
#ifndef TEST_KERNELS_SCANS_H
#define TEST_KERNELS_SCANS_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const double *x, *y;
    double *kept;     /* scan_select: the positive x; scan_affine_final: what each index was given */
    uint32_t *prefix; /* scan_select: what each index was given; scan_affine_final: how often it was */
} scans_args;

/* x -> factor * x + offset, joined by composition: the order of the values matters. */
typedef struct {
    double factor, offset;
} scans_affine;
typedef struct {
    float value;
    uint32_t index;
} scans_place;
typedef struct {
    float min, max;
} scans_range;
typedef struct {
    float min, max;
    uint32_t min_index, max_index;
} scans_places;
/* So large that GPUs do not move it through shared memory. */
typedef struct {
    float sums[9];
} scans_sums;

#endif

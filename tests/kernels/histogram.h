/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of histogram.k.c. */
#ifndef TEST_KERNELS_HISTOGRAM_H
#define TEST_KERNELS_HISTOGRAM_H
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_BINS 64

typedef struct {
    size_t n;
    const uint32_t *x; /* n values below HISTOGRAM_BINS */
    uint64_t *bins;    /* HISTOGRAM_BINS; 0 before */
} histogram_args;

typedef struct {
    uint64_t all, even; /* sums of x */
} histogram_pair;

typedef struct {
    histogram_pair pair;
    uint32_t bins[HISTOGRAM_BINS];
    int64_t negative[HISTOGRAM_BINS];
    double sum, largest;
    float difference;
    int smallest;
} histogram_copy;

typedef struct {
    size_t n;
    const uint32_t *x;
    histogram_copy *copies; /* one per block; 0 before, but smallest is HISTOGRAM_BINS */
} histogram_copies_args;

#endif

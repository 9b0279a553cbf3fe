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

#endif

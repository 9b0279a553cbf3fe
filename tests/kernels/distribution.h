/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of distribution.k.c. */
#ifndef TEST_KERNELS_DISTRIBUTION_H
#define TEST_KERNELS_DISTRIBUTION_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n;
    uint64_t range;
    const uint32_t *word;       /* 4 * n */
    float *normal;              /* 4 * n */
    float *exponential;         /* 4 * n */
    double *normal_double;      /* 2 * n */
    double *exponential_double; /* 2 * n */
    uint32_t *below;            /* 2 * n; the range is the lower half of `range` */
    uint64_t *below_64;         /* n */
} distribution_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fences.k.c. */
#ifndef TEST_KERNELS_FENCES_H
#define TEST_KERNELS_FENCES_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n;
    const double *x;    /* n; integers, so that the order of additions does not matter */
    double *part;       /* one per block */
    uint32_t *finished; /* 1 entry, 0 before and after */
    double *sum;        /* 1 entry: the sum of x */
} fences_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of dgemm.k.c. */
#ifndef TEST_KERNELS_DGEMM_H
#define TEST_KERNELS_DGEMM_H
#include <stddef.h>
#include <stdint.h>

#define DGEMM_TILE 16

typedef struct {
    size_t n;        /* a multiple of DGEMM_TILE */
    const double *a; /* n * n, row after row, as b and c */
    const double *b;
    double *c;
} dgemm_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of mathematics.k.c. */
#ifndef TEST_KERNELS_MATHEMATICS_H
#define TEST_KERNELS_MATHEMATICS_H
#include <stddef.h>
#include <stdint.h>

#define MATHEMATICS_VALUES 28
#define MATHEMATICS_COUNTS 14

typedef struct {
    size_t n;
    const float *x;
    const float *y;
    const uint64_t *w;
    double *values;   /* n * MATHEMATICS_VALUES */
    uint64_t *counts; /* n * MATHEMATICS_COUNTS */
} mathematics_args;

#endif

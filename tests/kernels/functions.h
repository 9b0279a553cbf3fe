/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of functions.k.c. */
#ifndef TEST_KERNELS_FUNCTIONS_H
#define TEST_KERNELS_FUNCTIONS_H
#include <stddef.h>
#include <stdint.h>

#define FUNCTIONS_DOUBLE 16
#define FUNCTIONS_FLOAT 8

typedef struct {
    size_t n;
    const double *x; /* n values in (0, 1) */
    double *d;       /* n * FUNCTIONS_DOUBLE */
    float *f;        /* n * FUNCTIONS_FLOAT */
} functions_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of axpy.k.c. */
#ifndef TEST_KERNELS_AXPY_H
#define TEST_KERNELS_AXPY_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double a;
    size_t n;        /* at most 2^31 for axpy_32 */
    const double *x; /* n */
    double *y;       /* n */
} axpy_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of stencil.k.c. */
#ifndef TEST_CHECKING_STENCIL_H
#define TEST_CHECKING_STENCIL_H
#include <stddef.h>

typedef struct {
    size_t n;
    const double *x; /* n * n, row after row, as y */
    double *y;
} stencil_args;

#endif

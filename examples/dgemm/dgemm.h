/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of the kernels in dgemm.k.c. Shared by host and kernels. */
#ifndef DGEMM_H
#define DGEMM_H

#include <stddef.h>

#define TILE 32 /* rows and columns that a block of the kernel `tiles` computes, and threads along each edge of it */

/* C = A * B, square matrices with n rows. Their rows are `pitch` numbers apart. */
typedef struct dgemm_args {
    size_t n, pitch;
    const double *a, *b;
    double *c;
} dgemm_args;

#endif

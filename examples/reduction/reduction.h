/* SPDX-License-Identifier: Apache-2.0 */
/* The argument structs of reduction.k.c, shared by host and kernels. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <stddef.h>

#define STEP_THREADS 256 /* of a block of each step; a power of two */

/* sum[block] = the sum of the block's share of x */
typedef struct step_args {
    size_t n;
    const double *x;
    double *sum; /* one per block */
} step_args;

typedef struct total_args {
    const double *x;
} total_args;

#endif

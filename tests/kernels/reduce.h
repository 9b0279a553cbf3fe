/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of reduce.k.c. */
#ifndef TEST_KERNELS_REDUCE_H
#define TEST_KERNELS_REDUCE_H
#include <stddef.h>
#include <stdint.h>

#define REDUCE_THREADS 256 /* threads of a block, in one dimension */

typedef struct {
    size_t n;
    const double *x; /* n */
    double *sum;     /* one per block */
} reduce_args;

#endif

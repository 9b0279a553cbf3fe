/* SPDX-License-Identifier: Apache-2.0 */
/* How often each byte occurs: the arguments of counts.k.c, and the bytes, the same for host and native ways. */
#ifndef BENCH_COUNTS_H
#define BENCH_COUNTS_H

#include <accel/scatter.h>

enum { COUNTS_BINS = 256 };

typedef struct counts_args {
    size_t n;
    const uint8_t *x;
    const double *weight; /* weights_of_bytes */
    accel_scatter_view bins;
} counts_args;

#endif

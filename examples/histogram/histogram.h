/* SPDX-License-Identifier: Apache-2.0 */
/* The argument structs of histogram.k.c, shared by host and kernels. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <accel/scatter.h>

#define BINS 256

typedef struct bins_args {
    size_t n;
    const uint8_t *x;
    uint32_t *bins;
} bins_args;

typedef struct scatter_args {
    size_t n;
    const uint8_t *x;
    accel_scatter_view bins;
} scatter_args;

#endif

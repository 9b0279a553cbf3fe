/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the kernels that make a histogram. */
#ifndef ACCEL_KERNELS_HISTOGRAM_H
#define ACCEL_KERNELS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_THREADS = 256 }; /* of a block */

typedef struct histogram_args {
    size_t n;
    size_t share; /* values of a block, fewer than 2^32 */
    const void *values;
    const double *edges; /* bins + 1, ascending; NULL: even bins */
    void *counts;
    double low, high, scale; /* of even bins; scale is bins / (high - low) */
    uint32_t bins;
    uint32_t type;   /* of the values: enum accel_type */
    uint32_t wide;   /* counts have 64 bits */
    uint32_t copies; /* of the block's counts in its dynamic shared memory, each of bins + 1; 0: it has none */
} histogram_args;

#endif

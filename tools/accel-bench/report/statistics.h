/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>

/* Quartiles of a sample: half of the values lie between low and high. */
typedef struct spread {
    double low, median, high;
} spread;

/* Sorts the values in place. count is not 0. */
spread statistics_spread(double *values, size_t count);

#endif

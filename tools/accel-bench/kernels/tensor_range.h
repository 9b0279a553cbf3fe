/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of tensor addition in a range. Apart from the others, which kernels by hand for CUDA share. */
#ifndef BENCH_TENSOR_RANGE_H
#define BENCH_TENSOR_RANGE_H

#include <accel/range.h>
#include <stddef.h>

/* tensor_inside: n * n * n rows of so many elements, and so many at each end of each dimension that are left out. */
enum { TENSOR_ROW = 64, TENSOR_BORDER = 1 };

typedef struct tensor_range_args {
    accel_range range;
    size_t n;
    const double *a;
    const double *b;
    double *c;
} tensor_range_args;

#endif

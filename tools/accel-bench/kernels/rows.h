/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of rows.k.c: a sparse matrix in compressed rows, and two vectors. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct rows_args {
    size_t n; /* rows */
    const uint32_t *first, *column;
    const double *value, *x;
    double *y;
} rows_args;

#endif

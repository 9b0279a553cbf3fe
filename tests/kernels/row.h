/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of row.k.c. */
#ifndef TEST_KERNELS_ROW_H
#define TEST_KERNELS_ROW_H
#include <stddef.h>
#include <stdint.h>

/* x * m + c: in a scan the order counts. */
typedef struct {
    uint32_t m, c;
} row_line;

typedef struct {
    size_t n;
    const uint32_t *first;  /* n + 1: row r has the elements first[r] to first[r + 1] - 1 */
    const uint32_t *column; /* of each element, in x */
    const float *value;     /* of each element, and x: their products are exact */
    const float *x;
    float *sum;     /* 2 * n */
    row_line *line; /* n */
    row_line *scan; /* 2 of each element */
} row_args;

/* Every block has the same n rows of m columns. */
typedef struct {
    size_t n, m;
    const float *a, *x; /* n x m, m: their products are exact */
    const float *y;     /* n */
    float *total;       /* of each thread of the grid: what its rows add up to, with 8 lanes */
    float *alone;       /* likewise, with 1 lane: the sum of y */
    float *back;        /* likewise: what thread t finds of row n - 1 - t, or 0 */
} row_team_args;
enum { ROW_TEAM_MOST = 128 };

#endif

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

#endif

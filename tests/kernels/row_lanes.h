/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of row_lanes.k.c. */
#ifndef TEST_KERNELS_ROW_LANES_H
#define TEST_KERNELS_ROW_LANES_H
#include <stddef.h>
#include <stdint.h>

/* 12 bytes */
typedef struct {
    float least, most;
    uint32_t count;
} row_span;

/* Of a row: of its numbers v and their places j. */
typedef struct {
    double sum;     /* of v * v */
    int64_t least;  /* of ROW_WORD(v) */
    uint16_t most;  /* of ROW_NARROW(v) */
    uint16_t again; /* what the exclusive scan makes of all */
    uint32_t bits;  /* ROW_BITS(j), joined by exclusive or */
    float all;      /* what the inclusive scan makes of all */
    row_span span;
} row_lanes_result;

#define ROW_WORD(v) (int64_t)((v)*65536)
#define ROW_NARROW(v) (uint16_t)(((v) + 128) * 64)
#define ROW_BITS(j) ((uint32_t)(j)*2654435761u)

/* row_lanes_FORM_LANES, FORM one of block, thread and team; with 4 lanes block alone. In the last one each block has all rows and results of its own,
 * block after block. */
typedef struct {
    size_t n;
    const uint32_t *first; /* n + 1: row r has the elements first[r] to first[r + 1] - 1 */
    const float *value;    /* of each element: -100 <= v < 100 */
    row_lanes_result *result;
    float *scan;      /* sums of v, inclusive */
    uint16_t *before; /* the greatest ROW_NARROW(v), exclusive */
    float *turned;    /* element j: that of the other end of the row; team and thread: and the scan of that */
} row_lanes_args;

#endif

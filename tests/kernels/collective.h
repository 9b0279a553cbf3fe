/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of collective.k.c. */
#ifndef TEST_KERNELS_COLLECTIVE_H
#define TEST_KERNELS_COLLECTIVE_H
#include <stddef.h>
#include <stdint.h>

#define COLLECTIVE_TILE 1500

/* x * m + c: in a scan the order counts. */
typedef struct {
    uint32_t m, c;
} collective_line;

/* 12 bytes */
typedef struct {
    float least, most;
    uint32_t count;
} collective_span;

typedef struct {
    uint32_t key, index;
} collective_pair;

/* Of each thread. */
typedef struct {
    float inclusive, exclusive;
    double exclusive_double;
    collective_line line, line_before;
    uint16_t narrow, narrow_before;
} collective_thread;

/* Of each block. */
typedef struct {
    double sum;
    float product_sum, last;
    collective_span span;
    uint32_t every;
    collective_line broadcast, all_lines;
    uint16_t most;
} collective_block;

typedef struct {
    size_t n;                /* elements of each block's tile */
    const float *x, *y;      /* one per thread of the grid */
    const uint32_t *key;     /* n per block */
    collective_thread *each; /* one per thread of the grid */
    collective_block *block; /* one per block */
    collective_pair *sorted; /* n per block */
} collective_args;

#endif

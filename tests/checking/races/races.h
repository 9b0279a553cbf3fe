/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernels of this folder are given. The grid has RACES_BLOCKS blocks of RACES_THREADS threads, RACES_N in all, and
 * 1024 bytes of dynamic shared memory. Everything is written before each launch; lengths are in elements.
 */
#ifndef RACES_H
#define RACES_H

#include <stddef.h>
#include <stdint.h>

enum {
    RACES_BLOCKS = 4,
    RACES_THREADS = 64,
    RACES_N = RACES_BLOCKS * RACES_THREADS,
    RACES_SHORT = 198, /* fewer than the threads: 11 rows of 18 */
    RACES_EDGES = 4 * RACES_SHORT
};

typedef struct races_args {
    size_t n;                    /* RACES_N */
    float *x, *y;                /* n; x: 1, 2, ... */
    double *d;                   /* n */
    int32_t *i;                  /* n; 0 */
    uint64_t *l;                 /* n; 0 */
    uint8_t *b;                  /* n; 0 */
    uint32_t *c;                 /* RACES_THREADS; 0 */
    const uint32_t *permutation; /* n: each of 0 to n - 1 once */
    const uint32_t *repeated;    /* n: each of 0 to n / 2 - 1 twice, far apart */
    /* Of RACES_SHORT elements */
    size_t m;     /* RACES_SHORT */
    float *p, *q; /* m */
    /* A graph of m vertices: the neighbours of v are column[row[v]] to column[row[v + 1] - 1], 1 to 7 of them, and never v */
    size_t vertices;     /* m */
    const uint32_t *row; /* vertices + 1 */
    const uint32_t *column;
    uint32_t *value, *next; /* vertices; value: all different */
    double *real;           /* vertices */
    uint32_t *list;         /* vertices */
} races_args;

#endif

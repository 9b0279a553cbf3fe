/* SPDX-License-Identifier: Apache-2.0 */
/* The argument structs of the benchmark's kernels, shared by host and kernels. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* count[block] += 1 */
typedef struct count_args {
    uint64_t *count; /* one per block */
} count_args;

/* ping: *value += 1; pong: *value *= 3 */
typedef struct turns_args {
    uint64_t *value;
} turns_args;

/* y += a x */
typedef struct axpy_args {
    double a;
    size_t n;
    const double *x;
    double *y;
} axpy_args;

/* a = b, 0.5 b, b + c, b + 0.5 c; partial[block] = the block's share of b . c */
#define STREAM_SCALAR 0.5
#define STREAM_THREADS 64 /* of dot's blocks; a power of two */
typedef struct stream_args {
    size_t n;
    double *a;
    const double *b;
    const double *c;
    double *partial; /* one per block */
} stream_args;

/* Thread kernels: `rounds` barriers. turn: each thread leaves in counts[thread] how many it passed. ring: numbers
 * wander round the block by one place per round; counts[thread] is the one that ends there. */
#define BARRIER_THREADS 64
typedef struct barrier_args {
    size_t rounds;
    uint64_t *counts; /* one per thread */
} barrier_args;

/* C = A B, all n * n in rows, n a multiple of the tile: of dgemm_thread and of GPUs, or of dgemm_block. */
#define DGEMM_TILE 16
#define DGEMM_BLOCK_TILE 32
typedef struct dgemm_args {
    size_t n;
    const double *a;
    const double *b;
    double *c;
} dgemm_args;

/* The same with sums in registers, of up to DGEMM_PACKS_ROWS rows and DGEMM_PACKS_COLUMNS columns at a time. A block computes
 * rows x columns of C, part rows and depth products at a time. n, columns and depth are multiples of 8; rows and depth divide
 * n. */
#define DGEMM_PACKS_ROWS 8
#define DGEMM_PACKS_COLUMNS 24
typedef struct dgemm_packs_args {
    size_t n;
    const double *a;
    const double *b;
    double *c;
    size_t rows, columns, depth, part;
} dgemm_packs_args;

/* sums[block] = of the block's share of x. Threads of both reductions add REDUCE_AT_ONCE elements at a time, about that part of the
 * array apart; so a division is of that many fewer. */
#define REDUCE_AT_ONCE 4
#define REDUCE_THREADS 128
typedef struct reduce_args {
    size_t n;
    const double *x;
    double *sums;
} reduce_args;

/* Also minima[block]: of x, or, if that is given, of minima_of, which has n elements too. */
#define MIN_SUM_THREADS 64
typedef struct min_sum_args {
    size_t n;
    const double *x;
    const double *minima_of;
    double *sums;
    double *minima;
} min_sum_args;

/* Of the patterns, and what those of several values give. */
typedef struct pattern_args {
    const double *x, *y;
} pattern_args;
typedef struct pattern_summary {
    double min, max, dot;
} pattern_summary;
typedef struct pattern_low {
    double min, sum;
} pattern_low;

typedef struct float_args {
    const float *x, *y;
} float_args;
typedef struct float_low {
    float min, sum;
} float_low;

/* Of doubles or floats, in rows. */
typedef struct order_args {
    const void *x;
    size_t row;
} order_args;

/* y = f(x), of floats or doubles */
typedef struct mathematics_args {
    size_t n;
    const void *x;
    void *y;
} mathematics_args;

/* The forces of n particles on each other, n a multiple of PAIR_TILE. Positions and forces are n of x, then of y and of z. */
#define PAIR_TILE 128
typedef struct pairs_args {
    size_t n;
    const float *position;
    float *force;
} pairs_args;

/* to[cell[i]] += value[i] for i < n, of the kernel's type. Of copy_count copies of the cells one begins copy_stride cells behind the
 * other. */
typedef struct scatter_args {
    size_t n, cells;
    const uint32_t *cell;
    const void *value;
    void *to;
    void *copies;
    size_t copy_count, copy_stride;
} scatter_args;

/* c = a + b, n * n * n elements, the last index the fastest. */
typedef struct tensor_args {
    size_t n;
    const double *a;
    const double *b;
    double *c;
    size_t tile[3];
} tensor_args;

#endif

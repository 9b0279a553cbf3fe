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

/* y += a x */
typedef struct axpy_args {
    double a;
    size_t n;
    const double *x;
    double *y;
} axpy_args;

/* Thread kernels: `rounds` barriers. turn: each thread leaves in counts[thread] how many it passed. ring: numbers
 * wander round the block by one place per round; counts[thread] is the one that ends there. */
#define BARRIER_THREADS 64
typedef struct barrier_args {
    size_t rounds;
    uint64_t *counts; /* one per thread */
} barrier_args;

/* C = A B, all n * n in rows, n a multiple of the tile. */
#define DGEMM_TILE 16
typedef struct dgemm_args {
    size_t n;
    const double *a;
    const double *b;
    double *c;
} dgemm_args;

#endif

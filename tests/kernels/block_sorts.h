/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of block_sorts.k.c. */
#ifndef TEST_KERNELS_BLOCK_SORTS_H
#define TEST_KERNELS_BLOCK_SORTS_H
#include <stddef.h>
#include <stdint.h>

#define BLOCK_SORTS_TILE 600
#define BLOCK_SORTS_BEHIND 7

/* Each block has n numbers of x and of k: up[(n + 1) b + i] becomes number i of block b, ascending, and down number i of k,
 * descending. Behind them is what stood behind the sorted tile: BLOCK_SORTS_BEHIND. */
typedef struct {
    size_t n; /* less than BLOCK_SORTS_TILE */
    const double *x;
    const uint16_t *k;
    double *up;
    uint16_t *down;
} block_sorts_args;

#endif

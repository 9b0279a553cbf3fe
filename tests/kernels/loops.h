/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of loops.k.c. */
#ifndef TEST_KERNELS_LOOPS_H
#define TEST_KERNELS_LOOPS_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t ni, nj, nk;
    uint32_t *count; /* ni * nj * nk, nk fastest; 0 before */
} loops_args;

typedef struct {
    size_t extent[3], tile[3];
    uint32_t *visit;   /* of each element, extent[2] fastest: how many were visited before; 0 before */
    uint32_t *count;   /* of visits of each element; 0 before */
    uint32_t *visited; /* one: elements visited so far; 0 before */
} tiles_args;

#endif

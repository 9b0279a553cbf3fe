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

#endif

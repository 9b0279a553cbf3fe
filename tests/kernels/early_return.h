/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of early_return.k.c. */
#ifndef TEST_KERNELS_EARLY_RETURN_H
#define TEST_KERNELS_EARLY_RETURN_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t *out; /* one per thread of the grid */
    uint32_t *sum; /* one per block, 0 before */
} early_return_args;

#endif

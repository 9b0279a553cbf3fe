/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of shared_dynamic.k.c. */
#ifndef TEST_KERNELS_SHARED_DYNAMIC_H
#define TEST_KERNELS_SHARED_DYNAMIC_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint32_t *x; /* one per thread of the grid */
    uint32_t *y;       /* one per thread of the grid */
    uint64_t *address; /* per block: the dynamic memory's address modulo 64 */
} shared_dynamic_args;

#endif

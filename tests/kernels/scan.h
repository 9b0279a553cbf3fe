/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of scan.k.c. */
#ifndef TEST_KERNELS_SCAN_H
#define TEST_KERNELS_SCAN_H
#include <stddef.h>
#include <stdint.h>

#define SCAN_MAX_THREADS 1024

typedef struct {
    const uint32_t *x; /* one per thread of the grid */
    uint32_t *y;       /* one per thread of the grid */
} scan_args;

#endif

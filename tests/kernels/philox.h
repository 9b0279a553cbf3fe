/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of philox.k.c. */
#ifndef TEST_KERNELS_PHILOX_H
#define TEST_KERNELS_PHILOX_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n;
    uint64_t seed;
    uint64_t stream;
    uint64_t first;   /* counter of entry 0 */
    uint32_t *word;   /* 4 * n */
    float *uniform;   /* n */
    double *uniform2; /* n */
} philox_args;

#endif

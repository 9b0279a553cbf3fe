/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of names.k.c. */
#ifndef TEST_KERNELS_NAMES_H
#define TEST_KERNELS_NAMES_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n;
    const uint32_t *from; /* n; not read by `free` */
    uint32_t *to;         /* n */
} names_args;

typedef struct {
    size_t n;
    uint64_t *ticks, *sum; /* one for each thread */
} clock_args;

#endif

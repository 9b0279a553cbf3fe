/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that are counted, and their weights, the same for host and native ways. */
#ifndef BENCH_COUNTS_VALUES_H
#define BENCH_COUNTS_VALUES_H

#include <stddef.h>
#include <stdint.h>

/* As if by chance. */
static inline uint8_t counts_byte(size_t i)
{
    uint32_t x = (uint32_t)i * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    return (uint8_t)(x >> 24);
}

static inline double counts_weight(size_t i)
{
    return (double)(i % 5 + 1);
}

#endif

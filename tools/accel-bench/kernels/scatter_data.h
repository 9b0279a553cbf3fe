/* SPDX-License-Identifier: Apache-2.0 */
/* The cells and values of the scatter cases, the same for kernels, host and native ways. Values are small whole numbers
 * of both signs, so that all sums are exact in any order, also after many passes. */
#ifndef BENCH_SCATTER_DATA_H
#define BENCH_SCATTER_DATA_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

typedef struct complex_float {
    alignas(8) float re;
    float im;
} complex_float;

typedef struct complex_double {
    alignas(16) double re;
    double im;
} complex_double;

/* The cell of update i, as if by chance. */
static inline uint32_t scatter_cell(uint32_t i, uint32_t cells)
{
    uint32_t x = i * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return (uint32_t)(((uint64_t)(x ^ (x >> 16)) * cells) >> 32);
}

/* The value of update i: real part (part 0), imaginary part. */
static inline int scatter_value(uint32_t i, int part)
{
    return (int)((i / 3 + (uint32_t)part * 5) % 7) - 3;
}

#endif

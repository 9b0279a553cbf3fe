/* SPDX-License-Identifier: Apache-2.0 */
/* The values that are sorted, counted and chosen, here and by the native ways. */
#ifndef ALGORITHM_VALUES_H
#define ALGORITHM_VALUES_H

#include <stdint.h>

enum { SORT_UINT32 = 0, SORT_DOUBLE = 1 }; /* the native way's parameter 1 */
enum { HISTOGRAM_BINS = 256 };             /* of [0, 1) */

static inline uint64_t algorithm_word(uint64_t i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
    return i ^ i >> 31;
}

static inline double sort_double(uint64_t i)
{
    return (double)(int64_t)algorithm_word(i) * 1e-5;
}

static inline float histogram_float(uint64_t i)
{
    return (float)(algorithm_word(i) >> 40) * 0x1p-24f;
}

/* Half of them in no order, so that no branch is foreseen. */
static inline uint8_t select_flag(uint64_t i)
{
    return (uint8_t)(algorithm_word(i) & 1);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of reducers.k.c: entry i of the results is what the reducer makes of entry i of `a` and of `b`, and entry n what it
 * starts with. */
#ifndef TEST_KERNELS_REDUCERS_H
#define TEST_KERNELS_REDUCERS_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double min, max;
} double_range;
typedef struct {
    int16_t value;
    uint32_t index;
} short_place;
typedef struct {
    float min, max;
    size_t min_index, max_index;
} float_places;
typedef struct {
    double sum;
    uint32_t count;
} mean;

/* What each reducer made. */
typedef struct {
    double max_double;
    uint64_t prod64;
    double_range range;
    float_places places;
    mean means;
    short_place lowest, highest;
    int32_t all, any, odd, bit_and, bit_or, bit_xor;
    float min_float;
    int16_t min16;
    int8_t sum8;
    uint8_t max8;
} reduced;

typedef struct {
    size_t n;
    const int32_t *a, *b; /* n */
    reduced *out;         /* n + 1 */
} reducers_args;

#endif

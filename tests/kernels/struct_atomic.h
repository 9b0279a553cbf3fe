/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of struct_atomic.k.c. */
#ifndef TEST_KERNELS_STRUCT_ATOMIC_H
#define TEST_KERNELS_STRUCT_ATOMIC_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double re, im;
} complex_value;

typedef struct {
    uint64_t count;
    uint64_t sum;
    uint64_t squares;
    uint64_t largest;
    uint64_t at;
} statistics; /* 40 bytes */

typedef struct {
    size_t n;
    size_t cells;          /* of each of the two */
    complex_value *values; /* all 0 before */
    statistics *summary;   /* all 0 before */
} struct_atomic_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of struct_atomic.k.c. */
#ifndef TEST_KERNELS_STRUCT_ATOMIC_H
#define TEST_KERNELS_STRUCT_ATOMIC_H
#include <stdalign.h>
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
    uint16_t low, high;
} halves; /* 4 bytes, whose alignment is 2 */

typedef struct {
    float re, im;
} small_complex; /* 8 bytes, whose alignment is 4 */

typedef struct {
    alignas(16) double re;
    double im;
} wide_complex;

typedef struct {
    char red, green, blue;
} colour;

typedef struct {
    size_t n;
    size_t cells;            /* of each, as many as the greatest alignment allows; all 0 before */
    halves *pairs;           /* low += 1, high += 2 */
    small_complex *smalls;   /* re += 1, im -= 1 */
    small_complex *straddle; /* the same; lies 4 bytes off the alignment of 8 */
    wide_complex *wides;     /* re += i, im -= i */
    colour *colours;         /* red += 1, green -= 1, blue ^= 1 */
    statistics *summary;     /* as below, for even i */
} modify_args;

typedef struct {
    size_t n;
    size_t cells;          /* of each of the two */
    complex_value *values; /* all 0 before */
    statistics *summary;   /* all 0 before */
} struct_atomic_args;

#endif

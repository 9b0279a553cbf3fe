/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLANTED_H
#define PLANTED_H

#include <stddef.h>
#include <stdint.h>

/* x and y have n elements, c has 64. */
typedef struct planted_args {
    size_t n;
    float *x, *y;
    uint32_t *c;
} planted_args;

typedef struct __attribute__((packed)) planted_packed {
    double d;
    uint16_t s;
} planted_packed;

/* Padding at the end, and between members. */
typedef struct planted_padded {
    double value;
    int number;
} planted_padded;

typedef struct planted_narrow {
    int16_t key;
    int number;
    char letter;
} planted_narrow;

/* None. */
typedef struct planted_pair {
    double first, second;
} planted_pair;

typedef struct planted_ten {
    float v[10];
} planted_ten;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIGHT_H
#define LIGHT_H

#include <stddef.h>
#include <stdint.h>

/* x and y have n elements. Only block `wrong` does what it must not. */
typedef struct light_args {
    size_t n, wrong;
    float *x, *y;
    uint32_t *c;
    void *far;
} light_args;

/* At any byte. */
typedef struct __attribute__((packed)) light_packed {
    float f;
} light_packed;

typedef struct light_ten {
    float v[10];
} light_ten;

#endif

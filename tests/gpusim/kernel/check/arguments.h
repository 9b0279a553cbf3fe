/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSIM_CHECK_ARGUMENTS_H
#define GPUSIM_CHECK_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct words_args {
    uint8_t choice; /* what the kernel is to do wrong, or how */
    uint64_t *words;
    size_t n;
} words_args;

typedef struct bulky {
    uint64_t sum, count, more[7];
} bulky;

typedef struct bulky_args {
    bulky *objects;
    size_t n;
} bulky_args;

enum { FAULT_NULL, FAULT_STACK, FAULT_DIVISION, FAULT_SHARED, FAULT_NONE };

#endif

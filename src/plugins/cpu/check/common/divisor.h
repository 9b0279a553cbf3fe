/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCEL_CPU_CHECK_DIVISOR_H
#define ACCEL_CPU_CHECK_DIVISOR_H

#include <stdint.h>

/* The greatest common divisor, by Euclid's algorithm. */
static inline uint64_t check_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif

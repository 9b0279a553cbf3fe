/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the reductions and scans of values. */
#ifndef ACCEL_KERNELS_REDUCE_H
#define ACCEL_KERNELS_REDUCE_H

#include <stdint.h>

typedef struct reduce_values_args {
    const void *values; /* of the type in the kernel's name */
} reduce_values_args;

/* How the kernel `scan_any` joins values, which are 64 bits on the way: integers without sign, or doubles if the type is
 * floating-point. */
enum {
    SCAN_NOTHING, /* of no value */
    SCAN_MIN,     /* as integers */
    SCAN_MIN_FLOATING,
    SCAN_PROD /* of integers */
};

typedef struct scan_value {
    uint64_t bits;
    uint32_t join, reserved;
} scan_value;

typedef struct scan_values_args {
    const void *values;
    void *results;  /* may be the same memory */
    uint64_t flip;  /* is changed in the bits of values before they are joined, and back in results */
    uint64_t start; /* what no values make, with changed bits */
    uint32_t type;  /* enum accel_type */
    uint32_t join;
} scan_values_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of scratches.k.c, and what it writes. */
#ifndef TEST_KERNELS_SCRATCHES_H
#define TEST_KERNELS_SCRATCHES_H
#include <accel/scratch.h>

typedef struct scratches_args {
    accel_scratch_view scratch;
    uint32_t *wrong; /* of each thread of the grid */
} scratches_args;

/* Byte k of an owner: block b is 2 b, thread g of the grid 2 g + 1. */
#define SCRATCHES_BYTE(owner, level, k) ((uint8_t)((owner)*37 + (size_t)(level)*101 + (k)*7 + 5))

#endif

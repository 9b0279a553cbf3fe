/* SPDX-License-Identifier: Apache-2.0 */
/* How the blocks of a launch share elements. */
#ifndef ACCEL_CORE_SHARE_H
#define ACCEL_CORE_SHARE_H

#include <accel/accel.h>

typedef struct accel_shares {
    size_t share;  /* elements of a block; the last may have fewer */
    size_t blocks; /* at least 1 */
} accel_shares;

typedef struct accel_share_wish {
    size_t tile;         /* elements that a block of a GPU takes at a time: its share is a multiple */
    size_t cpu_blocks;   /* blocks per CPU: they are taken as CPUs get free */
    size_t least_blocks; /* at least 1 */
} accel_share_wish;

/* Blocks enough for the device, and shares that are whole tiles or long enough. */
accel_shares accel_shares_of(const accel_device_properties *, size_t n, const accel_share_wish *);

#endif

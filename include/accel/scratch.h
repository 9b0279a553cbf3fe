/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/scratch.h - memory of a launch's blocks and threads, whose size the host chooses; for hosts and kernels.
 *
 * A host fills block_bytes and thread_bytes, lets accel_scratch_prepare (accel/pattern.h) do the rest, and passes the view to
 * a kernel as a member of its arguments. There accel/kernel/scratch.h finds the memory. Level 0 is fast and small: the
 * dynamic shared memory of the block. Level 1 is memory of the device. This file stands alone, like accel/object.h.
 */
#ifndef ACCEL_SCRATCH_H
#define ACCEL_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

typedef struct accel_scratch_view {
    uint32_t struct_size;
    uint32_t reserved_32;     /* 0 */
    uint64_t block_bytes[2];  /* of each block, on both levels; then rounded up to multiples of 16 */
    uint64_t thread_bytes[2]; /* of each thread of a block, likewise */
    void *memory;             /* level 1 of all blocks; set by accel_scratch_prepare, as is the rest */
    uint64_t stride;          /* bytes of level 1 from block to block */
    uint64_t reserved[2];     /* 0 */
} accel_scratch_view;

#endif

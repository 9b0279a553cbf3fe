/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch memory of blocks and threads on both levels: all is written, and after a barrier looked at. */
#include <accel/kernel.h>
#include <accel/kernel/scratch.h>
#include "scratches.h"

/* This thread's share of the block's bytes, and its own. */
ACCEL_FN void write_bytes(uint8_t *block, uint8_t *own, const accel_scratch_view *scratch, int level, size_t b,
                          size_t t, size_t threads)
{
    for (size_t k = t; k < scratch->block_bytes[level]; k += threads)
        block[k] = SCRATCHES_BYTE(2 * b, level, k);
    for (size_t k = 0; k < scratch->thread_bytes[level]; k++)
        own[k] = SCRATCHES_BYTE(2 * (b * threads + t) + 1, level, k);
}

/* How many of all the block's bytes, and its own, are others. */
ACCEL_FN uint32_t count_wrong(const uint8_t *block, const uint8_t *own, const accel_scratch_view *scratch, int level,
                              size_t b, size_t t, size_t threads)
{
    uint32_t wrong = (uintptr_t)block % 16 != 0 || (uintptr_t)own % 16 != 0;
    for (size_t k = 0; k < scratch->block_bytes[level]; k++)
        wrong += block[k] != SCRATCHES_BYTE(2 * b, level, k);
    for (size_t k = 0; k < scratch->thread_bytes[level]; k++)
        wrong += own[k] != SCRATCHES_BYTE(2 * (b * threads + t) + 1, level, k);
    return wrong;
}

ACCEL_FN size_t volume(accel_index extent)
{
    return extent.x * extent.y * extent.z;
}
ACCEL_FN size_t place(accel_index at, accel_index extent)
{
    return (at.z * extent.y + at.y) * extent.x + at.x;
}

ACCEL_KERNEL(scratch_blocks, scratches_args, args)
{
    const size_t threads = volume(accel_block_extent(acc)), b = place(accel_block_index(acc), accel_grid_extent(acc));
    for (int level = 0; level < 2; level++) {
        uint8_t *block = (uint8_t *)accel_scratch_block(acc, args.scratch, level);
        ACCEL_THREADS(acc, t)
            write_bytes(block, (uint8_t *)accel_scratch_thread(acc, args.scratch, level, t), &args.scratch, level, b, t,
                        threads);
    }
    for (int level = 0; level < 2; level++) {
        const uint8_t *block = (const uint8_t *)accel_scratch_block(acc, args.scratch, level);
        ACCEL_THREADS(acc, t)
            args.wrong[b * threads + t] +=
                count_wrong(block, (const uint8_t *)accel_scratch_thread(acc, args.scratch, level, t), &args.scratch,
                            level, b, t, threads);
    }
}

ACCEL_THREAD_KERNEL(scratch_threads, scratches_args, args)
{
    const size_t threads = volume(accel_block_extent(acc)), b = place(accel_block_index(acc), accel_grid_extent(acc)),
                 t = place(accel_thread_index(acc), accel_block_extent(acc));
    for (int level = 0; level < 2; level++)
        write_bytes((uint8_t *)accel_scratch_block(acc, args.scratch, level),
                    (uint8_t *)accel_scratch_own(acc, args.scratch, level), &args.scratch, level, b, t, threads);
    accel_sync_block(acc);
    for (int level = 0; level < 2; level++)
        args.wrong[b * threads + t] += count_wrong((const uint8_t *)accel_scratch_block(acc, args.scratch, level),
                                                   (const uint8_t *)accel_scratch_own(acc, args.scratch, level),
                                                   &args.scratch, level, b, t, threads);
}

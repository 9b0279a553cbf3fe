/* SPDX-License-Identifier: Apache-2.0 */
/* A sum in one launch: the block that finishes last adds what the others left. One dimension. */
#include <accel/kernel.h>
#include "fences.h"

ACCEL_THREAD_KERNEL(last_block_sums, fences_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_SHARED(acc, double, block_sum[1]);
    const size_t t = accel_thread_index(acc).x;
    const uint32_t blocks = (uint32_t)accel_grid_extent(acc).x;
    if (t == 0)
        block_sum[0] = 0;
    accel_sync_block(acc);
    ACCEL_FOR_EACH(acc, i, args.n)
        (void)accel_atomic_add(acc, &block_sum[0], args.x[i]);
    accel_fence_block(acc);
    accel_sync_block(acc);
    if (t == 0) {
        (void)accel_atomic_exch(acc, &args.part[accel_block_index(acc).x], block_sum[0]);
        accel_fence_grid(acc);
        last[0] = accel_atomic_inc(acc, args.finished, blocks - 1) == blocks - 1;
        accel_fence_device(acc);
    }
    accel_sync_block(acc);
    if (last[0] && t == 0) {
        double s = 0;
        for (size_t b = 0; b < blocks; b++)
            s += accel_atomic_add(acc, &args.part[b], 0.0);
        args.sum[0] = s;
    }
}

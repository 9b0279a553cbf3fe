/* SPDX-License-Identifier: Apache-2.0 */
/* Inclusive sums within each block: y[t] = x[0] + ... + x[t] of the block's own entries. One dimension, any number
 * of blocks and threads. */
#include <accel/kernel.h>
#include "scan.h"

ACCEL_KERNEL(scan_block, scan_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[2][SCAN_MAX_THREADS]);
    const size_t threads = accel_block_extent(acc).x;
    const size_t first = accel_block_index(acc).x * threads;
    size_t from = 0;
    ACCEL_THREADS(acc, t)
        s[0][t] = args.x[first + t];
    for (size_t h = 1; h < threads; h *= 2) {
        ACCEL_THREADS(acc, t)
            s[1 - from][t] = s[from][t] + (t >= h ? s[from][t - h] : 0u);
        from = 1 - from;
    }
    ACCEL_THREADS_NOSYNC(acc, t)
        args.y[first + t] = s[from][t];
}

ACCEL_THREAD_KERNEL(scan_thread, scan_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[SCAN_MAX_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    const size_t i = accel_global_index(acc).x;
    s[t] = args.x[i];
    accel_sync_block(acc);
    for (size_t h = 1; h < accel_block_extent(acc).x; h *= 2) {
        const uint32_t left = t >= h ? s[t - h] : 0;
        accel_sync_block(acc);
        s[t] += left;
        accel_sync_block(acc);
    }
    args.y[i] = s[t];
}

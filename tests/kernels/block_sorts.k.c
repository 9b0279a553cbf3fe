/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of plain numbers by ACCEL_LESS and ACCEL_GREATER, in both forms of kernel. One dimension. */
#include <accel/kernel/collective.h>
#include "block_sorts.h"

#define FILL_TILES                                                                                                     \
    for (size_t i = t; i <= args.n; i += threads) {                                                                    \
        up[i] = i < args.n ? args.x[block * args.n + i] : BLOCK_SORTS_BEHIND;                                          \
        down[i] = i < args.n ? args.k[block * args.n + i] : BLOCK_SORTS_BEHIND;                                        \
    }
#define STORE_TILES                                                                                                    \
    for (size_t i = t; i <= args.n; i += threads) {                                                                    \
        args.up[block * (args.n + 1) + i] = up[i];                                                                     \
        args.down[block * (args.n + 1) + i] = down[i];                                                                 \
    }

ACCEL_KERNEL(block_sorts_block_form, block_sorts_args, args)
{
    ACCEL_SHARED(acc, double, up[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, double, up_spare[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, uint16_t, down[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, uint16_t, down_spare[BLOCK_SORTS_TILE]);
    const size_t block = accel_block_index(acc).x, threads = accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        FILL_TILES
    }
    accel_block_sort(acc, double, ACCEL_LESS, up, up_spare, args.n);
    accel_block_sort(acc, uint16_t, ACCEL_GREATER, down, down_spare, args.n);
    ACCEL_THREADS(acc, t) {
        STORE_TILES
    }
}

ACCEL_THREAD_KERNEL(block_sorts_thread_form, block_sorts_args, args)
{
    ACCEL_SHARED(acc, double, up[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, double, up_spare[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, uint16_t, down[BLOCK_SORTS_TILE]);
    ACCEL_SHARED(acc, uint16_t, down_spare[BLOCK_SORTS_TILE]);
    const size_t block = accel_block_index(acc).x, threads = accel_block_extent(acc).x, t = accel_thread_index(acc).x;
    FILL_TILES
    accel_sync_block_sort(acc, double, ACCEL_LESS, up, up_spare, args.n);
    accel_sync_block_sort(acc, uint16_t, ACCEL_GREATER, down, down_spare, args.n);
    STORE_TILES
}

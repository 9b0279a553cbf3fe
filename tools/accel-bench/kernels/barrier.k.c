/* SPDX-License-Identifier: Apache-2.0 */
/* Thread kernels that do little but synchronise. */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_THREAD_KERNEL_BLOCK(turn, barrier_args, args, BARRIER_THREADS)
{
    uint64_t passed = 0;
    for (size_t round = 0; round < args.rounds; ++round) {
        accel_sync_block(acc);
        ++passed;
    }
    args.counts[accel_thread_index(acc).x] = passed;
}

/* A barrier that lets a thread through early shows here: it would pass on a number of another round. */
ACCEL_THREAD_KERNEL_BLOCK(ring, barrier_args, args, BARRIER_THREADS)
{
    ACCEL_SHARED(acc, uint64_t, number[BARRIER_THREADS]);
    const size_t me = accel_thread_index(acc).x;
    number[me] = me;
    for (size_t round = 0; round < args.rounds; ++round) {
        accel_sync_block(acc);
        const uint64_t neighbour = number[(me + 1) % BARRIER_THREADS];
        accel_sync_block(acc);
        number[me] = neighbour;
    }
    args.counts[me] = number[me];
}

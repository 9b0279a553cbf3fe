/* SPDX-License-Identifier: Apache-2.0 */
/* What the grid runner must do right, in kernels. */
#include <accel/kernel.h>

#include "arguments.h"

ACCEL_GLOBAL(uint64_t, counter) = 5;

/* Every thread adds 1 to its own word. */
ACCEL_THREAD_KERNEL(each, words_args, args)
{
    const accel_index block = accel_block_index(acc), grid = accel_grid_extent(acc);
    const accel_index thread = accel_thread_index(acc), extent = accel_block_extent(acc);
    const size_t b = (block.z * grid.y + block.y) * grid.x + block.x;
    const size_t t = (thread.z * extent.y + thread.y) * extent.x + thread.x;
    args.words[b * extent.x * extent.y * extent.z + t] += 1;
}

ACCEL_THREAD_KERNEL_BLOCK(fixed, words_args, args, 4, 16)
{
    args.words[accel_thread_index(acc).y * accel_block_extent(acc).x + accel_thread_index(acc).x] += 1;
}

ACCEL_KERNEL(count, accel_no_args, args)
{
    ACCEL_ONCE(acc)
        counter += 1;
}

/* Four words per thread: ballots of both sides of a branch, behind it, and behind loops of different lengths. */
ACCEL_THREAD_KERNEL(divergence, words_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    uint64_t *words = args.words + 4 * t;
    const size_t lane = accel_warp_lane(acc);
    if (lane % 3 == 0)
        words[0] = accel_warp_ballot(acc, 1);
    else if (lane % 3 == 1)
        words[0] = accel_warp_ballot(acc, lane % 2);
    else
        words[0] = 0;
    words[1] = accel_warp_ballot(acc, 1);
    words[2] = 0;
    for (size_t k = 0; k < lane % 5; k++)
        words[2] += accel_warp_any(acc, k == 3) != 0;
    if (lane == 7)
        return;
    words[3] = accel_warp_ballot(acc, lane != 2);
}

/* From lanes that are there and that are not. */
ACCEL_THREAD_KERNEL(shuffles, words_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    const size_t lane = accel_warp_lane(acc);
    args.words[4 * t + 0] = accel_warp_shuffle(acc, (uint64_t)t << 33, (lane + 1) % accel_warp_size(acc));
    args.words[4 * t + 1] = accel_warp_up(acc, (uint32_t)t, 1);
    args.words[4 * t + 2] = accel_warp_down(acc, (uint32_t)t, 2);
    args.words[4 * t + 3] = lane % 2 == 0 ? accel_warp_shuffle(acc, (uint32_t)t, lane + 1) : 0;
}

/* Threads return one after the other; the others count themselves at each barrier, into words[round]. */
ACCEL_THREAD_KERNEL(leaving, words_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    for (size_t round = 0; round < args.n; round++) {
        const int alive = accel_sync_block_count(acc, 1);
        const int all = accel_sync_block_and(acc, t >= round);
        const int one = accel_sync_block_or(acc, t == round);
        if (t == round) {
            args.words[round] = (uint64_t)alive | (uint64_t)all << 32 | (uint64_t)one << 33;
            return;
        }
    }
}

/* Each thread's word from its neighbour, through shared memory; choice: without the barrier. */
ACCEL_THREAD_KERNEL(neighbour, words_args, args)
{
    ACCEL_SHARED(acc, uint64_t, values[1024]);
    const size_t t = accel_thread_index(acc).x, n = accel_block_extent(acc).x;
    values[t] = t;
    if (args.choice == 0)
        accel_sync_block(acc);
    args.words[accel_block_index(acc).x * n + t] = values[(t + 1) % n];
}

/* What shared memory holds when a block begins. */
ACCEL_KERNEL(fresh, words_args, args)
{
    ACCEL_SHARED(acc, uint64_t, still[1]);
    uint64_t *dynamic = (uint64_t *)accel_shared_dynamic(acc);
    ACCEL_ONCE(acc) {
        args.words[0] = still[0];
        args.words[1] = dynamic[0];
        still[0] = 1;
        dynamic[0] = 1;
    }
}

ACCEL_KERNEL(update, bulky_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        bulky *object = &args.objects[(base + t) % args.n];
        ACCEL_ATOMIC_UPDATE(acc, object) {
            object->sum += base + t;
            object->count += 1;
            for (int k = 0; k < 7; k++)
                object->more[k] = object->count * (uint64_t)(k + 1);
        }
    }
}

/* A lock that lanes of a warp wait for without letting each other go on. */
ACCEL_THREAD_KERNEL(spin, words_args, args)
{
    while (accel_atomic_cas(acc, &args.words[0], (uint64_t)0, (uint64_t)1) != 0)
        ;
    args.words[1] += 1;
    (void)accel_atomic_exch(acc, &args.words[0], (uint64_t)0);
}

/* One thread per warp takes that lock: other warps may wait for it. */
ACCEL_THREAD_KERNEL(spin_by_warp, words_args, args)
{
    if (accel_warp_lane(acc) != 0)
        return;
    while (accel_atomic_cas(acc, &args.words[0], (uint64_t)0, (uint64_t)1) != 0)
        ;
    accel_fence_device(acc);
    args.words[1] += 1;
    accel_fence_device(acc);
    (void)accel_atomic_exch(acc, &args.words[0], (uint64_t)0);
}

/* Every block waits for all others. */
ACCEL_THREAD_KERNEL(resident, words_args, args)
{
    (void)accel_atomic_add(acc, &args.words[0], (uint64_t)1);
    while (accel_atomic_add(acc, &args.words[0], (uint64_t)0) != args.n)
        ;
}

ACCEL_FN uint64_t deep(uint64_t n, volatile uint64_t *words)
{
    volatile uint64_t frame[64];
    frame[n % 64] = words[0];
    return n == 0 ? 0 : deep(n - 1, words) + frame[n % 64];
}

/* Thread 3 of block (2, 1) does it. */
ACCEL_THREAD_KERNEL(fault, words_args, args)
{
    const accel_index block = accel_block_index(acc);
    if (block.x != 2 || block.y != 1 || accel_thread_index(acc).x != 3)
        return;
    if (args.choice == FAULT_NULL)
        *(volatile uint64_t *)(uintptr_t)(args.n) = 1;
    else if (args.choice == FAULT_STACK)
        args.words[0] = deep(1000000, args.words);
    else if (args.choice == FAULT_DIVISION) {
        volatile uint64_t zero = 0;
        args.words[0] = (args.n + 7) / zero;
    } else if (args.choice == FAULT_SHARED)
        ((uint8_t *)accel_shared_dynamic(acc))[args.n] = 1;
}

/* A barrier that only half of a warp comes to, while the others wait for it in a warp operation's mask. */
ACCEL_THREAD_KERNEL(stuck, words_args, args)
{
#if defined(__CUDACC__)
    if (accel_thread_index(acc).x % 2 == 0)
        accel_sync_block(acc);
    else
        args.words[0] = __ballot_sync(0xffffffffu, 1);
#endif
}

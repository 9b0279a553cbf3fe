/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that pass data to later ones, with fences and atomics. */
#include "variation.h"

/* The last block adds what the others wrote: written, fence, counted; counted, fence, read. */
ACCEL_KERNEL(last_releases, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* other */
        FENCE(acc);
        last[0] = accel_atomic_add(acc, args.c, 1u) == accel_grid_extent(acc).x - 1;
        accel_fence_device(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks here */
    }
}

ACCEL_KERNEL(last_acquires, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* other */
        accel_fence_device(acc);
        last[0] = accel_atomic_add(acc, args.c, 1u) == accel_grid_extent(acc).x - 1;
        FENCE(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks here */
    }
}

ACCEL_KERNEL(last_counts, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* other */
        accel_fence_device(acc);
        last[0] = TAKE(acc, args.c) == accel_grid_extent(acc).x - 1; /* race-blocks here, other */
        accel_fence_device(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks here */
    }
}

/* All threads write; a barrier, and then the fence of one is for all. */
ACCEL_THREAD_KERNEL(last_of_threads, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    const size_t t = accel_thread_index(acc).x;
    args.y[accel_global_index(acc).x] = args.x[t]; /* other */
#if !defined(RACES_WRONG)
    accel_fence_device(acc);
#endif
    accel_sync_block(acc);
    if (t == 0)
        last[0] = accel_atomic_add(acc, args.c, 1u) == accel_grid_extent(acc).x - 1;
    accel_sync_block(acc);
    if (last[0] == 0)
        return;
    accel_fence_device(acc);
    args.d[t] = args.y[t]; /* race-blocks here */
}

/* Counted under a lock. */
ACCEL_KERNEL(last_updates, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* other */
        FENCE(acc);
        ACCEL_ATOMIC_UPDATE(acc, args.l) {
            args.l[0]++;
            last[0] = args.l[0] == accel_grid_extent(acc).x;
        }
        accel_fence_device(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks here */
    }
}

/* Which block is the last is not known from its number. */
ACCEL_KERNEL(last_by_number, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* race-blocks backwards */
        accel_fence_device(acc);
        uint32_t number = accel_atomic_add(acc, args.c, 1u);
        number = PICK(number, (uint32_t)accel_block_index(acc).x);
        last[0] = number == accel_grid_extent(acc).x - 1;
        accel_fence_device(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks backwards */
    }
}

/* Each block waits for what the one before it has found, as scans in one launch do. */
ACCEL_KERNEL(chain_releases, races_args, args) /* waits */
{
    ACCEL_ONCE(acc) {
        const size_t b = accel_block_index(acc).x;
        if (b > 0) {
            while (accel_atomic_add(acc, args.c + b - 1, 0u) == 0)
                ;
            accel_fence_device(acc);
        }
        args.d[b] = args.x[b] + (b > 0 ? args.d[b - 1] : 0); /* race-blocks here, other */
        FENCE(acc);
        accel_atomic_exch(acc, args.c + b, 1u);
    }
}

ACCEL_KERNEL(chain_acquires, races_args, args) /* waits */
{
    ACCEL_ONCE(acc) {
        const size_t b = accel_block_index(acc).x;
        if (b > 0)
            while (accel_atomic_add(acc, args.c + b - 1, 0u) == 0)
                ;
        FENCE(acc);
        args.d[b] = args.x[b] + (b > 0 ? args.d[b - 1] : 0); /* race-blocks here, other */
        accel_fence_device(acc);
        accel_atomic_exch(acc, args.c + b, 1u);
    }
}

/* A flag that is no atomic. */
ACCEL_KERNEL(chain_plain_flag, races_args, args) /* waits */
{
    ACCEL_ONCE(acc) {
        const size_t b = accel_block_index(acc).x;
        if (b > 0) {
            while (accel_atomic_add(acc, args.c + b - 1, 0u) == 0) /* mixed-atomic here */
                ;
            accel_fence_device(acc);
        }
        args.d[b] = args.x[b];
        accel_fence_device(acc);
#if defined(RACES_WRONG)
        args.c[b] = 1; /* other */
#else
        accel_atomic_exch(acc, args.c + b, 1u);
#endif
    }
}

/* A value and its state in one word need no fence; in two they do. */
ACCEL_KERNEL(state_and_value, races_args, args) /* waits */
{
    ACCEL_ONCE(acc) {
        const size_t b = accel_block_index(acc).x;
        uint64_t before = 0;
#if defined(RACES_WRONG)
        if (b > 0) {
            while (accel_atomic_add(acc, args.c + b - 1, 0u) == 0)
                ;
            before = args.l[b - 1]; /* race-blocks here */
        }
        args.l[b] = before + b; /* other */
        accel_atomic_exch(acc, args.c + b, 1u);
#else
        while (b > 0 && before % 2 == 0)
            before = accel_atomic_add(acc, args.l + b - 1, (uint64_t)0);
        accel_atomic_exch(acc, args.l + b, (before / 2 + b) * 2 + 1);
#endif
    }
}

/* A lock of blocks, made by hand. */
ACCEL_KERNEL(lock_of_blocks, races_args, args)
{
    ACCEL_ONCE(acc) {
#if !defined(RACES_WRONG)
        while (accel_atomic_cas(acc, args.c, 0u, 1u) != 0)
            ;
        accel_fence_device(acc);
#endif
        args.d[0] += args.x[accel_block_index(acc).x]; /* race-blocks here, other */
#if !defined(RACES_WRONG)
        accel_fence_device(acc);
        accel_atomic_exch(acc, args.c, 0u);
#endif
    }
}

/* The lock is given back before others can see what was written. */
ACCEL_KERNEL(lock_releases, races_args, args)
{
    ACCEL_ONCE(acc) {
        while (accel_atomic_cas(acc, args.c, 0u, 1u) != 0)
            ;
        accel_fence_device(acc);
        args.d[0] += args.x[accel_block_index(acc).x]; /* race-blocks here, other */
        FENCE(acc);
        accel_atomic_exch(acc, args.c, 0u);
    }
}

/* A fence for the block is none for others. */
ACCEL_KERNEL(fence_of_block, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1; /* other */
#if defined(RACES_WRONG)
        accel_fence_block(acc);
#else
        accel_fence_grid(acc);
#endif
        last[0] = accel_atomic_add(acc, args.c, 1u) == accel_grid_extent(acc).x - 1;
        accel_fence_grid(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0] != 0)
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                args.d[0] += args.y[b]; /* race-blocks here */
    }
}

/* Within a block: the thread that counts last reads what all have written. */
ACCEL_THREAD_KERNEL(last_thread, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    ACCEL_SHARED(acc, uint32_t, count[1]);
    const size_t t = accel_thread_index(acc).x;
    if (t == 0)
        count[0] = 0;
    accel_sync_block(acc);
    s[t] = args.x[accel_global_index(acc).x]; /* other */
#if !defined(RACES_WRONG)
    accel_fence_block(acc);
#endif
    if (accel_atomic_add(acc, count, 1u) == RACES_THREADS - 1) {
        float sum = 0;
        accel_fence_block(acc);
        for (size_t k = 0; k < RACES_THREADS; k++)
            sum += s[k]; /* race-threads here */
        args.y[accel_block_index(acc).x] = sum;
    }
}

/* A lock of threads, made by hand: one tries again until it has had its turn. */
ACCEL_THREAD_KERNEL_NOSYNC(lock_of_threads, races_args, args)
{
    for (int done = 0; !done;) {
        if (accel_atomic_cas(acc, args.c, 0u, 1u) == 0) {
            FENCE(acc);
            args.d[0] += 1; /* race-threads, race-blocks here, other */
            FENCE(acc);
            accel_atomic_exch(acc, args.c, 0u);
            done = 1;
        }
    }
}

/* What is done behind the lock is not done under it. */
ACCEL_KERNEL(lock_too_short, races_args, args)
{
    ACCEL_ONCE(acc) {
        while (accel_atomic_cas(acc, args.c, 0u, 1u) != 0)
            ;
        accel_fence_device(acc);
        args.d[0] += args.x[accel_block_index(acc).x];
#if defined(RACES_WRONG)
        accel_fence_device(acc);
        accel_atomic_exch(acc, args.c, 0u);
        args.d[1] += args.d[0]; /* race-blocks here, other */
#else
        args.d[1] += args.d[0];
        accel_fence_device(acc);
        accel_atomic_exch(acc, args.c, 0u);
#endif
    }
}

/* One thread has waited for the other block. The others of its block learn of that at a barrier. */
ACCEL_THREAD_KERNEL(flag_for_one, races_args, args) /* waits */
{
    const size_t t = accel_thread_index(acc).x, b = accel_block_index(acc).x;
    if (t == 0 && b > 0) {
        while (accel_atomic_add(acc, args.c + b - 1, 0u) == 0)
            ;
        accel_fence_device(acc);
    }
    SYNC(acc);
    const size_t i = accel_global_index(acc).x;
    const float before = b > 0 ? args.y[i - RACES_THREADS] : 0; /* race-blocks here */
    args.y[i] = before + 1;                                     /* other */
    accel_fence_device(acc);
    accel_sync_block(acc);
    if (t == 0)
        accel_atomic_exch(acc, args.c + b, 1u);
}

/* A lock of a block's threads: a fence before the lock is none behind the write. */
ACCEL_THREAD_KERNEL(lock_in_shared, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, lock[1]);
    ACCEL_SHARED(acc, float, sum[1]);
    const size_t t = accel_thread_index(acc).x;
    if (t == 0) {
        lock[0] = 0;
        sum[0] = 0;
    }
    accel_sync_block(acc);
    for (int done = 0; !done;) {
        if (accel_atomic_cas(acc, lock, 0u, 1u) == 0) {
            accel_fence_block(acc);
            sum[0] += args.x[t]; /* race-threads here, other */
            FENCE(acc);
            accel_atomic_exch(acc, lock, 0u);
            done = 1;
        }
    }
    accel_sync_block(acc);
    if (t == 0)
        args.y[accel_block_index(acc).x] = sum[0];
}

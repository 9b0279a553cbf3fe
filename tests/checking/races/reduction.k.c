/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, scans and histograms. */
#include "variation.h"

enum { BINS = 16 };

ACCEL_KERNEL(sum_grid, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ADD(acc, args.d, (double)args.x[i]); /* race-threads, race-blocks here, other */
    }
}

/* A tree of regions; in the wrong one, of steps of one region. */
ACCEL_KERNEL(tree_regions, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[PLACE(acc, t)];
    }
#if defined(RACES_WRONG)
    ACCEL_THREADS(acc, t) {
        for (size_t h = RACES_THREADS / 2; h > 0; h /= 2)
            if (t < h)
                s[t] += s[t + h]; /* race-threads here, other */
    }
#else
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h) {
            s[t] += s[t + h];
        }
#endif
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = s[0];
    }
}

ACCEL_THREAD_KERNEL(tree_steps, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[accel_global_index(acc).x];
    accel_sync_block(acc);
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h]; /* race-threads here, other */
        SYNC(acc);
    }
    if (t == 0)
        args.y[accel_block_index(acc).x] = s[0];
}

ACCEL_THREAD_KERNEL(tree_begin, races_args, args)
{
    ACCEL_SHARED(acc, double, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = 1;
    accel_sync_block(acc);
    s[t] = args.x[accel_global_index(acc).x]; /* race-threads here, other */
    SYNC(acc);
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h]; /* race-threads here, other */
        accel_sync_block(acc);
    }
    if (t == 0)
        args.d[accel_block_index(acc).x] = s[0];
}

/* The shared array is used for a second sum while some still read the first. */
ACCEL_THREAD_KERNEL(tree_again, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    float sums = 0;
    for (int round = 0; round < 2; round++) {
        s[t] = args.x[accel_global_index(acc).x]; /* race-threads here, other */
        accel_sync_block(acc);
        for (size_t h = RACES_THREADS / 2; h > 0; h /= 2) {
            if (t < h)
                s[t] += s[t + h];
            accel_sync_block(acc);
        }
        sums += s[0]; /* race-threads here, other */
        SYNC(acc);
    }
    args.y[accel_global_index(acc).x] = sums;
}

/* The last steps rely on threads of a warp that go in step. */
ACCEL_THREAD_KERNEL(tree_warp, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = (uint32_t)accel_global_index(acc).x;
    accel_sync_block(acc);
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h]; /* race-threads here, other */
        if (h >= PICK(1, 32))
            accel_sync_block(acc);
    }
    if (t == 0)
        args.c[accel_block_index(acc).x] = s[0]; /* the same thread wrote it */
}

ACCEL_THREAD_KERNEL(tree_interleaved, races_args, args)
{
    ACCEL_SHARED(acc, int32_t, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = (int32_t)t;
    accel_sync_block(acc);
    for (size_t h = 1; h < RACES_THREADS; h *= 2) {
        if (t % (2 * h) == 0)
            s[t] += s[t + h]; /* race-threads here, other */
        SYNC(acc);
    }
    if (t == 0)
        args.i[accel_block_index(acc).x] = s[0];
}

/* One thread too many takes part in a step. */
ACCEL_KERNEL(tree_overlap, races_args, args)
{
    ACCEL_SHARED(acc, float, s[2 * RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[PLACE(acc, t)];
        s[t + RACES_THREADS] = 0;
    }
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h + PICK(0, 1)) {
            s[t] += s[t + h]; /* race-threads here, other */
        }
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = s[0];
    }
}

/* A scan in which each step reads all before it writes. */
ACCEL_THREAD_KERNEL(scan_one_array, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[accel_global_index(acc).x];
    accel_sync_block(acc);
    for (size_t h = 1; h < RACES_THREADS; h *= 2) {
        const float before = t >= h ? s[t - h] : 0; /* race-threads here, other */
        SYNC(acc);
        s[t] += before; /* race-threads here, other */
        accel_sync_block(acc);
    }
    args.y[accel_global_index(acc).x] = s[t];
}

/* Two arrays take turns. */
ACCEL_KERNEL(scan_two_arrays, races_args, args)
{
    ACCEL_SHARED(acc, float, s[2][RACES_THREADS]);
    size_t from = 0;
    ACCEL_THREADS(acc, t) {
        s[0][t] = args.x[PLACE(acc, t)];
    }
    for (size_t h = 1; h < RACES_THREADS; h *= 2) {
        const size_t to = PICK(1 - from, from);
        ACCEL_THREADS(acc, t) {
            s[to][t] = s[from][t] + (t >= h ? s[from][t - h] : 0); /* race-threads here, other */
        }
        from = to;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[from][t];
    }
}

/* Up and down a tree in place. */
ACCEL_THREAD_KERNEL(scan_tree, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = 1;
    accel_sync_block(acc);
    for (size_t h = 1; h < RACES_THREADS; h *= 2) {
        if ((t + 1) % (2 * h) == 0)
            s[t] += s[t - h];
        accel_sync_block(acc);
    }
    for (size_t h = RACES_THREADS / 4; h > 0; h /= 2) {
        if ((t + 1) % (2 * h) == 0 && t + h < RACES_THREADS)
            s[t + h] += s[t]; /* race-threads here, other */
        SYNC(acc);
    }
    args.y[accel_global_index(acc).x] = (float)s[t]; /* race-threads here */
}

/* Sums of threads, added in shared memory. */
ACCEL_KERNEL(dot_private, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t] = 0;
    }
    ACCEL_FOR_EACH_THREAD(acc, t, i, 4 * args.n) {
        s[PICK(t, t / 2)] += args.x[i % args.n] * args.x[i % args.n]; /* race-threads here, other */
    }
    ACCEL_ONCE(acc) {
        for (size_t t = 1; t < RACES_THREADS; t++)
            s[0] += s[t];
        args.y[accel_block_index(acc).x] = s[0];
    }
}

/* One block adds what the others write in the same launch. */
ACCEL_KERNEL(partial_sums, races_args, args)
{
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = args.x[accel_block_index(acc).x]; /* other */
    }
    ACCEL_ONCE(acc) {
        if (accel_block_index(acc).x == accel_grid_extent(acc).x - 1) {
            float sum = 0;
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                sum += PICK(args.x, args.y)[b]; /* race-blocks here */
            args.d[0] = sum;
        }
    }
}

/* The greatest, by comparing and exchanging. */
ACCEL_THREAD_KERNEL_NOSYNC(greatest_exchanged, races_args, args)
{
    const uint32_t mine = (uint32_t)args.x[accel_global_index(acc).x];
#if defined(RACES_WRONG)
    if (args.c[0] < mine) /* race-threads, race-blocks here, other */
        args.c[0] = mine; /* race-threads, race-blocks here, other */
#else
    uint32_t seen = 0;
    while (seen < mine) {
        const uint32_t found = accel_atomic_cas(acc, args.c, seen, mine);
        if (found == seen)
            break;
        seen = found;
    }
#endif
}

/* The greatest and its place, pair by pair. */
typedef struct candidate {
    float value;
    uint32_t place;
} candidate;

ACCEL_KERNEL(greatest_place, races_args, args)
{
    ACCEL_SHARED(acc, candidate, s[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t].value = args.x[PLACE(acc, t)];
        s[t].place = (uint32_t)t;
    }
    for (size_t h = RACES_THREADS / 2; h > 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, PICK(h, 2 * h)) {
            const size_t other = t ^ h;
            if (s[t].value < s[other].value) /* race-threads here, other */
                s[t] = s[other];             /* race-threads here, other */
        }
    ACCEL_ONCE(acc) {
        args.c[accel_block_index(acc).x] = s[0].place;
    }
}

ACCEL_KERNEL(histogram_grid, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ADD(acc, args.c + args.permutation[i] % BINS, 1u); /* race-threads, race-blocks here, other */
    }
}

/* In shared memory: zeroed, counted, added to the grid's. */
ACCEL_THREAD_KERNEL(histogram_zero, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[BINS]);
    const size_t t = accel_thread_index(acc).x;
    if (t < BINS)
        h[t] = 0; /* mixed-atomic here, other */
    SYNC(acc);
    const size_t bin = args.permutation[accel_global_index(acc).x] % BINS;
    accel_atomic_add_block(acc, h + bin, 1u); /* mixed-atomic, unwritten here, other */
    accel_sync_block(acc);
    if (t < BINS)
        accel_atomic_add(acc, args.c + t, h[t]);
}

ACCEL_THREAD_KERNEL(histogram_merge, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[BINS]);
    const size_t t = accel_thread_index(acc).x;
    if (t < BINS)
        h[t] = 0;
    accel_sync_block(acc);
    const size_t bin = args.permutation[accel_global_index(acc).x] % BINS;
    accel_atomic_add_block(acc, h + bin, 1u); /* mixed-atomic here, other */
    SYNC(acc);
    if (t < BINS)
        accel_atomic_add(acc, args.c + t, h[t]); /* mixed-atomic here, other */
}

ACCEL_KERNEL(histogram_shared, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[BINS]);
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        h[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        ADD(acc, h + args.permutation[PLACE(acc, t)] % BINS, 1u); /* race-threads here, other */
    }
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        accel_atomic_add(acc, args.c + t, h[t]);
    }
}

ACCEL_KERNEL(histogram_added, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[BINS]);
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        h[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        accel_atomic_add_block(acc, h + args.permutation[PLACE(acc, t)] % BINS, 1u);
    }
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        ADD(acc, args.c + t, h[t]); /* race-blocks here, other */
    }
}

/* Each thread has counters of its own, so they need no atomics. */
ACCEL_KERNEL(histogram_private, races_args, args)
{
    ACCEL_SHARED(acc, uint8_t, h[RACES_THREADS][BINS]);
    ACCEL_THREADS(acc, t) {
        for (size_t k = 0; k < BINS; k++)
            h[t][k] = 0;
    }
    ACCEL_THREADS(acc, t) {
        uint8_t *mine = h[PICK(t, t % 32)];
        mine[args.permutation[PLACE(acc, t)] % 4]++; /* race-threads here, other */
    }
    ACCEL_THREADS_FIRST(acc, k, 4) {
        uint32_t sum = 0;
        for (size_t t = 0; t < RACES_THREADS; t++)
            sum += h[t][k];
        accel_atomic_add(acc, args.c + k, sum);
    }
}

/* One thread writes the mean of the block, all read it. */
ACCEL_THREAD_KERNEL(mean_spread, races_args, args)
{
    ACCEL_SHARED(acc, double, mean[1]);
    if (accel_thread_index(acc).x == 0) {
        double sum = 0;
        for (size_t k = 0; k < RACES_THREADS; k++)
            sum += args.x[k];
        mean[0] = sum / (double)RACES_THREADS; /* other */
    }
    SYNC(acc);
    args.d[accel_global_index(acc).x] = args.x[accel_global_index(acc).x] - mean[0]; /* race-threads here */
}

/* How many threads of the block have it. */
ACCEL_THREAD_KERNEL(count_block, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, count[1]);
    const size_t t = accel_thread_index(acc).x;
    const int has = args.permutation[accel_global_index(acc).x] % 2 == 0;
    if (t == 0)
        count[0] = 0;
#if defined(RACES_WRONG)
    accel_sync_block(acc);
    if (has)
        count[0]++; /* race-threads here, other */
    accel_sync_block(acc);
#else
    const int counted = accel_sync_block_count(acc, has);
    if (t == 0)
        count[0] = (uint32_t)counted;
#endif
    if (t == 0)
        args.c[accel_block_index(acc).x] = count[0];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory between barriers, and barriers that not all threads come to. */
#include "variation.h"

enum { SIDE = 8 };

ACCEL_KERNEL(stencil_regions, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    REGION(acc, t)
    {
        s[t] = args.x[PLACE(acc, t)]; /* other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t] + s[t == 0 ? 0 : t - 1]; /* race-threads here */
    }
}

ACCEL_THREAD_KERNEL(stencil_threads, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[accel_global_index(acc).x]; /* other */
    SYNC(acc);
    args.y[accel_global_index(acc).x] = s[t] + s[t == 0 ? 0 : t - 1]; /* race-threads here */
}

/* A tile that all load and all read, again and again. */
ACCEL_THREAD_KERNEL(tile_loaded, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    float sum = 0;
    s[t] = 0;
    accel_sync_block(acc);
    for (size_t tile = 0; tile < RACES_BLOCKS; tile++) {
        s[t] = args.x[tile * RACES_THREADS + t]; /* race-threads here, other */
        SYNC(acc);
        for (size_t k = 0; k < RACES_THREADS; k++)
            sum += s[k]; /* race-threads here, other */
        accel_sync_block(acc);
    }
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_THREAD_KERNEL(tile_reused, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    float sum = 0;
    for (size_t tile = 0; tile < RACES_BLOCKS; tile++) {
        s[t] = args.x[tile * RACES_THREADS + t]; /* race-threads here, other */
        accel_sync_block(acc);
        for (size_t k = 0; k < RACES_THREADS; k++)
            sum += s[k]; /* race-threads here, other */
        SYNC(acc);
    }
    args.y[accel_global_index(acc).x] = sum;
}

/* Two tiles take turns, so one barrier in a step is enough; of one tile it is not. */
ACCEL_THREAD_KERNEL(tile_turns, races_args, args)
{
    ACCEL_SHARED(acc, float, s[2][RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    float sum = 0;
    for (size_t tile = 0; tile < RACES_BLOCKS; tile++) {
        float *now = s[tile % PICK(2, 1)];
        now[t] = args.x[tile * RACES_THREADS + t]; /* race-threads here, other */
        accel_sync_block(acc);
        sum += now[RACES_THREADS - 1 - t]; /* race-threads here, other */
    }
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_KERNEL(transpose_tile, races_args, args)
{
    ACCEL_SHARED(acc, float, s[SIDE][SIDE + 1]);
    REGION(acc, t)
    {
        s[t / SIDE][t % SIDE] = args.x[PLACE(acc, t)]; /* other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t % SIDE][t / SIDE]; /* race-threads here */
    }
}

/* One thread writes, in a region of its own or not. */
ACCEL_KERNEL(once_spread, races_args, args)
{
    ACCEL_SHARED(acc, float, s[1]);
#if !defined(RACES_WRONG)
    ACCEL_ONCE(acc) {
        s[0] = args.x[accel_block_index(acc).x];
    }
#endif
    ACCEL_THREADS(acc, t) {
#if defined(RACES_WRONG)
        if (t == 0)
            s[0] = args.x[accel_block_index(acc).x]; /* other */
#endif
        args.y[PLACE(acc, t)] = s[0]; /* race-threads here */
    }
}

/* Regions without a barrier between them, of threads that stay with their own elements. */
ACCEL_KERNEL(own_elements, races_args, args)
{
    ACCEL_SHARED(acc, double, s[RACES_THREADS]);
    ACCEL_THREADS_NOSYNC(acc, t) {
        s[t] = args.x[t]; /* other */
    }
    ACCEL_THREADS_NOSYNC(acc, t) {
        s[t] += 1; /* other */
    }
    ACCEL_THREADS(acc, t) {
        args.d[PLACE(acc, t)] = s[PICK(t, t ^ 1)]; /* race-threads here */
    }
}

ACCEL_KERNEL(once_gathers, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[RACES_THREADS]);
    REGION(acc, t)
    {
        s[t] = args.permutation[t]; /* other */
    }
    ACCEL_ONCE(acc) {
        uint32_t sum = 0;
        for (size_t k = 0; k < RACES_THREADS; k++)
            sum += s[k]; /* race-threads here */
        args.c[accel_block_index(acc).x] = sum;
    }
}

/* Half of the threads prepare what the others use. */
ACCEL_KERNEL(first_half, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS / 2]);
#if defined(RACES_WRONG)
    ACCEL_THREADS(acc, t) {
        if (t < RACES_THREADS / 2)
            s[t] = args.x[t]; /* other */
        else
            args.y[PLACE(acc, t)] = s[t - RACES_THREADS / 2]; /* race-threads here */
    }
#else
    ACCEL_THREADS_FIRST(acc, t, RACES_THREADS / 2) {
        s[t] = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        if (t >= RACES_THREADS / 2)
            args.y[PLACE(acc, t)] = s[t - RACES_THREADS / 2];
    }
#endif
}

/* Two barriers in the branches of a condition, or one behind it. */
ACCEL_THREAD_KERNEL(branches, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    if (t % 2 == 0) {
        s[t] = 1;
#if defined(RACES_WRONG)
        accel_sync_block(acc); /* barrier here, other */
#endif
    } else {
        s[t] = 2;
#if defined(RACES_WRONG)
        accel_sync_block(acc); /* barrier here, other */
#endif
    }
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = s[t ^ 1];
}

/* Threads that have returned are not missed; those that skip a barrier, and go on, are. */
ACCEL_THREAD_KERNEL(skipped, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[t];
    if (t >= 48) {
#if defined(RACES_WRONG)
        accel_sync_block(acc); /* barrier here, other */
        args.y[accel_global_index(acc).x] = 1;
#endif
        return;
    }
    args.d[accel_global_index(acc).x] = s[t];
    accel_sync_block(acc); /* barrier here, other */
    args.y[accel_global_index(acc).x] = s[47 - t];
}

/* Some threads skip the barrier for good, and read what the others write before it. */
ACCEL_THREAD_KERNEL(skipped_reads, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[t]; /* other */
    if (PICK(1, t < 32))
        accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = s[t < 32 ? t : t - 32]; /* race-threads here */
}

/* Each thread makes as many steps as it has work; barriers need as many of all. */
ACCEL_THREAD_KERNEL(uneven_steps, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x, steps = PICK(4, 1 + t % 4);
    s[t] = 0;
    for (size_t k = 0; k < steps; k++) {
        s[t]++;                /* barrier, race-threads here, other */
        accel_sync_block(acc); /* barrier here, other */
    }
    args.d[accel_global_index(acc).x] = s[t];
    accel_sync_block(acc);                                               /* barrier here, other */
    args.y[accel_global_index(acc).x] = (float)s[RACES_THREADS - 1 - t]; /* barrier, race-threads here */
}

/* Two arrays in dynamic shared memory. */
ACCEL_KERNEL(dynamic_arrays, races_args, args)
{
    float *first = (float *)accel_shared_dynamic(acc), *second = first + PICK(RACES_THREADS, RACES_THREADS / 2);
    ACCEL_THREADS(acc, t) {
        first[t] = args.x[t];      /* race-threads here, other */
        second[t] = 2 * args.x[t]; /* race-threads here, other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = first[t] + second[RACES_THREADS - 1 - t];
    }
}

/* All pass their value to the next, several times. */
ACCEL_THREAD_KERNEL(ring, races_args, args)
{
    ACCEL_SHARED(acc, int32_t, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    int32_t mine = (int32_t)t;
    for (int k = 0; k < 3; k++) {
        s[t] = mine; /* race-threads here, other */
        accel_sync_block(acc);
        mine = s[(t + RACES_THREADS - 1) % RACES_THREADS]; /* race-threads here, other */
        SYNC(acc);
    }
    args.i[accel_global_index(acc).x] = mine;
}

/* The lower one of a pair exchanges both; or both of them do. */
ACCEL_KERNEL(sort_bitonic, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t] = -args.x[t];
    }
    for (size_t k = 2; k <= RACES_THREADS; k *= 2)
        for (size_t h = k / 2; h > 0; h /= 2)
            ACCEL_THREADS(acc, t) {
                const size_t other = t ^ h;
                if (PICK(other > t, other != t)) {
                    const float a = s[t], b = s[other]; /* race-threads here, other */
                    if ((a > b) == ((t & k) == 0)) {
                        s[t] = b;     /* race-threads here, other */
                        s[other] = a; /* race-threads here, other */
                    }
                }
            }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t];
    }
}

ACCEL_THREAD_KERNEL(sort_odd_even, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[RACES_THREADS - 1 - t];
    accel_sync_block(acc);
    for (size_t step = 0; step < 4; step++) {
        const size_t left = 2 * t + step % 2;
        if (left + 1 < RACES_THREADS && s[left] > s[left + 1]) { /* race-threads here, other */
            const float kept = s[left];                          /* race-threads here, other */
            s[left] = s[left + 1];                               /* race-threads here, other */
            s[left + 1] = kept;                                  /* race-threads here, other */
        }
        SYNC(acc);
    }
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = s[t];
}

/* Along the diagonals of a table, each of which needs the ones before. */
ACCEL_THREAD_KERNEL(wavefront, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, s[SIDE][SIDE]);
    const size_t t = accel_thread_index(acc).x;
    s[t / SIDE][t % SIDE] = 1;
    accel_sync_block(acc);
    for (size_t diagonal = 2; diagonal < 2 * SIDE - 1; diagonal++) {
        const size_t i = t + 1, j = diagonal - i;
        if (i < diagonal && i < SIDE && j < SIDE)
            s[i][j] = s[i - 1][j] + s[i][j - 1]; /* race-threads here, other */
        SYNC(acc);
    }
    accel_sync_block(acc);
    args.i[accel_global_index(acc).x] = (int32_t)s[t / SIDE][t % SIDE];
}

ACCEL_KERNEL(rows_region, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS + 1]);
    ACCEL_THREADS_2D(acc, ty, tx) {
        s[ty * accel_block_extent(acc).x + tx + 1] = args.x[tx];
    }
    ACCEL_THREADS_2D(acc, ty, tx) {
        const size_t at = ty * accel_block_extent(acc).x + tx;
        if (at > 0)
            PICK(args.y + 64 * accel_block_index(acc).x, s)
        [at + 1 - PICK(1, 0)] = s[at] + 1; /* race-threads here, other */
    }
}

/* A temporary that each thread should have for itself. */
ACCEL_KERNEL(temporary_shared, races_args, args)
{
    float *temporary = (float *)accel_shared_dynamic(acc);
    ACCEL_THREADS(acc, t) {
        float *mine = temporary + PICK(t, 0);
        *mine = args.x[t] + 1;             /* race-threads here, other */
        args.y[PLACE(acc, t)] = *mine * 2; /* race-threads here, other */
    }
}

ACCEL_KERNEL(temporary_block, races_args, args)
{
#if defined(RACES_WRONG)
    float temporary = 0;
    ACCEL_THREADS(acc, t) {
        temporary = args.x[t] + 1; /* block-variable here */
        args.y[PLACE(acc, t)] = temporary * 2;
    }
#else
    ACCEL_PRIVATE(acc, float, temporary);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(temporary, t) = args.x[t] + 1;
        args.y[PLACE(acc, t)] = ACCEL_MY(temporary, t) * 2;
    }
#endif
}

ACCEL_KERNEL(temporary_private, races_args, args)
{
    ACCEL_PRIVATE(acc, float, kept);
    REGION(acc, t)
    {
        ACCEL_MY(kept, t) = args.x[t]; /* other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(kept, PICK(t, t / 2)); /* race-threads here */
    }
}

/* Goes on until no thread changes anything: the flag is set anew between two barriers. */
ACCEL_THREAD_KERNEL(until_unchanged, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, changed[1]);
    const size_t t = accel_thread_index(acc).x;
    uint32_t rounds = 0, go = 1;
    while (go != 0 && rounds < 5) {
        if (t == 0)
            changed[0] = 0; /* race-threads here, other */
        accel_sync_block(acc);
        if (t > rounds * 20)
            accel_atomic_or(acc, changed, 1u);
        accel_sync_block(acc);
        go = changed[0]; /* race-threads here, other */
        SYNC(acc);
        rounds++;
    }
    args.i[accel_global_index(acc).x] = (int32_t)rounds;
}

ACCEL_KERNEL(outside_regions, races_args, args)
{
    ACCEL_SHARED(acc, float, s[1]);
#if defined(RACES_WRONG)
    s[0] = args.x[0]; /* outside-regions here, other */
#else
    ACCEL_ONCE(acc) {
        s[0] = args.x[0];
    }
#endif
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[0]; /* outside-regions, race-threads here */
    }
}

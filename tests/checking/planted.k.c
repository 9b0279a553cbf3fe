/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels with one error each, for cpu-check. A comment names the line that a report must name: "NAME: here" for the access
 * that is wrong, "NAME: other" for what it collides with.
 */
#include <accel/kernel.h>
#include <accel/kernel/collective.h>
#include <string.h>
#include "planted.h"

#define PLACE(acc, t) (accel_block_index(acc).x * accel_block_extent(acc).x + (t))

/* ---------------------------------------------------------------------------- races of a block's threads -- */

ACCEL_KERNEL(race_region, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[t];                              /* race_region: other */
        args.y[PLACE(acc, t)] = s[t == 0 ? 0 : t - 1]; /* race_region: here */
    }
}

ACCEL_KERNEL(race_nosync, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    ACCEL_THREADS_NOSYNC(acc, t) {
        s[t] = args.x[t]; /* race_nosync: other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t ^ 1]; /* race_nosync: here */
    }
}

ACCEL_THREAD_KERNEL(race_no_barrier, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = 0;
    accel_sync_block(acc);
    s[t] = args.x[t];                                                         /* race_no_barrier: here */
    args.y[accel_global_index(acc).x] = s[accel_block_extent(acc).x - 1 - t]; /* race_no_barrier: other */
}

ACCEL_THREAD_KERNEL(race_loop, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    const size_t t = accel_thread_index(acc).x, m = accel_block_extent(acc).x;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        s[t] = args.x[t] + (float)k; /* race_loop: here */
        accel_sync_block(acc);
        sum += s[(t + 1) % m]; /* race_loop: other */
    }
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_KERNEL(race_invariant, planted_args, args)
{
    ACCEL_ONCE(acc) {
        args.c[accel_block_index(acc).x] = 0;
    }
    ACCEL_THREADS(acc, t) {
        args.y[accel_block_index(acc).x] = args.x[t]; /* race_invariant: here */
    }
}

ACCEL_KERNEL(race_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 2) {
        args.x[2 * i] = args.x[(2 * i + 2) % args.n]; /* race_elements: here */
    }
}

/* An access of 8 bytes is one access. */
ACCEL_KERNEL(race_doubles, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 32)
        ((double *)args.y)[0] = (double)i; /* race_doubles: here */
}

ACCEL_KERNEL(race_bytes, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        planted_ten *y = (planted_ten *)args.y + accel_block_index(acc).x;
        *y = *(planted_ten *)args.x; /* race_bytes: here */
    }
}

/* The builtins, which compilers expand. */
ACCEL_KERNEL(race_builtin, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        planted_ten ten;
        __builtin_memcpy(&ten, args.x, sizeof ten);
        ten.v[0] += (float)t;
        __builtin_memcpy(args.y + 10 * accel_block_index(acc).x, &ten, sizeof ten); /* race_builtin: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(outside_builtin, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i % 10 == 0)
        __builtin_memset(args.y + i, 0, 40); /* outside_builtin: here */
}

ACCEL_KERNEL(race_private, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, s);
    ACCEL_THREADS_NOSYNC(acc, t) {
        ACCEL_MY(s, t) = args.x[t]; /* race_private: other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(s, t / 2); /* race_private: here */
    }
}

/* ----------------------------------------------------------------------------------------- races of blocks -- */

ACCEL_KERNEL(blocks_sum, planted_args, args)
{
    ACCEL_ONCE(acc) {
        args.y[0] += (float)accel_block_index(acc).x; /* blocks_sum: here */
    }
}

ACCEL_KERNEL(blocks_neighbour, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t);
        args.y[i] = 1;                            /* blocks_neighbour: other */
        args.x[i] = i >= 64 ? args.y[i - 64] : 0; /* blocks_neighbour: here */
    }
}

ACCEL_KERNEL(blocks_atomic, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        accel_atomic_add_block(acc, args.c, (uint32_t)t); /* blocks_atomic: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(blocks_threads, planted_args, args)
{
    args.y[accel_thread_index(acc).x] = args.x[accel_global_index(acc).x]; /* blocks_threads: here */
}

/* -------------------------------------------------------------------------------- atomic and plain accesses -- */

ACCEL_KERNEL(mixed_store, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        if (t == 7)
            args.c[accel_block_index(acc).x] = 3; /* mixed_store: here */
        else
            accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u); /* mixed_store: other */
    }
}

ACCEL_KERNEL(mixed_lock, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        planted_ten *p = (planted_ten *)args.y + accel_block_index(acc).x;
        if (t == 5) {
            p->v[3] = 1; /* mixed_lock: here */
        } else {
            ACCEL_ATOMIC_UPDATE(acc, p) {
                p->v[3] += 1; /* mixed_lock: other */
            }
        }
    }
}

/* --------------------------------------------------------------------------------------- outside of memory -- */

ACCEL_KERNEL(outside_behind, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i + 1]; /* outside_behind: here */
    }
}

ACCEL_KERNEL(outside_before, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i - 5] = args.x[i]; /* outside_before: here */
    }
}

/* Buffers lie so far apart that these are in none. */
ACCEL_KERNEL(outside_row, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i % 64 * args.n * 128]; /* outside_row: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(outside_far_before, planted_args, args)
{
    args.y[accel_global_index(acc).x] = 0;
    args.x[accel_global_index(acc).x - (1 << 20)] = 1; /* outside_far_before: here */
}

ACCEL_KERNEL(outside_shared, planted_args, args)
{
    ACCEL_SHARED(acc, float, first[32]);
    ACCEL_SHARED(acc, float, second[32]);
    ACCEL_THREADS_FIRST(acc, t, 32) {
        first[t] = args.x[t];
        second[t] = args.x[t];
    }
    ACCEL_THREADS_FIRST(acc, t, 32) {
        args.y[PLACE(acc, t)] = first[t + 2] + second[t]; /* outside_shared: here */
    }
}

ACCEL_KERNEL(outside_dynamic, planted_args, args)
{
    float *s = (float *)accel_shared_dynamic(acc);
    ACCEL_THREADS(acc, t) {
        s[t + 1] = args.x[t]; /* outside_dynamic: here */
    }
}

ACCEL_KERNEL(outside_private, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, s);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(s, t) = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(s, t + 1); /* outside_private: here */
    }
}

ACCEL_KERNEL(outside_everything, planted_args, args)
{
    ACCEL_ONCE(acc) {
        *(float *)(uintptr_t)4096 = args.x[0]; /* outside_everything: here */
    }
}

/* NULL: args.n is 256. */
ACCEL_KERNEL(outside_null, planted_args, args)
{
    ACCEL_ONCE(acc) {
        *(float *)(uintptr_t)(args.n - 256) = args.x[0]; /* outside_null: here */
    }
}

ACCEL_THREAD_KERNEL(outside_unset, planted_args, args)
{
    const float *unset = (const float *)(uintptr_t)(args.n - 256);
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = unset[2]; /* outside_unset: here */
}

/* A buffer's address with bits above those that an address may have. */
#define IMPOSSIBLE(p) ((uintptr_t)(p) ^ 0xabcd000000000000u)

ACCEL_KERNEL(outside_read_impossible, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = ((const float *)IMPOSSIBLE(args.x))[i]; /* outside_read_impossible: here */
    }
}

ACCEL_THREAD_KERNEL(outside_write_impossible, planted_args, args)
{
    accel_sync_block(acc);
    ((double *)IMPOSSIBLE(args.y))[accel_thread_index(acc).x] = 1; /* outside_write_impossible: here */
}

ACCEL_KERNEL(outside_add_impossible, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        accel_atomic_add(acc, (int *)IMPOSSIBLE(args.y) + t, 1); /* outside_add_impossible: here */
    }
}

ACCEL_KERNEL(outside_locked, planted_args, args)
{
    ACCEL_ONCE(acc) {
        const planted_ten *one_lock = (const planted_ten *)(uintptr_t)128; /* of every launch */
        ACCEL_ATOMIC_UPDATE(acc, one_lock) {
            args.y[0] = *(float *)(uintptr_t)4096; /* outside_locked: here */
        }
    }
}

ACCEL_THREAD_KERNEL(outside_fiber, planted_args, args)
{
    accel_sync_block(acc);
    ((float *)(uintptr_t)8192)[accel_thread_index(acc).x] = args.x[0]; /* outside_fiber: here */
    accel_sync_block(acc);
}

/* 8 MiB below: between the stacks of two threads. */
ACCEL_THREAD_KERNEL(outside_stack, planted_args, args)
{
    volatile float own = 1;
    const uintptr_t far = (uintptr_t)&own - (args.n << 15);
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = *(const volatile float *)far + own; /* outside_stack: here */
}

/* -------------------------------------------------------------------------------------------- after release -- */

ACCEL_KERNEL(released_read, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i]; /* released_read: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(released_write, planted_args, args)
{
    args.x[accel_global_index(acc).x] = 1; /* released_write: here */
}

/* --------------------------------------------------------------------------------- accesses of several words -- */

ACCEL_KERNEL(wide_released, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, 8) {
        ((double *)(void *)args.x)[i] = 1; /* wide_released: here */
    }
}

ACCEL_KERNEL(wide_unwritten, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, 8) {
        ((double *)(void *)args.y)[i] += 1; /* wide_unwritten: here */
    }
}

ACCEL_KERNEL(wide_uniform, planted_args, args)
{
    ((double *)(void *)args.y)[accel_block_index(acc).x] = 1; /* wide_uniform: here */
}

/* ------------------------------------------------------------------------------------------------- misaligned -- */

ACCEL_KERNEL(misaligned_double, planted_args, args)
{
    double *d = (double *)(void *)(args.y + 1);
    ACCEL_FOR_EACH(acc, i, args.n / 2 - 1) {
        d[i] = args.x[i]; /* misaligned_double: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(misaligned_short, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    args.y[i] = *(const uint16_t *)(const void *)((const char *)args.x + 2 * i + 1); /* misaligned_short: here */
}

ACCEL_KERNEL(misaligned_atomic, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        accel_atomic_add(acc, (uint32_t *)(void *)((char *)args.c + 6), 1u); /* misaligned_atomic: here */
    }
}

#if defined(ACCEL_TARGET_CHECK)
typedef float planted_four __attribute__((vector_size(16), may_alias));
#else /* GPUs have no such types, and refuse writes of constants when they compile */
typedef struct planted_four {
    float a, b, c, d;
} planted_four;
#endif

ACCEL_KERNEL(misaligned_vector, planted_args, args)
{
    ACCEL_ONCE(acc) {
        const planted_four four = {1, 2, 3, (float)args.n};
        planted_four *v = (planted_four *)(void *)(args.y + 1);
        v[accel_block_index(acc).x] = four; /* misaligned_vector: here */
    }
}

/* -------------------------------------------------------------------------------------------------- constants -- */

ACCEL_CONSTANT(float, planted_weights[4]) = {1, 2, 3, 4};

ACCEL_KERNEL(constant_weights, planted_args, args)
{
    ACCEL_ONCE(acc) {
#if defined(ACCEL_TARGET_CHECK)
        planted_weights[2] = args.x[0]; /* constant_weights: here */
#else
        args.y[0] = planted_weights[2];
#endif
    }
}

ACCEL_KERNEL(constant_table, planted_args, args)
{
    static const float values[4] = {1, 2, 3, 4};
    ACCEL_ONCE(acc) {
        float *volatile table = (float *)(uintptr_t)values;
        table[1] = args.x[0]; /* constant_table: here */
    }
}

/* --------------------------------------------------------------------------------------------- never written -- */

ACCEL_KERNEL(unwritten_buffer, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] += args.x[i]; /* unwritten_buffer: here */
    }
}

ACCEL_KERNEL(unwritten_shared, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    ACCEL_THREADS(acc, t) {
        if (t != 0)
            s[t] = 1;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t]; /* unwritten_shared: here */
    }
}

/* What another block has written is none of this one's. */
ACCEL_KERNEL(unwritten_block, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    ACCEL_THREADS(acc, t) {
        if (accel_block_index(acc).x == 0)
            s[t] = 1;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t]; /* unwritten_block: here */
    }
}

/* Each turn has values of its own. */
ACCEL_KERNEL(unwritten_turn, planted_args, args)
{
    for (size_t turn = 0; turn < 100; ++turn) {
        ACCEL_PRIVATE(acc, float, s);
        ACCEL_THREADS(acc, t) {
            if (turn < 80)
                ACCEL_MY(s, t) = 1;
        }
        ACCEL_THREADS(acc, t) {
            args.y[PLACE(acc, t)] = ACCEL_MY(s, t); /* unwritten_turn: here */
        }
    }
}

ACCEL_KERNEL(unwritten_private, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, s);
    ACCEL_THREADS(acc, t) {
        if (t % 2 == 0)
            ACCEL_MY(s, t) = 1;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(s, t); /* unwritten_private: here */
    }
}

ACCEL_KERNEL(unwritten_member, planted_args, args)
{
    ACCEL_SHARED(acc, planted_pair, s[256]);
    ACCEL_SHARED(acc, planted_pair, copies[256]);
    ACCEL_THREADS(acc, t) {
        s[t].first = 1;
    }
    ACCEL_THREADS(acc, t) {
        copies[t] = s[t]; /* unwritten_member: here */
        args.y[PLACE(acc, t)] = (float)copies[t].first;
    }
}

/* ---------------------------------------------------------------------------------------- divergent barriers -- */

ACCEL_THREAD_KERNEL(barrier_branches, planted_args, args)
{
    if (accel_thread_index(acc).x < 32) {
        args.y[accel_global_index(acc).x] = 1;
        accel_sync_block(acc); /* barrier_branches: other */
    } else {
        args.y[accel_global_index(acc).x] = 2;
        accel_sync_block(acc); /* barrier_branches: here */
    }
}

ACCEL_THREAD_KERNEL(barrier_skipped, planted_args, args)
{
    args.y[accel_global_index(acc).x] = 1;
    if (accel_thread_index(acc).x != 63)
        accel_sync_block(acc); /* barrier_skipped: other */
    args.y[accel_global_index(acc).x] = 2;
    accel_sync_block(acc); /* barrier_skipped: here */
}

/* ------------------------------------------------------------------------------------------ barriers in regions -- */

#if defined(ACCEL_TARGET_CHECK) /* elsewhere compilers say that one region hides the other */
ACCEL_KERNEL(region_nested, planted_args, args)
{
    ACCEL_THREADS(acc, t) {     /* region_nested: other */
        ACCEL_THREADS(acc, u) { /* region_nested: here */
            if (u == t)
                args.y[PLACE(acc, u)] = args.x[t];
        }
    }
}
#endif

ACCEL_KERNEL(region_collective, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, v);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(v, t) = args.x[t];
    }
    ACCEL_THREADS_FIRST(acc, t, 32) {                                         /* region_collective: other */
        args.y[PLACE(acc, t)] = accel_block_reduce(acc, float, ACCEL_SUM, v); /* region_collective: here */
    }
}

ACCEL_KERNEL(region_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        ACCEL_ONCE(acc) { /* region_elements: here */
            args.y[i] = args.x[i];
        }
    }
}

ACCEL_KERNEL(region_loop, planted_args, args)
{
    ACCEL_THREADS(acc, t) {              /* region_loop: other */
        ACCEL_FOR_EACH(acc, i, args.n) { /* region_loop: here */
            args.y[i] = args.x[t];
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- warps -- */

ACCEL_THREAD_KERNEL(warp_branches, planted_args, args)
{
    if (accel_warp_lane(acc) < 16)
        args.y[accel_global_index(acc).x] = (float)accel_warp_any_full(acc, args.n == 1); /* warp_branches: here */
    accel_sync_block(acc);                                                                /* warp_branches: other */
}

ACCEL_THREAD_KERNEL(warp_returned, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i % 32 >= 20)
        return;
    args.y[i] = accel_warp_down_masked(acc, 0xffffffffu, args.x[i], 8); /* warp_returned: here */
}

ACCEL_THREAD_KERNEL(warp_lines, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (accel_warp_lane(acc) < 8)
        args.y[i] = accel_warp_up_full(acc, args.x[i], 1); /* warp_lines: here */
    else
        args.y[i] = accel_warp_up_full(acc, args.x[i], 2); /* warp_lines: other */
}

ACCEL_THREAD_KERNEL(warp_source, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i % 32 == 5)
        return;
    args.y[i] = accel_warp_xor_full(acc, args.x[i], 1); /* warp_source: here */
}

/* Lanes that come together read others, which do not. */
ACCEL_THREAD_KERNEL(warp_up_any, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i % 2 == 0)
        args.y[i] = accel_warp_up(acc, args.x[i], 1); /* warp_up_any: here */
}

ACCEL_THREAD_KERNEL(warp_xor_any, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (accel_warp_lane(acc) < 20)
        args.y[i] = accel_warp_xor(acc, args.x[i], 16); /* warp_xor_any: here */
}

ACCEL_THREAD_KERNEL(warp_mask, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    args.y[i] = (float)accel_warp_all_masked(acc, 0xff, i % 2 == 0); /* warp_mask: here */
}

/* In block kernels the lanes that a region leaves out, and those that are done, wait at its end. */
ACCEL_KERNEL(warp_first, planted_args, args)
{
    ACCEL_THREADS_FIRST(acc, t, 16) {                                       /* warp_first: other */
        args.y[PLACE(acc, t)] = accel_warp_shuffle_full(acc, args.x[t], 0); /* warp_first: here */
    }
}

ACCEL_KERNEL(warp_region, planted_args, args)
{
    ACCEL_SHARED(acc, uint32_t, votes[64]);
    ACCEL_THREADS_2D(acc, ty, tx) { /* warp_region: other */
        votes[tx + ty] = 0;
        if (accel_warp_lane(acc) % 2 == 1)
            votes[tx + ty] = (uint32_t)accel_warp_ballot_full(acc, 1); /* warp_region: here */
    }
    ACCEL_THREADS(acc, t)
        args.y[PLACE(acc, t)] = (float)votes[t];
}

ACCEL_KERNEL(warp_tiles, planted_args, args)
{
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
        if (accel_warp_lane(acc) >= 3)
            args.y[i] = accel_warp_down(acc, args.x[i] + (float)t, 30); /* right: the warp has no such lane */
        else
            args.y[i] = accel_warp_down(acc, args.x[i] + (float)t, 2); /* warp_tiles: here */
    }
}

ACCEL_KERNEL(warp_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = accel_warp_shuffle_full(acc, args.x[i], 0); /* warp_elements: here */
    }
}

ACCEL_KERNEL(warp_outside, planted_args, args)
{
    const uint64_t votes = accel_warp_ballot(acc, 1); /* warp_outside: here */
    ACCEL_THREADS(acc, t)
        args.y[PLACE(acc, t)] = (float)votes;
}

ACCEL_THREAD_KERNEL_NOSYNC(warp_nosync, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (accel_warp_lane(acc) >= 7)
        args.y[i] = accel_warp_shuffle_masked(acc, 0xffffffffu, args.x[i], 8); /* warp_nosync: here */
}

/* ------------------------------------------------------------------------------------------- outside regions -- */

ACCEL_KERNEL(uniform_write, planted_args, args)
{
    args.c[accel_block_index(acc).x] = 1; /* uniform_write: here */
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = args.x[t];
    }
}

ACCEL_KERNEL(uniform_shared, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[4]);
    s[0] = args.x[0]; /* uniform_shared: here */
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[0];
    }
}

ACCEL_KERNEL(uniform_atomic, planted_args, args)
{
    accel_atomic_add(acc, args.c, 1u); /* uniform_atomic: here */
}

/* ----------------------------------------------------------------------------------- variables of the block -- */

ACCEL_FN void planted_add(float *to, float value)
{
    *to += value; /* variable_pointer: here */
}

ACCEL_KERNEL(variable_sum, planted_args, args)
{
    float sum = 0;
    ACCEL_THREADS(acc, t) {
        sum += args.x[t]; /* variable_sum: here */
    }
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = sum;
    }
}

ACCEL_KERNEL(variable_pointer, planted_args, args)
{
    float sum = 0;
    ACCEL_THREADS_FIRST(acc, t, 32) {
        planted_add(&sum, args.x[t]);
    }
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = sum;
    }
}

ACCEL_KERNEL(variable_array, planted_args, args)
{
    float rows[4] = {0};
    ACCEL_THREADS_2D(acc, ty, tx) {
        rows[tx % 4] = args.x[tx + ty]; /* variable_array: here */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = rows[t % 4];
    }
}

ACCEL_KERNEL(variable_struct, planted_args, args)
{
    planted_ten ten = {{0}};
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
        ten.v[3] = args.x[i]; /* variable_struct: here */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ten.v[3];
    }
}

ACCEL_KERNEL(variable_once, planted_args, args)
{
    uint32_t first = 0;
    ACCEL_ONCE(acc) {
        first = args.c[0] + 1; /* variable_once: here */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = (float)first;
    }
}

/* A region in a function, which is given a variable of the block. */
ACCEL_FN void planted_phase(const accel_block_handle acc, const float *x, float *last)
{
    ACCEL_THREADS(acc, t) {
        *last = x[t]; /* variable_function: here */
    }
}

ACCEL_KERNEL(variable_function, planted_args, args)
{
    float last = 0;
    planted_phase(acc, args.x, &last);
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = last;
    }
}

/* ------------------------------------------------------------------------------------------------ arithmetic -- */

ACCEL_KERNEL(division_integer, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        args.c[t] = 64 / args.c[t]; /* division_integer: here */
    }
}

ACCEL_THREAD_KERNEL(division_fiber, planted_args, args)
{
    accel_sync_block(acc);
    args.c[accel_thread_index(acc).x] %= args.c[63]; /* division_fiber: here */
    accel_sync_block(acc);
}

ACCEL_KERNEL(division_float, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = 1 / args.x[i]; /* division_float: here */
    }
}

ACCEL_KERNEL(overflow_add, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const int k = (int)args.x[i] + 0x7fffffff;
        args.y[i] = (float)(k + (int)i); /* overflow_add: here */
    }
}

ACCEL_KERNEL(overflow_multiply, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        const int k = (int)t << 16;
        args.y[PLACE(acc, t)] = (float)(k * k); /* overflow_multiply: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(conversion_unsigned, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    args.y[i] = (float)(uint32_t)(args.x[i] - (float)i); /* conversion_unsigned: here */
}

ACCEL_KERNEL(conversion_large, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = (float)(int)(args.x[t] + 1e10f * (float)t); /* conversion_large: here */
    }
}

/* x is 0, and its square 1e60 times as large is no float. */
ACCEL_FN float planted_infinity(float x)
{
    return (x + 1e30f) * (x + 1e30f);
}

ACCEL_KERNEL(nan_difference, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const float a = planted_infinity(args.x[i]);
        args.y[i] = a - (a + 1); /* nan_difference: here */
    }
}

ACCEL_KERNEL(nan_product, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        const float zero = args.x[t];
        if (t == 9)
            args.y[PLACE(acc, t)] = zero * planted_infinity(zero); /* nan_product: here */
    }
}

/* The line is that of the first access behind the root. */
ACCEL_THREAD_KERNEL(nan_root, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    accel_sync_block(acc);
    const double root = sqrt((double)args.x[i] - 1);
    accel_atomic_add(acc, &args.c[i % 64], root > 1); /* nan_root: here */
    accel_sync_block(acc);
    args.y[i] = (float)root;
}

/* ----------------------------------------------------------------------------------------------------- stacks -- */

#if defined(ACCEL_TARGET_CHECK)
enum { FRAME = 1 << 19 };
#else
enum { FRAME = 4 }; /* GPUs have less, and say so when they compile */
#endif

ACCEL_THREAD_KERNEL(stack_array, planted_args, args) /* stack_array: here */
{
    volatile float large[FRAME];
    accel_sync_block(acc);
    for (size_t k = 0; k < FRAME; k += FRAME / 4)
        large[k] = args.x[k % args.n];
    args.y[accel_global_index(acc).x] = large[args.n % FRAME];
}

/* With warps a region's threads have stacks of their own. */
ACCEL_KERNEL(stack_region, planted_args, args)
{
    ACCEL_THREADS(acc, t) { /* stack_region: here */
        volatile float large[FRAME];
        for (size_t k = 0; k < FRAME; k += FRAME / 4)
            large[k] = args.x[k % args.n];
        args.y[PLACE(acc, t)] = large[args.n % FRAME];
    }
}

#if defined(ACCEL_TARGET_CHECK)
/* Compilers differ in where a frame is touched first. */
static __attribute__((noinline)) float planted_depth(const float *x, size_t n)
{ /* stack_depth: here */
    volatile float kept[200];
    for (size_t k = 0; k < 200; k++)
        kept[k] = x[k % n];
    return n == 0 ? 0 : kept[n % 200] + planted_depth(x, n - (x[0] < 1)) + 1; /* stack_depth: end */
}

ACCEL_THREAD_KERNEL(stack_depth, planted_args, args)
{
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = planted_depth(args.x, args.n);
}
#endif

/* ------------------------------------------------------------------------------------------------ without end -- */

ACCEL_KERNEL(endless_loop, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        size_t i = t;
        while (args.x[i % args.n] == 0) /* endless_loop: here */
            i += 3;
        args.y[t] = (float)i;
    }
}

/* Block 0 waits for a block that has not begun. */
ACCEL_KERNEL(endless_blocks, planted_args, args)
{
    ACCEL_ONCE(acc) {
        if (accel_block_index(acc).x == 0)
            while (accel_atomic_add(acc, &args.c[0], 0) == 0) /* endless_blocks: here */
                ;
        else
            accel_atomic_add(acc, &args.c[0], 1);
    }
}

ACCEL_THREAD_KERNEL(endless_barrier, planted_args, args)
{
    while (args.n != 0)
        accel_sync_block(acc); /* endless_barrier: here */
    args.y[accel_thread_index(acc).x] = 1;
}

/* ------------------------------------------------------------------------------------------------------ limits -- */

#if defined(ACCEL_KERNEL_CPU_H)
enum { LARGE = 13000 };
#else
enum { LARGE = 1 }; /* ptxas refuses more than 48 KiB */
#endif

ACCEL_KERNEL(limits_static, planted_args, args) /* limits_static: here */
{
    ACCEL_SHARED(acc, float, large[LARGE]);
    ACCEL_THREADS(acc, t)
        large[t] = args.x[t];
    ACCEL_THREADS(acc, t)
        args.y[PLACE(acc, t)] = large[t];
}

ACCEL_KERNEL(limits_dynamic, planted_args, args) /* limits_dynamic: here */
{
    float *values = (float *)accel_shared_dynamic(acc);
    ACCEL_THREADS(acc, t)
        values[t] = args.x[t];
}

/* Of their registers the object for a GPU tells: cubin.py. */
ACCEL_KERNEL(limits_registers, planted_args, args) /* limits_registers: here */
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = args.x[i];
}

ACCEL_THREAD_KERNEL(limits_threads, planted_args, args) /* limits_threads: here */
{
    const size_t i = accel_global_index(acc).x;
    accel_sync_block(acc);
    if (i < args.n)
        args.y[i] = args.x[i];
}

ACCEL_KERNEL(limits_grid, planted_args, args) /* limits_grid: here */
{
    ACCEL_THREADS(acc, t) {
        if (accel_block_index(acc).y == 0)
            args.y[t] = 1;
    }
}

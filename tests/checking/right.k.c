/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels without an error, near to those of planted.k.c: cpu-check must not report any. */
#include <accel/kernel.h>
#include "planted.h"

#define PLACE(acc, t) (accel_block_index(acc).x * accel_block_extent(acc).x + (t))

ACCEL_KERNEL(right_region, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t == 0 ? 0 : t - 1];
    }
}

ACCEL_THREAD_KERNEL(right_barriers, planted_args, args)
{
    ACCEL_SHARED(acc, float, s[256]);
    const size_t t = accel_thread_index(acc).x, m = accel_block_extent(acc).x;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        s[t] = args.x[t] + (float)k;
        accel_sync_block(acc);
        sum += s[(t + 1) % m];
        accel_sync_block(acc);
    }
    args.y[accel_global_index(acc).x] = sum;
}

ACCEL_THREAD_KERNEL(right_early_return, planted_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    if (t >= 40)
        return;
    ACCEL_SHARED(acc, float, s[256]);
    s[t] = args.x[t];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = s[39 - t];
}

ACCEL_KERNEL(right_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i];
    }
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.x[i] = 2 * args.y[i];
    }
}

ACCEL_KERNEL(right_tiles, planted_args, args)
{
    ACCEL_FOR_EACH_2D_TILED(acc, RIGHT, i, j, 16, args.n / 16, 4, 8)
    {
        args.y[i * (args.n / 16) + j] = args.x[i * (args.n / 16) + j];
    }
    ACCEL_FOR_EACH_2D_TILED(acc, RIGHT, i, j, 16, args.n / 16, 4, 8)
    {
        args.y[i * (args.n / 16) + j] += 1;
    }
}

ACCEL_KERNEL(right_block_atomics, planted_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[4]);
    ACCEL_THREADS_FIRST(acc, t, 4) {
        h[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        accel_atomic_add_block(acc, &h[t % 4], 1u);
    }
    ACCEL_THREADS_FIRST(acc, t, 4) {
        accel_atomic_add(acc, &args.c[t], h[t]);
    }
}

ACCEL_KERNEL(right_locks, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        planted_ten *p = (planted_ten *)args.y + t % 3;
        ACCEL_ATOMIC_UPDATE(acc, p) {
            p->v[3] += 1;
        }
        ACCEL_ATOMIC_MODIFY(acc, float, args.x + 4, v)
        {
            v += 1;
        }
        ACCEL_ATOMIC_MODIFY(acc, planted_ten, (planted_ten *)args.x + 1, w)
        {
            w.v[3] += 1;
        }
    }
}

ACCEL_KERNEL(right_bytes, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, 4 * args.n) {
        ((unsigned char *)args.y)[i] = ((const unsigned char *)args.x)[i];
    }
    ACCEL_FOR_EACH(acc, i, 4 * args.n) {
        ((unsigned char *)args.y)[i] += 1;
    }
}

ACCEL_CONSTANT(float, right_weights[4]) = {1, 2, 3, 4};
ACCEL_GLOBAL(float, right_sums[256]);

ACCEL_KERNEL(right_constants, planted_args, args)
{
    static const float table[4] = {1, 2, 3, 4};
    ACCEL_THREADS(acc, t) {
        const size_t i = accel_block_index(acc).x * accel_block_extent(acc).x + t;
        right_sums[i] = right_weights[t % 4] + table[t % 4];
        args.y[i] = right_sums[i];
    }
}

/* Types that say so need not be aligned. */
ACCEL_KERNEL(right_packed, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 4) {
        const planted_packed *p = (const planted_packed *)(const void *)((const char *)args.x + 12 * i + 1);
        double d;
        __builtin_memcpy(&d, (const char *)args.x + 8 * i + 3, sizeof d);
        args.y[i] = (float)(p->d + p->s + d);
    }
}

/* Bytes of every thread, by the builtins. */
ACCEL_KERNEL(right_builtins, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 10) {
        planted_ten ten;
        __builtin_memset(&ten, 0, sizeof ten);
        __builtin_memcpy(&ten, args.x + 10 * i, sizeof ten - 4);
        __builtin_memcpy(args.y + 10 * i, &ten, sizeof ten);
#if defined(ACCEL_TARGET_CHECK) /* nvcc takes it for a function of the host */
        __builtin_memmove(args.y + 10 * i, args.y + 10 * i + 3, 28);
#endif
    }
}

ACCEL_KERNEL(right_last_block, planted_args, args)
{
    ACCEL_SHARED(acc, uint32_t, last[1]);
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = 1;
        accel_fence_device(acc);
        last[0] = accel_atomic_add(acc, args.c, 1u) == accel_grid_extent(acc).x - 1;
        accel_fence_device(acc);
    }
    ACCEL_ONCE(acc) {
        if (last[0]) {
            float sum = 0;
            for (size_t b = 0; b < accel_grid_extent(acc).x; b++)
                sum += args.y[b];
            args.y[0] = sum;
            args.y[0] += 1;
        }
    }
}

ACCEL_KERNEL(right_private, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, s);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(s, t) = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(s, t);
    }
}

ACCEL_FN void right_fill(float *to, size_t n, float value)
{
    for (size_t k = 0; k < n; k++)
        to[k] = value;
}

/* The block's code writes its own variables; regions read those, and write theirs and private values. */
ACCEL_KERNEL(right_variables, planted_args, args)
{
    ACCEL_PRIVATE(acc, float, mine);
    float table[8], factor = 1;
    right_fill(table, 8, 2);
    for (int k = 0; k < 3; k++) {
        ACCEL_THREADS(acc, t) {
            float own[8], sum = 0;
            right_fill(own, 8, args.x[t]);
            for (size_t i = 0; i < 8; i++)
                sum += own[i] * table[i] * factor;
            right_fill(&ACCEL_MY(mine, t), 1, sum);
        }
        ACCEL_THREADS_2D(acc, ty, tx) {
            ACCEL_MY(mine, tx + ty) += factor;
        }
        factor += table[k];
        right_fill(table, 8, factor);
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(mine, t);
    }
    if (factor > 0)
        ACCEL_ONCE(acc)
            args.c[accel_block_index(acc).x] = (uint32_t)factor;
}

/* Half of what a thread has on CPUs. */
ACCEL_THREAD_KERNEL(right_stack, planted_args, args)
{
    volatile float large[2048];
    accel_sync_block(acc);
    for (size_t k = 0; k < 2048; k++)
        large[k] = args.x[k % args.n];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = large[args.n % 2048];
}

/* Far more than that; regions have the stack of the whole block. */
ACCEL_KERNEL(right_stack_of_region, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        volatile float large[25000];
        for (size_t k = 0; k < 25000; k += 100)
            large[k] = args.x[k % args.n];
        args.y[accel_block_index(acc).x * accel_block_extent(acc).x + t] = large[args.n % 2 * 100];
    }
}

/* NaNs that are meant, old ones, and new ones that go nowhere. Comparisons with them raise the processor's flag. */
ACCEL_KERNEL(right_nans, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -NAN : args.x[i];
    }
    ACCEL_FOR_EACH(acc, i, args.n) {
        float least = NAN;
        if (args.y[i] < least)
            least = args.y[i];
        args.y[i] = least + (args.y[i] < 1 ? args.y[i] : 2 * args.y[i]);
    }
    ACCEL_FOR_EACH(acc, i, args.n) {
        const float root = sqrtf(args.x[i] - 1);
        args.x[i] = root >= 0 ? root : 0;
    }
}

/* y: the sum of the warp's threads' numbers, in every order of lanes. */
ACCEL_THREAD_KERNEL(right_warps, planted_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    float sum = (float)t;
    for (size_t m = accel_warp_size(acc) / 2; m > 0; m /= 2)
        sum += accel_warp_xor_full(acc, sum, m);
    args.y[accel_global_index(acc).x] = sum;
}

/* The same in regions of every kind, among others. */
ACCEL_KERNEL(right_regions, planted_args, args)
{
    ACCEL_SHARED(acc, float, sums[256]);
    ACCEL_PRIVATE(acc, float, mine);
    float factor = 1;
    ACCEL_THREADS(acc, t) {
        float sum = (float)t;
        for (size_t m = accel_warp_size(acc) / 2; m > 0; m /= 2)
            sum += accel_warp_xor_full(acc, sum, m);
        ACCEL_MY(mine, t) = sum * factor;
    }
    factor = 2;
    ACCEL_THREADS_2D(acc, ty, tx) {
        sums[tx + ty] = accel_warp_shuffle_full(acc, ACCEL_MY(mine, tx + ty), 0) + (factor - 2);
    }
    ACCEL_THREADS_FIRST(acc, t, 32) {
        if (accel_warp_ballot(acc, 1) != 0 && accel_warp_lane(acc) == 0)
            sums[t] += accel_warp_all(acc, 1) != 0 ? 0 : 1;
    }
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
        args.y[i] = accel_warp_shuffle_masked(acc, accel_warp_ballot_full(acc, 1), sums[t], accel_warp_lane(acc));
    }
    ACCEL_ONCE(acc) {
        args.c[accel_block_index(acc).x] = (uint32_t)accel_warp_any(acc, 1);
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(right_nosync, planted_args, args)
{
    float sum = (float)accel_thread_index(acc).x;
    for (size_t m = accel_warp_size(acc) / 2; m > 0; m /= 2)
        sum += accel_warp_xor_full(acc, sum, m);
    args.y[accel_global_index(acc).x] = sum;
}

/* Lanes return, wait at barriers of the block and take branches, and each operation names those that come. y: how many of
 * the warp are left at the end. */
ACCEL_THREAD_KERNEL(right_lanes, planted_args, args)
{
    ACCEL_SHARED(acc, uint32_t, first[2]);
    const size_t t = accel_thread_index(acc).x, lane = accel_warp_lane(acc);
    const uint64_t odd = accel_warp_ballot_full(acc, t % 2);
    uint32_t sum = (uint32_t)lane;
    if (t < 2)
        first[t] = 0;
    accel_sync_block(acc);
    if (t % 2) {
        const uint32_t lowest = accel_trailing_zeros(odd);
        sum = accel_warp_shuffle_masked(acc, odd, sum, lowest);
        if (lane == lowest)
            accel_atomic_add_block(acc, &first[1], sum);
    } else {
        for (size_t k = 0; k < lane; k++)
            sum += accel_warp_any(acc, k + 1 == lane) != 0;
    }
    accel_sync_block(acc);
    if (t % 4 == 1)
        return;
    if (t % 4 == 3)
        accel_atomic_add(acc, args.c, first[1]);
    const uint64_t left = accel_warp_ballot_full(acc, 1);
    if (sum < 10000)
        args.y[accel_global_index(acc).x] = (float)accel_popcount(left);
}

/* Lanes that come together read each other, or what the warp does not have. */
ACCEL_THREAD_KERNEL(right_any, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    float sum = args.x[i];
    if (i % 2 == 0) {
        sum += accel_warp_up(acc, sum, 2);
        sum += accel_warp_down(acc, sum, 64);
        sum += accel_warp_xor(acc, sum, 4);
    }
    args.y[i] = sum;
}

/* What compilers copy of a struct has bytes that no member has. */
ACCEL_FN double sum_of(planted_padded x, planted_narrow y)
{
    return x.value + x.number + y.key + y.number + y.letter;
}

ACCEL_KERNEL(right_padding, planted_args, args)
{
    ACCEL_SHARED(acc, planted_padded, padded[256]);
    ACCEL_SHARED(acc, planted_padded, copies[256]);
    ACCEL_SHARED(acc, planted_narrow, narrow[256]);
    ACCEL_SHARED(acc, planted_narrow, copies_of_narrow[256]);
    ACCEL_THREADS(acc, t) {
        padded[t].value = args.x[t];
        padded[t].number = 1;
        narrow[t].key = 2;
        narrow[t].number = 3;
        narrow[t].letter = 4;
    }
    ACCEL_THREADS(acc, t) {
        copies[t] = padded[t];
        copies_of_narrow[t] = narrow[t];
    }
    ACCEL_THREADS(acc, t) {
        const planted_padded one = copies[t];
        args.y[PLACE(acc, t)] = (float)(sum_of(one, copies_of_narrow[t]) + sum_of(padded[t], narrow[t]));
    }
}

/* These are right, but their results depend on the order of blocks or threads. */
ACCEL_KERNEL(order_blocks, planted_args, args)
{
    ACCEL_ONCE(acc) {
        args.y[accel_block_index(acc).x] = (float)accel_atomic_add(acc, args.c, 1u);
    }
}

ACCEL_KERNEL(order_threads, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        args.y[accel_block_index(acc).x * accel_block_extent(acc).x + t] =
            (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
    }
}

ACCEL_KERNEL(order_rows, planted_args, args)
{
    ACCEL_THREADS_2D(acc, ty, tx) {
        args.y[accel_block_index(acc).x * accel_block_extent(acc).x + tx + ty] =
            (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(order_nosync, planted_args, args)
{
    args.y[accel_global_index(acc).x] = (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
}

ACCEL_THREAD_KERNEL(order_fibers, planted_args, args)
{
    args.y[accel_global_index(acc).x] = (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
    accel_sync_block(acc);
}

ACCEL_KERNEL(order_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
}

ACCEL_KERNEL(order_elements_32, planted_args, args)
{
    const uint32_t n = (uint32_t)args.n;
    ACCEL_FOR_EACH_32(acc, i, n)
        args.y[i] = (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
}

/* As many elements for each of 4 blocks, in rows of 16. */
ACCEL_KERNEL(order_elements_2d, planted_args, args)
{
    const size_t rows = args.n / 4 / 16;
    ACCEL_FOR_EACH_2D(acc, i, j, rows, 64) {
        const size_t block = accel_block_index(acc).x, at = i * 16 + j % 16;
        args.y[block * 64 + at] = (float)accel_atomic_add(acc, args.c + block, 1u);
    }
}

ACCEL_KERNEL(order_elements_tiled, planted_args, args)
{
    const size_t rows = args.n / 16;
    ACCEL_FOR_EACH_2D_TILED(acc, RIGHT, i, j, rows, 16, 4, 16)
    args.y[i * 16 + j] = (float)accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics, warps. */
#include <accel/kernel.h>

#include "arguments.h"

/* One cell per operation, for every type. Thread i of n contributes i + 1. */
ACCEL_KERNEL(atomic_arithmetic, atomic_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        const size_t i = base + t;
        if (i >= args.n)
            continue;
        const int v = (int)i + 1;
        (void)accel_atomic_add(acc, &args.i32[ATOMIC_ADD], v);
        (void)accel_atomic_sub(acc, &args.i32[ATOMIC_SUB], v);
        (void)accel_atomic_min(acc, &args.i32[ATOMIC_MIN], -v);
        (void)accel_atomic_max(acc, &args.i32[ATOMIC_MAX], v);
        (void)accel_atomic_add(acc, &args.u32[ATOMIC_ADD], (uint32_t)v);
        (void)accel_atomic_sub(acc, &args.u32[ATOMIC_SUB], (uint32_t)v);
        (void)accel_atomic_min(acc, &args.u32[ATOMIC_MIN], (uint32_t)v);
        (void)accel_atomic_max(acc, &args.u32[ATOMIC_MAX], (uint32_t)v);
        (void)accel_atomic_add(acc, &args.i64[ATOMIC_ADD], (int64_t)v << 32);
        (void)accel_atomic_sub(acc, &args.i64[ATOMIC_SUB], (int64_t)v << 32);
        (void)accel_atomic_min(acc, &args.i64[ATOMIC_MIN], -((int64_t)v << 32));
        (void)accel_atomic_max(acc, &args.i64[ATOMIC_MAX], (int64_t)v << 32);
        (void)accel_atomic_add(acc, &args.u64[ATOMIC_ADD], (uint64_t)v << 32);
        (void)accel_atomic_sub(acc, &args.u64[ATOMIC_SUB], (uint64_t)v << 32);
        (void)accel_atomic_min(acc, &args.u64[ATOMIC_MIN], (uint64_t)v << 32);
        (void)accel_atomic_max(acc, &args.u64[ATOMIC_MAX], (uint64_t)v << 32);
        (void)accel_atomic_add(acc, &args.f32[ATOMIC_ADD], (float)v);
        (void)accel_atomic_sub(acc, &args.f32[ATOMIC_SUB], (float)v);
        (void)accel_atomic_min(acc, &args.f32[ATOMIC_MIN], -0.5f * (float)v);
        (void)accel_atomic_max(acc, &args.f32[ATOMIC_MAX], 0.5f * (float)v);
        (void)accel_atomic_add(acc, &args.f64[ATOMIC_ADD], (double)v);
        (void)accel_atomic_sub(acc, &args.f64[ATOMIC_SUB], (double)v);
        (void)accel_atomic_min(acc, &args.f64[ATOMIC_MIN], -0.5 * (double)v);
        (void)accel_atomic_max(acc, &args.f64[ATOMIC_MAX], 0.5 * (double)v);
    }
}

/* exch and cas: every old value comes out exactly once; old has two words per thread. */
ACCEL_KERNEL(atomic_swap, atomic_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        const size_t i = base + t;
        if (i >= args.n)
            continue;
        args.old[2 * i] = accel_atomic_exch(acc, &args.u32[ATOMIC_EXCH], (uint32_t)i + 1);
        (void)accel_atomic_exch(acc, &args.f32[ATOMIC_EXCH], (float)(i + 1));
        (void)accel_atomic_exch(acc, &args.f64[ATOMIC_EXCH], (double)(i + 1));
        (void)accel_atomic_exch(acc, &args.u64[ATOMIC_EXCH], (uint64_t)(i + 1) << 32);
        for (;;) { /* adds 1 by compare and swap; the value that was replaced is this thread's own */
            const uint32_t seen = accel_atomic_add(acc, &args.u32[ATOMIC_CAS], 0u);
            if (accel_atomic_cas(acc, &args.u32[ATOMIC_CAS], seen, seen + 1) == seen) {
                args.old[2 * i + 1] = seen;
                break;
            }
        }
        for (;;) {
            const double seen = accel_atomic_add(acc, &args.f64[ATOMIC_CAS], 0.0);
            if (accel_atomic_cas(acc, &args.f64[ATOMIC_CAS], seen, seen + 1.0) == seen)
                break;
        }
        for (;;) {
            const float seen = accel_atomic_add(acc, &args.f32[ATOMIC_CAS], 0.0f);
            if (accel_atomic_cas(acc, &args.f32[ATOMIC_CAS], seen, seen + 1.0f) == seen)
                break;
        }
        for (;;) {
            const int64_t seen = accel_atomic_add(acc, &args.i64[ATOMIC_CAS], (int64_t)0);
            if (accel_atomic_cas(acc, &args.i64[ATOMIC_CAS], seen, seen - 1) == seen)
                break;
        }
    }
}

/* and, or, xor, inc, dec: one cell each in u32 and u64. */
ACCEL_KERNEL(atomic_bits, atomic_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        const size_t i = base + t;
        if (i >= args.n)
            continue;
        (void)accel_atomic_and(acc, &args.u32[0], ~(1u << (i % 32)));
        (void)accel_atomic_or(acc, &args.u32[1], 1u << (i % 32));
        (void)accel_atomic_xor(acc, &args.u32[2], (uint32_t)i);
        (void)accel_atomic_inc(acc, &args.u32[3], 99u);
        (void)accel_atomic_dec(acc, &args.u32[4], 99u);
        (void)accel_atomic_and(acc, &args.u64[0], ~((uint64_t)1 << (i % 64)));
        (void)accel_atomic_or(acc, &args.u64[1], (uint64_t)1 << (i % 64));
        (void)accel_atomic_xor(acc, &args.u64[2], (uint64_t)i << 32);
        (void)accel_atomic_inc(acc, &args.u64[3], (uint64_t)99);
        (void)accel_atomic_dec(acc, &args.u64[4], (uint64_t)99);
    }
}

/* Updates of objects of 72 bytes: never seen half done. */
ACCEL_KERNEL(atomic_large, large_args, args)
{
    const size_t base = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t) {
        const size_t i = base + t;
        if (i >= args.n)
            continue;
        large *object = &args.object[i % args.objects];
        ACCEL_ATOMIC_UPDATE(acc, object) {
            object->sum += i;
            object->square += i * i;
            object->count += 1;
            object->sum_again += (double)i;
            for (int k = 0; k < 5; k++)
                object->more[k] = object->count * (uint64_t)(k + 1);
        }
    }
}

/* The same from another form. */
ACCEL_THREAD_KERNEL_NOSYNC(atomic_large_nosync, large_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i >= args.n)
        return;
    large *object = &args.object[i % args.objects];
    ACCEL_ATOMIC_UPDATE(acc, object) {
        object->sum += i;
        object->square += i * i;
        object->count += 1;
        object->sum_again += (double)i;
        for (int k = 0; k < 5; k++)
            object->more[k] = object->count * (uint64_t)(k + 1);
    }
}

/* Eight words per thread: size, lane, ballot of the even threads (low), any, all, and the shuffled own index. */
ACCEL_KERNEL(warp, exchange_args, args)
{
    const size_t n = accel_block_extent(acc).x;
    const size_t base = accel_block_index(acc).x * n;
    ACCEL_THREADS(acc, t) {
        uint32_t *out = args.out + 8 * (base + t);
        const size_t lane = accel_warp_lane(acc);
        const int even = t % 2 == 0;
        const uint64_t ballot = accel_warp_ballot(acc, even);
        out[0] = (uint32_t)accel_warp_size(acc);
        out[1] = (uint32_t)lane;
        out[2] = (uint32_t)(ballot >> lane & 1u);
        out[3] = (uint32_t)accel_warp_any(acc, even);
        out[4] = (uint32_t)accel_warp_all(acc, even);
        out[5] = (uint32_t)accel_warp_shuffle(acc, (uint32_t)t, 0);
        out[6] = (uint32_t)accel_warp_xor(acc, (double)t, 1);
        out[7] = (uint32_t)accel_warp_up(acc, (uint64_t)t, 1) * 10000u + (uint32_t)accel_warp_down(acc, (float)t, 1);
    }
}

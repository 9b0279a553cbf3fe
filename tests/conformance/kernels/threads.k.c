/* SPDX-License-Identifier: Apache-2.0 */
/* Thread kernels: barriers anywhere, early returns, stacks. */
#include <accel/kernel.h>

#include "arguments.h"

/* A barrier in a loop: rotates the block's values. */
ACCEL_THREAD_KERNEL(sync_loop, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, values[1024]);
    const size_t n = accel_block_extent(acc).x;
    const size_t t = accel_thread_index(acc).x;
    const size_t i = accel_global_index(acc).x;
    values[t] = args.in[i];
    accel_sync_block(acc);
    for (uint32_t round = 0; round < args.value; round++) {
        const uint32_t next = values[(t + 1) % n];
        accel_sync_block(acc);
        values[t] = next;
        accel_sync_block(acc);
    }
    args.out[i] = values[t];
}

ACCEL_FN uint32_t sum_below(accel_thread_handle acc, uint32_t *values, uint32_t mine)
{
    const size_t t = accel_thread_index(acc).x;
    values[t] = mine;
    accel_sync_block(acc);
    uint32_t sum = 0;
    for (size_t k = 0; k <= t; k++)
        sum += values[k];
    accel_sync_block(acc);
    return sum;
}

/* A barrier inside a called function, called twice. */
ACCEL_THREAD_KERNEL(sync_in_function, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, values[1024]);
    const size_t i = accel_global_index(acc).x;
    const uint32_t first = sum_below(acc, values, args.in[i]);
    args.out[i] = sum_below(acc, values, first);
}

/* Threads that have returned are not waited for: thread t takes part in t + 1 barriers. */
ACCEL_THREAD_KERNEL(early_return, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, rounds[1024]);
    const size_t t = accel_thread_index(acc).x;
    const size_t i = accel_global_index(acc).x;
    rounds[t] = 0;
    for (size_t round = 0; round < accel_block_extent(acc).x; round++) {
        accel_sync_block(acc);
        rounds[t] += 1;
        if (round == t) {
            args.out[i] = rounds[t];
            return;
        }
    }
}

/* What a barrier counts: out has count, and, or in decimal places. */
ACCEL_THREAD_KERNEL(sync_votes, exchange_args, args)
{
    const size_t i = accel_global_index(acc).x;
    const int predicate = args.in[i] != 0;
    const int count = accel_sync_block_count(acc, predicate);
    const int all = accel_sync_block_and(acc, predicate);
    const int any = accel_sync_block_or(acc, predicate);
    args.out[i] = (uint32_t)(count * 100 + all * 10 + any);
}

/* In two dimensions; the barrier is the whole block's. */
ACCEL_THREAD_KERNEL(transpose, exchange_args, args)
{
    ACCEL_SHARED(acc, uint32_t, tile[32][32]);
    const accel_index thread = accel_thread_index(acc);
    const size_t n = accel_block_extent(acc).x;
    tile[thread.y][thread.x] = args.in[thread.y * n + thread.x];
    accel_sync_block(acc);
    args.out[thread.y * n + thread.x] = tile[thread.x][thread.y];
}

/* Whether all barriers of a block run on one thread of the system: the address of a thread-local variable. */
ACCEL_THREAD_KERNEL(same_system_thread, dynamic_args, args)
{
    ACCEL_SHARED(acc, uint32_t, anchor[1]);
    const size_t i = accel_global_index(acc).x;
    const uint64_t before = (uint64_t)(uintptr_t)&anchor[0];
    uint32_t moved = 0;
    for (int round = 0; round < 20; round++) {
        accel_sync_block(acc);
        moved += (uint64_t)(uintptr_t)&anchor[0] != before;
    }
    args.addresses[i] = before;
    args.out[i] = moved;
}

/* Uses about 256 bytes of stack per level, and a barrier at the bottom. */
ACCEL_FN uint64_t descend(accel_thread_handle acc, uint32_t depth)
{
    volatile uint64_t frame[24];
    for (uint32_t k = 0; k < 24; k++)
        frame[k] = depth + k;
    if (depth == 0) {
        accel_sync_block(acc);
        return frame[1];
    }
    return descend(acc, depth - 1) + frame[depth % 24];
}

ACCEL_THREAD_KERNEL(deep_stack, stack_args, args)
{
    args.out[accel_global_index(acc).x] = descend(acc, args.depth);
}

/* 1 + value, a sum that must be rounded: its bits before and after a barrier, or 0 if they differ. */
ACCEL_THREAD_KERNEL(rounding, exchange_args, args)
{
    union {
        uint32_t bits;
        float number;
    } small = {args.value}, before = {args.in[0]}, after;
    const size_t i = accel_global_index(acc).x;
    before.number += small.number;
    accel_sync_block(acc);
    after.bits = args.in[0];
    after.number += small.number;
    args.out[i] = before.bits == after.bits ? before.bits : 0;
}

/* The sum of the floating-point operations of several barriers, thread by thread. */
ACCEL_THREAD_KERNEL(floating, exchange_args, args)
{
    const size_t i = accel_global_index(acc).x;
    double value = 1.0 + (double)i;
    for (int round = 0; round < 10; round++) {
        value = value * 1.5 - 0.25;
        accel_sync_block(acc);
    }
    args.out[i] = (uint32_t)value;
}

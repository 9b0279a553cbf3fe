/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels over elements: launches, work divisions, order of queues. */
#include <accel/kernel.h>

#include "arguments.h"

ACCEL_KERNEL(set, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] = args.value;
}

/* Any address may be asked for ahead. */
ACCEL_KERNEL(add, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        accel_prefetch(acc, (const void *)i);
        accel_prefetch_l1(acc, (const void *)i);
        accel_prefetch_write(acc, (void *)i);
        args.words[i] += args.value;
    }
}

/* Order matters: (3 w + value) of earlier results. */
ACCEL_KERNEL(chain, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] = 3 * args.words[i] + args.value;
}

/* Kernels may have the names of C's functions. */
ACCEL_KERNEL(copy, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[args.n + i] = args.words[i];
}

ACCEL_KERNEL(free, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] = 0;
}

ACCEL_KERNEL(empty, accel_no_args, args)
{
    (void)args;
    (void)acc;
}

/* All n blocks meet: none goes on before the last one has arrived. For cooperative launches. */
ACCEL_KERNEL(meet, words_args, args)
{
    ACCEL_ONCE(acc) {
        (void)accel_atomic_add(acc, &args.words[0], 1u);
        while (accel_atomic_add(acc, &args.words[0], 0u) < args.n)
            continue;
        (void)accel_atomic_add(acc, &args.words[1], 1u);
    }
}

ACCEL_KERNEL(each, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] += 1;
}

ACCEL_KERNEL(each_32, words_args, args)
{
    ACCEL_FOR_EACH_32(acc, i, (uint32_t)args.n)
        args.words[i] += 1;
}

ACCEL_KERNEL(each_by_thread, words_args, args)
{
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
        (void)t;
        args.words[i] += 1;
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(each_nosync, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] += 1;
}

ACCEL_THREAD_KERNEL(each_fiber, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] += 1;
    accel_sync_block(acc);
}

ACCEL_KERNEL(big, big_args, args)
{
    ACCEL_ONCE(acc) {
        uint64_t sum = 0;
        for (size_t i = 0; i < sizeof args.bytes; i++)
            sum = sum * 31 + args.bytes[i];
        args.sum[accel_block_index(acc).x] = sum;
    }
}

ACCEL_KERNEL(lesser, lesser_args, args)
{
    ACCEL_ONCE(acc) {
        uint64_t sum = 0;
        for (size_t i = 0; i < sizeof args.bytes; i++)
            sum = sum * 31 + args.bytes[i];
        args.sum[accel_block_index(acc).x] = sum;
    }
}

ACCEL_KERNEL(padded, padded_args, args)
{
    ACCEL_ONCE(acc)
        args.out[0] = (uint64_t)args.first + (uint64_t)args.second + args.third + (uint64_t)args.fourth;
}

/* Keeps a queue busy for a while; the sum makes the work real. */
ACCEL_KERNEL(slow, slow_args, args)
{
    ACCEL_ONCE(acc) {
        uint64_t value = args.rounds;
        for (uint64_t i = 0; i < args.rounds; i++)
            value = value * 6364136223846793005u + 1442695040888963407u;
        args.sum[accel_block_index(acc).x] = value;
    }
}

ACCEL_GLOBAL(uint32_t, global_words[8]) = {1, 2, 3, 4, 5, 6, 7, 8};
ACCEL_CONSTANT(uint32_t, constant_words[4]) = {10, 20, 30, 40};

/* words[i] = global + constant; then the global grows. */
ACCEL_KERNEL(use_globals, words_args, args)
{
    ACCEL_ONCE(acc) {
        for (size_t i = 0; i < 8; i++) {
            args.words[i] = global_words[i] + constant_words[i % 4];
            global_words[i] += args.value;
        }
    }
}

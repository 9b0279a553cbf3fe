/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the simulated driver's own tests. */
#include <accel/kernel.h>

#include "arguments.h"

ACCEL_GLOBAL(uint32_t, counter) = 5;

ACCEL_KERNEL(add, words_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.words[i] += args.value;
}

/* Writes one word, wherever it is. */
ACCEL_KERNEL(poke, words_args, args)
{
    ACCEL_ONCE(acc)
        args.words[args.n] = args.value;
}

ACCEL_KERNEL(bump, words_args, args)
{
    ACCEL_ONCE(acc)
        counter += args.value;
}

/* Word n of the block's dynamic shared memory, written and read back. */
ACCEL_THREAD_KERNEL(share, words_args, args)
{
    uint32_t *shared = (uint32_t *)accel_shared_dynamic(acc);
    if (accel_thread_index(acc).x == 0)
        shared[args.n] = args.value;
    accel_sync_block(acc);
    if (accel_thread_index(acc).x == 1)
        args.words[0] = shared[args.n];
}

/* Lanes of a warp. */
ACCEL_THREAD_KERNEL(width, words_args, args)
{
    if (accel_thread_index(acc).x == 0)
        args.words[0] = (uint32_t)accel_warp_size(acc);
}

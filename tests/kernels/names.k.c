/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels may be called as the C library's functions are. copy: to[i] = from[i]; free: to[i] = 0; main: to[i] = i.
 * Macros may make names: made_block does as free does, made_thread as copy. thread and descriptor do as these two: words of the
 * headers' own names. Any work division. places, blocks and view are compiled only. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include <accel/kernel/scatter.h>
#include "names.h"

ACCEL_KERNEL(copy, names_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.to[i] = args.from[i];
}

ACCEL_KERNEL(free, names_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.to[i] = 0;
}

ACCEL_THREAD_KERNEL(main, names_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.to[i] = (uint32_t)i;
}

/* Each thread: how many ticks `n` additions to its sum took, and the sum. Its name is the C library's, too. */
ACCEL_THREAD_KERNEL(clock, clock_args, args)
{
    const size_t i = accel_global_index(acc).x;
    const uint64_t begin = accel_clock(acc);
    for (size_t k = 0; k < args.n; k++)
        accel_atomic_add(acc, &args.sum[i], (uint64_t)k);
    args.ticks[i] = accel_clock(acc) - begin;
}

#define MADE(form) made_##form
#define DEFINE(kind, name, value)                                                                                      \
    kind(name, names_args, args)                                                                                       \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, i, args.n)                                                                                 \
            args.to[i] = value;                                                                                        \
    }
DEFINE(ACCEL_KERNEL, MADE(block), 0)
DEFINE(ACCEL_THREAD_KERNEL_NOSYNC, MADE(thread), args.from[i])
DEFINE(ACCEL_KERNEL, thread, args.from[i])
DEFINE(ACCEL_THREAD_KERNEL, descriptor, 0)

ACCEL_REDUCE(blocks, names_args, args, i, uint32_t, ACCEL_SUM)
{
    return args.from[i];
}

ACCEL_SCAN(places, names_args, args, i, uint32_t, ACCEL_SUM, args.from)
{
    return args.from[i];
}

ACCEL_SCATTER(view, uint32_t, ACCEL_SUM)

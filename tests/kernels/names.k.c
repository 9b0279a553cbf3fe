/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels may be called as the C library's functions are. copy: to[i] = from[i]; free: to[i] = 0; main: to[i] = i.
 * Macros may make names: made_block does as free does, made_thread as copy. Any work division. */
#include <accel/kernel.h>
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

#define MADE(form) made_##form
#define DEFINE(kind, name, value)                                                                                      \
    kind(name, names_args, args)                                                                                       \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, i, args.n)                                                                                 \
            args.to[i] = value;                                                                                        \
    }
DEFINE(ACCEL_KERNEL, MADE(block), 0)
DEFINE(ACCEL_THREAD_KERNEL_NOSYNC, MADE(thread), args.from[i])

/* SPDX-License-Identifier: Apache-2.0 */
/* y[i] += a * x[i] in every form; each visits all n elements once for every work division, except axpy_threads. */
#include <accel/kernel.h>
#include "axpy.h"

/* Any work division. */
ACCEL_KERNEL(axpy, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += args.a * args.x[i];
}

/* Any work division; n is at most 2^31. */
ACCEL_KERNEL(axpy_32, axpy_args, args)
{
    const uint32_t n = (uint32_t)args.n;
    ACCEL_FOR_EACH_32(acc, i, n)
        args.y[i] += args.a * args.x[i];
}

/* Any work division: a thread kernel's threads share the elements. */
ACCEL_THREAD_KERNEL(axpy_shares, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += args.a * args.x[i];
}

/* One element per thread: blocks * threads in x at least n. Elements beyond the threads stay as they were. */
ACCEL_THREAD_KERNEL_NOSYNC(axpy_threads, axpy_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i >= args.n)
        return;
    args.y[i] += args.a * args.x[i];
}

/* elem_extent.x elements per thread, side by side: blocks * threads * elems in x at least n. */
ACCEL_THREAD_KERNEL_NOSYNC(axpy_elements, axpy_args, args)
{
    const size_t elems = accel_elem_extent(acc).x;
    const size_t begin = accel_global_index(acc).x * elems;
    for (size_t i = begin; i < begin + elems && i < args.n; i++)
        args.y[i] += args.a * args.x[i];
}

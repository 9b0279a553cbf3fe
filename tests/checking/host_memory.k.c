/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that host_memory.c gives memory of the host. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "planted.h"

ACCEL_KERNEL(host_read, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i]; /* host_read: here */
    }
}

ACCEL_THREAD_KERNEL(host_write, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    accel_sync_block(acc);
    if (i < args.n)
        args.y[i] = 1; /* host_write: here */
}

ACCEL_THREAD_KERNEL_NOSYNC(host_atomic, planted_args, args)
{
    accel_atomic_add(acc, &args.c[accel_global_index(acc).x % 64], 1u); /* host_atomic: here */
}

ACCEL_REDUCE(host_reduced, planted_args, args, i, float, ACCEL_SUM)
{
    return args.x[i]; /* host_reduced: here */
}

/* Right: variables of the object itself, on every target. */
ACCEL_GLOBAL(float, host_global[64]);
ACCEL_CONSTANT(float, host_constant[64]) = {1};
ACCEL_KERNEL(host_own, planted_args, args)
{
    static const float table[4] = {1, 2, 3, 4};
    ACCEL_THREADS_FIRST(acc, t, 64) {
        host_global[t] = host_constant[t] + table[t % 4];
        args.y[t] = host_global[t];
    }
}

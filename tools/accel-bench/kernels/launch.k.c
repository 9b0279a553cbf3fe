/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels whose launch is what costs. */
#include <accel/kernel.h>
#include "bench_kernels.h"
#include "busy.h"

ACCEL_KERNEL(empty, accel_no_args, args)
{
    (void)acc;
    (void)args;
}

ACCEL_KERNEL(count, count_args, args)
{
    ACCEL_ONCE(acc)
        args.count[accel_block_index(acc).x] += 1;
}

ACCEL_KERNEL(ping, turns_args, args)
{
    ACCEL_ONCE(acc)
        *args.value += 1;
}

ACCEL_KERNEL(pong, turns_args, args)
{
    ACCEL_ONCE(acc)
        *args.value *= 3;
}

ACCEL_KERNEL(heavy, heavy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.elements)
        args.value[i] = busy_value(i, heavy_steps(i, args.steps, args.uneven));
}

ACCEL_KERNEL(busy, busy_args, args)
{
    ACCEL_ONCE(acc)
        args.value[accel_block_index(acc).x] = busy_value(accel_block_index(acc).x, args.steps);
}

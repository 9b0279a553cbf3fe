/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over two and three dimensions: every element's count is 1 after, for every work division. */
#include <accel/kernel.h>
#include "loops.h"

/* ni * nj elements. */
ACCEL_KERNEL(loop_2d, loops_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] += 1;
}

/* The same in a thread kernel. */
ACCEL_THREAD_KERNEL(loop_2d_threads, loops_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] += 1;
}

/* ni * nj * nk elements. */
ACCEL_KERNEL(loop_3d, loops_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] += 1;
}

/* The same in a thread kernel without barriers. */
ACCEL_THREAD_KERNEL_NOSYNC(loop_3d_threads, loops_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] += 1;
}

/* ni elements, those with odd index: the others are left by `continue`. Counts are 0, 1, 0, 1, ... */
ACCEL_KERNEL(loop_continue, loops_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.ni) {
        if (i % 2 == 0)
            continue;
        args.count[i] += 1;
    }
}

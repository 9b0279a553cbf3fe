/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_KERNEL(axpy, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += args.a * args.x[i];
}

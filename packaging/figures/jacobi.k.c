/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "jacobi.h"

ACCEL_KERNEL(sweep, jacobi_args, args)
{
    const double *__restrict__ now = args.now;
    double *__restrict__ next = args.next;
    ACCEL_FOR_EACH_2D(acc, i, j, args.side - 2, args.side - 2) {
        const size_t at = (i + 1) * args.side + j + 1;
        next[at] = 0.25 * (now[at - args.side] + now[at - 1] + now[at + 1] + now[at + args.side]);
    }
}

ACCEL_REDUCE(moved, jacobi_args, args, i, double, ACCEL_MAX)
{
    return fabs(args.next[i] - args.now[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel without an error, and one for each thing that checkers other than cpu-check see. */
#include <accel/kernel.h>
#include "wrong.h"

ACCEL_KERNEL(right, wrong_args, args)
{
    ACCEL_THREADS(acc, t)
        args.y[t] = args.x[t]; /* right */
}

ACCEL_KERNEL(behind, wrong_args, args)
{
    ACCEL_THREADS(acc, t)
        args.y[t] = args.x[args.n + t]; /* behind */
}

ACCEL_KERNEL(shared, wrong_args, args)
{
    ACCEL_SHARED(acc, int, s[8]);
    ACCEL_THREADS(acc, t)
        s[args.n - N + 8 + t] = 1; /* shared */
    ACCEL_THREADS(acc, t)
        args.y[t] = s[t % 8];
}

ACCEL_KERNEL(sums, wrong_args, args)
{
    ACCEL_THREADS(acc, t)
        args.y[t] = args.x[t] + 2147483647; /* sums */
}

ACCEL_KERNEL(decides, wrong_args, args)
{
    ACCEL_THREADS(acc, t)
        if (args.y[t] > 3) /* decides */
            args.y[t] = 1;
}

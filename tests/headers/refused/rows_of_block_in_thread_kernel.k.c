/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a thread kernel has no regions. */
#include <accel/kernel/row.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL(refused, some_args, args)
{
    ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, i, args.n, 1)
        args.y[i] = (double)t;
}

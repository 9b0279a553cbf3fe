/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: private values are declared in the kernel's body. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_FN void helper(accel_block_handle acc, double *y)
{
    ACCEL_PRIVATE(acc, double, s);
    ACCEL_THREADS(acc, t)
        y[t] = ACCEL_MY(s, t) = 1;
}

ACCEL_KERNEL(refused, some_args, args)
{
    helper(acc, args.y);
}

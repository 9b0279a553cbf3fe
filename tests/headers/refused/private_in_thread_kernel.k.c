/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a thread kernel's private values are its local variables. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL(refused, some_args, args)
{
    ACCEL_PRIVATE(acc, double, s);
    ACCEL_MY(s, 0) = 1;
    args.y[0] = ACCEL_MY(s, 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a thread kernel has no regions. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL(refused, some_args, args)
{
    ACCEL_THREADS(acc, t)
        args.y[t] = 0;
}

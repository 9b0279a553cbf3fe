/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block kernel is no thread. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_ONCE(acc)
        args.y[accel_thread_index(acc).x] = 0;
}

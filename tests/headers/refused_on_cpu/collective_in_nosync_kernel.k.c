/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a kernel that promised to never synchronise has no collective (host compilers, optimising). */
#include <accel/kernel/collective.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_THREAD_KERNEL_NOSYNC(refused, some_args, args)
{
    args.y[accel_thread_index(acc).x] = accel_sync_block_reduce(acc, double, ACCEL_SUM, 1.0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a helper for thread kernels is not for block kernels. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_FN void helper(accel_thread_handle acc)
{
    accel_sync_block(acc);
}

ACCEL_KERNEL(refused, some_args, args)
{
    helper(acc);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block kernel has no barrier that counts. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    args.y[0] = accel_sync_block_count(acc, 1);
}

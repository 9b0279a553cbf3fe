/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block kernel has no barrier but the end of a region. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    accel_sync_block(acc);
}

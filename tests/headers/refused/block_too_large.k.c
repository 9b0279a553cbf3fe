/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a block has at most 1024 threads. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL_BLOCK(refused, some_args, args, 64, 32)
{
}

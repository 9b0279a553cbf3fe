/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: a kernel cannot change its arguments. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    args.n = 0;
}

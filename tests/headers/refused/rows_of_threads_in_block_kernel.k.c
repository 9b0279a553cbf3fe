/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: code of a block kernel is no thread's. */
#include <accel/kernel/row.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(refused, some_args, args)
{
    ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, i, args.n, 1)
        args.y[i] = 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b, once for every target: accelcc makes one object per target from this file. */
#include <accel/kernel.h>
#include "vector-add.h"

ACCEL_KERNEL(vector_add, vector_add_args, args)
{
    /* The indices of 0..n that are this thread's: a contiguous piece on a CPU, evenly
     * strided ones on a GPU. */
    ACCEL_FOR_EACH(acc, i, args.n)
        args.c[i] = args.a[i] + args.b[i];
}

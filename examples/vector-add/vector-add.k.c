/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b. accelcc makes one object per target from this file. */
#include <accel/kernel.h>
#include "vector-add.h"

ACCEL_KERNEL(vector_add, vector_add_args, args)
{
    /* The loop visits the indices in [0, n) that belong to this thread: a contiguous range on a CPU, evenly strided ones
     * on a GPU. */
    ACCEL_FOR_EACH(acc, i, args.n)
        args.c[i] = args.a[i] + args.b[i];
}

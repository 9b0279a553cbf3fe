/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "hello.h"

ACCEL_KERNEL(square, hello_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.squares[i] = (double)i * (double)i;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: the argument struct of a reduction has at most 4032 bytes, for what follows it has 64. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>

typedef struct {
    char bytes[4033];
} large_args;

ACCEL_REDUCE(refused, large_args, args, i, int, ACCEL_SUM)
{
    return args.bytes[i];
}

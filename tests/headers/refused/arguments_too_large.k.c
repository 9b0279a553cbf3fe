/* SPDX-License-Identifier: Apache-2.0 */
/* Must not compile: an argument struct has at most 4096 bytes. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

typedef struct {
    char bytes[4097];
} large_args;

ACCEL_KERNEL(refused, large_args, args)
{
}

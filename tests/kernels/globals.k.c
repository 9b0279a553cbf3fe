/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the device: `environ` (uint32_t, 7 when loaded; not the C library's), `table`, `weights` (a constant)
 * and `calls` (0 when loaded).
 * globals writes table, weights, environ and calls to out, in this order; then doubles each entry of table.
 * count_call, without arguments, adds 1 to calls. Any work division of one block; one thread works. */
#include <accel/kernel.h>
#include "globals.h"

ACCEL_GLOBAL(uint32_t, environ) = 7;
ACCEL_GLOBAL(double, table[GLOBALS_TABLE]) = {1.5, 2.5, 3.5};
ACCEL_GLOBAL(uint64_t, calls);
ACCEL_CONSTANT(float, weights[GLOBALS_WEIGHTS]);

ACCEL_KERNEL(globals, globals_args, args)
{
    ACCEL_ONCE(acc) {
        for (size_t k = 0; k < GLOBALS_TABLE; k++)
            args.out[k] = table[k];
        for (size_t k = 0; k < GLOBALS_WEIGHTS; k++)
            args.out[GLOBALS_TABLE + k] = (double)weights[k];
        args.out[GLOBALS_TABLE + GLOBALS_WEIGHTS] = (double)environ;
        args.out[GLOBALS_TABLE + GLOBALS_WEIGHTS + 1] = (double)calls;
        for (size_t k = 0; k < GLOBALS_TABLE; k++)
            table[k] *= 2;
    }
}

ACCEL_KERNEL(count_call, accel_no_args, args)
{
    ACCEL_ONCE(acc)
        calls += 1;
}

/* Every thread of the grid adds 1 to calls. */
ACCEL_THREAD_KERNEL(count_threads, accel_no_args, args)
{
    (void)accel_atomic_add(acc, &calls, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of structs as one step. For i in [0, n) cell i % cells gets, in `complex`, re += i and im -= i; in
 * `summary` count += 1, sum += i, squares += i * i, and the largest i % 101 with the smallest i that has it.
 * Any work division, also fewer cells than threads of a warp. */
#include <accel/kernel.h>
#include "struct_atomic.h"

ACCEL_FN void count_in(statistics *s, uint64_t i)
{
    const uint64_t value = i % 101;
    if (s->count == 0 || value > s->largest || (value == s->largest && i < s->at)) {
        s->largest = value;
        s->at = i;
    }
    s->count += 1;
    s->sum += i;
    s->squares += i * i;
}

ACCEL_KERNEL(struct_atomic_block, struct_atomic_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        complex_value *c = &args.values[i % args.cells];
        statistics *s = &args.summary[i % args.cells];
        ACCEL_ATOMIC_UPDATE(acc, c) {
            c->re += (double)i;
            c->im -= (double)i;
        }
        ACCEL_ATOMIC_UPDATE(acc, s) {
            count_in(s, i);
        }
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(struct_atomic_thread, struct_atomic_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        complex_value *c = &args.values[i % args.cells];
        statistics *s = &args.summary[i % args.cells];
        ACCEL_ATOMIC_UPDATE(acc, c) {
            c->re += (double)i;
            c->im -= (double)i;
        }
        ACCEL_ATOMIC_UPDATE(acc, s) {
            count_in(s, i);
        }
    }
}

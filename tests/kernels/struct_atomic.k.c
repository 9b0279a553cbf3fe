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

/* Copies that are put back as a whole: objects of 4, 8 and 16 bytes, aligned or not, of 3 and of 40. `continue` keeps
 * what was changed before it. */
#define MODIFY_ALL(i)                                                                                                  \
    const size_t cell = (i) % args.cells;                                                                              \
    ACCEL_ATOMIC_MODIFY(acc, halves, &args.pairs[cell], v)                                                             \
    {                                                                                                                  \
        v.low = (uint16_t)(v.low + 1);                                                                                 \
        v.high = (uint16_t)(v.high + 2);                                                                               \
    }                                                                                                                  \
    ACCEL_ATOMIC_MODIFY(acc, small_complex, &args.smalls[cell], v)                                                     \
    {                                                                                                                  \
        v.re += 1;                                                                                                     \
        v.im -= 1;                                                                                                     \
    }                                                                                                                  \
    ACCEL_ATOMIC_MODIFY(acc, small_complex, &args.straddle[cell], v)                                                   \
    {                                                                                                                  \
        v.re += 1;                                                                                                     \
        v.im -= 1;                                                                                                     \
    }                                                                                                                  \
    ACCEL_ATOMIC_MODIFY(acc, wide_complex, &args.wides[cell], v)                                                       \
    {                                                                                                                  \
        v.re += (double)(i);                                                                                           \
        v.im -= (double)(i);                                                                                           \
    }                                                                                                                  \
    ACCEL_ATOMIC_MODIFY(acc, colour, &args.colours[cell], v)                                                           \
    {                                                                                                                  \
        v.red = (char)(v.red + 1);                                                                                     \
        v.green = (char)(v.green - 1);                                                                                 \
        v.blue = (char)(v.blue ^ 1);                                                                                   \
    }                                                                                                                  \
    ACCEL_ATOMIC_MODIFY(acc, statistics, &args.summary[cell], v)                                                       \
    {                                                                                                                  \
        if ((i) % 2 != 0)                                                                                              \
            continue;                                                                                                  \
        count_in(&v, (i));                                                                                             \
    }

ACCEL_KERNEL(modify_block, modify_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        MODIFY_ALL(i)
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(modify_thread, modify_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        MODIFY_ALL(i)
    }
}

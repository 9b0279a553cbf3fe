/* SPDX-License-Identifier: Apache-2.0 */
/* Every atomic on every type; the header says what must be there after. */
#include <accel/kernel.h>
#include "atomics.h"

/* T is int32_t, ..., m of atomics_values; k is the thread. */
#define EVERY_INTEGER(acc, T, m, k)                                                                                    \
    do {                                                                                                               \
        const T one = (T)((k) + 1);                                                                                    \
        const T bit = (T)((T)1 << ((k) % 16));                                                                         \
        (void)accel_atomic_add(acc, &(m).add, one);                                                                    \
        (void)accel_atomic_sub(acc, &(m).sub, one);                                                                    \
        (void)accel_atomic_min(acc, &(m).min, one);                                                                    \
        (void)accel_atomic_max(acc, &(m).max, one);                                                                    \
        (void)accel_atomic_exch(acc, &(m).exch, one);                                                                  \
        (void)accel_atomic_inc(acc, &(m).inc, 6);                                                                      \
        (void)accel_atomic_dec(acc, &(m).dec, 6);                                                                      \
        (void)accel_atomic_and(acc, &(m).bits_and, (T)~bit);                                                           \
        (void)accel_atomic_or(acc, &(m).bits_or, bit);                                                                 \
        (void)accel_atomic_xor(acc, &(m).bits_xor, one);                                                               \
        (void)accel_atomic_cas(acc, &(m).cas, 0, one);                                                                 \
    } while (0)

#define EVERY_FLOAT(acc, T, m, k)                                                                                      \
    do {                                                                                                               \
        const T one = (T)((k) + 1);                                                                                    \
        (void)accel_atomic_add(acc, &(m).add, one);                                                                    \
        (void)accel_atomic_sub(acc, &(m).sub, one);                                                                    \
        (void)accel_atomic_min(acc, &(m).min, one);                                                                    \
        (void)accel_atomic_max(acc, &(m).max, one);                                                                    \
        (void)accel_atomic_exch(acc, &(m).exch, one);                                                                  \
        (void)accel_atomic_cas(acc, &(m).cas, 0, one);                                                                 \
    } while (0)

#define EVERYTHING(acc, args, k)                                                                                       \
    EVERY_INTEGER(acc, int32_t, (args).values->i32, k);                                                                \
    EVERY_INTEGER(acc, uint32_t, (args).values->u32, k);                                                               \
    EVERY_INTEGER(acc, int64_t, (args).values->i64, k);                                                                \
    EVERY_INTEGER(acc, uint64_t, (args).values->u64, k);                                                               \
    EVERY_INTEGER(acc, long, (args).values->l, k);                                                                     \
    EVERY_INTEGER(acc, unsigned long, (args).values->ul, k);                                                           \
    EVERY_INTEGER(acc, long long, (args).values->ll, k);                                                               \
    EVERY_INTEGER(acc, unsigned long long, (args).values->ull, k);                                                     \
    EVERY_FLOAT(acc, float, (args).values->f32, k);                                                                    \
    EVERY_FLOAT(acc, double, (args).values->f64, k)

/* Any one-dimensional work division of m threads in total. Tickets are drawn per block, in shared memory. */
ACCEL_KERNEL(atomics_block, atomics_args, args)
{
    ACCEL_SHARED(acc, uint32_t, ticket[1]);
    const size_t first = accel_block_index(acc).x * accel_block_extent(acc).x;
    ACCEL_ONCE(acc)
        ticket[0] = 0;
    ACCEL_THREADS(acc, t) {
        const size_t k = first + t;
        EVERYTHING(acc, args, k);
        args.old[k] = (uint32_t)first + accel_atomic_add(acc, &ticket[0], 1);
        if (accel_atomic_cas(acc, &ticket[0], 0xffffffffu, 0) == 0xffffffffu)
            continue;
        (void)accel_atomic_cas(acc, args.wins, 0, 1);
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(atomics_thread, atomics_args, args)
{
    const size_t k = accel_global_index(acc).x;
    EVERYTHING(acc, args, k);
    args.old[k] = accel_atomic_add(acc, args.ticket, 1);
    (void)accel_atomic_cas(acc, args.wins, 0, 1);
}

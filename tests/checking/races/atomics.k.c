/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics, and what meets them. */
#include "variation.h"

typedef struct pair {
    float sum;
    uint32_t count;
} pair;

typedef struct triple {
    float low, high, sum;
} triple;

/* One looks at a counter that others still change. */
ACCEL_KERNEL(counter_read, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        accel_atomic_add(acc, args.c + accel_block_index(acc).x, 1u); /* mixed-atomic here, other */
        if (t == 40)
            args.y[PLACE(acc, t)] = PICK(0, (float)args.c[accel_block_index(acc).x]); /* mixed-atomic here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(counter_reset, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i == PICK(args.n, args.n / 2))
        args.c[7] = 0;                     /* mixed-atomic here, other */
    accel_atomic_add(acc, args.c + 7, 1u); /* mixed-atomic here, other */
}

/* Atomics of the block, on data of the block and of the grid. */
ACCEL_KERNEL(scope_of_block, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        accel_atomic_add_block(acc, args.c + PICK(accel_block_index(acc).x, t % 4), 1u); /* race-blocks here, other */
    }
}

ACCEL_KERNEL(scope_shared, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, most[1]);
    ACCEL_ONCE(acc) {
        most[0] = 0;
    }
    ACCEL_THREADS(acc, t) {
#if defined(RACES_WRONG)
        if (most[0] < args.permutation[PLACE(acc, t)]) /* race-threads here, other */
            most[0] = args.permutation[PLACE(acc, t)]; /* race-threads here, other */
#else
        accel_atomic_max_block(acc, most, args.permutation[PLACE(acc, t)]);
#endif
    }
    ACCEL_ONCE(acc) {
        args.c[accel_block_index(acc).x] = most[0];
    }
}

/* A stack whose head is compared and exchanged; it is read by an atomic, too. */
ACCEL_THREAD_KERNEL_NOSYNC(stack_push, races_args, args)
{
    const uint32_t i = (uint32_t)accel_global_index(acc).x + 1;
    uint32_t head = PICK(accel_atomic_add(acc, args.c, 0u), args.c[0]); /* mixed-atomic here, other */
    for (;;) {
        args.l[i - 1] = head;
        const uint32_t found = accel_atomic_cas(acc, args.c, head, i); /* mixed-atomic here, other */
        if (found == head)
            break;
        head = found;
    }
}

ACCEL_KERNEL(update_read, races_args, args)
{
    pair *pairs = (pair *)(void *)args.y;
    ACCEL_THREADS(acc, t) {
        pair *p = pairs + accel_block_index(acc).x;
        if (PICK(1, t != 11)) {
            ACCEL_ATOMIC_UPDATE(acc, p) {
                p->sum += args.x[t]; /* mixed-atomic here, other */
                p->count++;
            }
        } else {
            p->sum += args.x[t]; /* mixed-atomic here, other */
        }
    }
}

/* The lock is that of another object. */
ACCEL_KERNEL(update_misplaced, races_args, args)
{
    triple *triples = (triple *)(void *)args.y;
    ACCEL_THREADS(acc, t) {
        ACCEL_ATOMIC_UPDATE(acc, triples + PICK(0, 1 + t % 4)) {
            triples[0].sum += args.x[t]; /* race-threads, race-blocks here, other */
        }
    }
}

/* An object is changed in two ways, which do not exclude each other. */
ACCEL_KERNEL(update_and_modify, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        float *sum = args.y + 5;
        if (PICK(1, i % 2)) {
            ACCEL_ATOMIC_MODIFY(acc, float, sum, v) /* race-threads, race-blocks here, other */
            {
                v += args.x[i];
            }
        } else {
            ACCEL_ATOMIC_UPDATE(acc, sum) {
                *sum += args.x[i]; /* race-threads, race-blocks here, other */
            }
        }
    }
}

ACCEL_KERNEL(modify_struct, races_args, args)
{
    pair *pairs = (pair *)(void *)args.x;
    ACCEL_THREADS(acc, t) {
#if defined(RACES_WRONG)
        pairs[t % 3].count += 1; /* race-threads, race-blocks here, other */
#else
        ACCEL_ATOMIC_MODIFY(acc, pair, pairs + t % 3, v)
        {
            v.count += 1;
        }
#endif
    }
}

/* The first of several threads to come gets an element. */
ACCEL_KERNEL(claim_exchanged, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t k = args.repeated[i] % RACES_THREADS;
#if defined(RACES_WRONG)
        if (args.c[k] == 0) { /* race-blocks, race-threads here, other */
            args.c[k] = 1;    /* race-blocks, race-threads here, other */
            args.i[k] = (int32_t)i;
        }
#else
        if (accel_atomic_exch(acc, args.c + k, 1u) == 0)
            args.i[k] = (int32_t)i;
#endif
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(claim_tested, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    uint32_t *taken = args.c + args.repeated[i] % RACES_THREADS;
    if (PICK(1, *taken == 0) && accel_atomic_cas(acc, taken, 0u, 1u) == 0) /* mixed-atomic here, other */
        args.d[args.repeated[i] % RACES_THREADS] = (double)i;
}

ACCEL_KERNEL(least_double, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        MIN(acc, args.d + 3, -(double)args.x[i]); /* race-threads, race-blocks here, other */
    }
}

/* One bit for each. */
ACCEL_THREAD_KERNEL_NOSYNC(bits_set, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
#if defined(RACES_WRONG)
    args.c[i / 32] |= 1u << i % 32; /* race-threads here, other */
#else
    accel_atomic_or(acc, args.c + i / 32, 1u << i % 32);
#endif
}

ACCEL_KERNEL(bits_flipped, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint64_t bit = (uint64_t)1 << i % 64;
#if defined(RACES_WRONG)
        args.l[args.repeated[i] / 64] ^= bit; /* race-threads, race-blocks here, other */
#else
        accel_atomic_xor(acc, args.l + args.repeated[i] / 64, bit);
#endif
    }
}

/* Places of a ring that begins anew. */
ACCEL_KERNEL(ring_places, races_args, args)
{
    ACCEL_THREADS(acc, t) {
#if defined(RACES_WRONG)
        const uint32_t place = args.c[0];         /* race-threads, race-blocks here, other */
        args.c[0] = place >= 255 ? 0 : place + 1; /* race-threads, race-blocks here, other */
#else
        const uint32_t place = accel_atomic_inc(acc, args.c, 255u);
#endif
        args.y[place] = (float)t;
    }
}

/* Each number is drawn once; half of it is not. */
ACCEL_THREAD_KERNEL_NOSYNC(ticket, races_args, args)
{
    const uint32_t number = accel_atomic_add(acc, args.c, 1u);
    args.y[number / PICK(1, 2)] = 1; /* race-threads here, other */
}

/* What one thread draws is read by all behind a barrier. */
ACCEL_THREAD_KERNEL(ticket_spread, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, drawn[1]);
    if (accel_thread_index(acc).x == 0)
        drawn[0] = accel_atomic_add(acc, args.c, 1u); /* other */
    SYNC(acc);
    args.y[drawn[0] * RACES_THREADS + accel_thread_index(acc).x] = 1; /* race-threads here */
}

/* A result that an atomic has found is read in the next region, not in this one. */
ACCEL_KERNEL(next_region, races_args, args)
{
    REGION(acc, t)
    {
        accel_atomic_add(acc, args.d + accel_block_index(acc).x, (double)args.x[t]); /* other */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = (float)args.d[accel_block_index(acc).x]; /* mixed-atomic here */
    }
}

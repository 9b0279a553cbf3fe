/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbours in a word, and accesses of other widths than their neighbours'. */
#include "variation.h"

ACCEL_KERNEL(bytes, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.b[i / PICK(1, 2)] = (uint8_t)i; /* race-threads here, other */
    }
}

ACCEL_KERNEL(bytes_read, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t);
        args.b[i] = (uint8_t)(args.b[PICK(i, i ^ 3)] + 1); /* race-threads here, other */
    }
}

/* The halves of a word, written as halves or in the whole word. */
ACCEL_THREAD_KERNEL_NOSYNC(halves_of_words, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < RACES_THREADS) {
#if defined(RACES_WRONG)
        args.c[i / 2] |= 7u << 16 * (i % 2); /* race-threads here, other */
#else
        uint16_t *half = (uint16_t *)(void *)args.l;
        half[i] = 7;
#endif
    }
}

/* Fields of one word belong together, whoever writes them. */
typedef struct both {
#if defined(RACES_WRONG)
    uint32_t low : 12, high : 20;
#else
    uint16_t low, high;
#endif
} both;

ACCEL_KERNEL(bit_fields, races_args, args)
{
    both *all = (both *)(void *)args.c;
    ACCEL_THREADS_FIRST(acc, t, 32) {
        if (accel_block_index(acc).x == 0) {
            if (t % 2 == 0)
                all[t / 2].low = 1; /* race-threads here, other */
            else
                all[t / 2].high = 2; /* race-threads here, other */
        }
    }
}

/* Eight bytes, and four of them. */
ACCEL_KERNEL(double_and_float, races_args, args)
{
    double *d = (double *)(void *)args.y;
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t) / 2;
        if (t % 2 == 0)
            d[i / PICK(1, 2)] = 1; /* race-threads here, other */
        else
            args.x[i] = PICK(args.x[i], args.y[i]); /* race-threads here, other */
    }
}

typedef struct point {
    float x, y, z;
} point;

ACCEL_KERNEL(points, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, (size_t)80) {
        const point p = {args.x[i], 1, 2};
        point *to = (point *)(void *)(args.y + PICK(3, 2) * i);
        *to = p; /* race-threads, race-blocks here, other */
    }
}

/* Three bytes of each, written as four. */
ACCEL_THREAD_KERNEL_NOSYNC(colours, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < 80) {
        uint8_t *to = args.b + 3 * i;
#if defined(RACES_WRONG)
        const uint32_t colour = 0x010203;
        __builtin_memcpy(to, &colour, sizeof colour); /* race-threads, race-blocks here, other */
#else
        for (int k = 0; k < 3; k++)
            to[k] = (uint8_t)k;
#endif
    }
}

/* Flags in bytes of their own, or several threads' in one. */
ACCEL_KERNEL(flags, races_args, args)
{
    ACCEL_SHARED(acc, uint8_t, done[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        done[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        if (args.permutation[PLACE(acc, t)] % 2 == 0)
            done[PICK(t, t / 4)] = 1; /* race-threads here, other */
    }
    ACCEL_THREADS(acc, t) {
        args.b[PLACE(acc, t)] = done[t];
    }
}

/* Sixty-four bits in two halves: all that write a half should own it. */
ACCEL_THREAD_KERNEL_NOSYNC(long_halves, races_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    uint32_t *half = (uint32_t *)(void *)(args.l + accel_block_index(acc).x * RACES_THREADS / 2);
    if (PICK(1, t != 5))
        half[t] = 1; /* race-threads here, other */
    else
        *(uint64_t *)(void *)(half + 4) = 2; /* race-threads here, other */
}

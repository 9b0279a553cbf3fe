/* SPDX-License-Identifier: Apache-2.0 */
/* Indices that leave their array. */
#include "variation.h"

enum { BINS = 16, WIDTH = 18, ROWS = RACES_SHORT / WIDTH };

ACCEL_THREAD_KERNEL_NOSYNC(guard_threads, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < PICK(args.m, args.n))
        args.q[i] = 1; /* outside-memory here */
}

ACCEL_KERNEL(guard_region, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t);
        if (PICK(i < args.m, i <= args.m))
            args.y[i] = args.p[i]; /* outside-memory here */
    }
}

ACCEL_KERNEL(halo, races_args, args)
{
    const size_t first = PICK(1, 0);
    ACCEL_FOR_EACH(acc, k, args.m - 2 * first) {
        const size_t i = k + first;
        args.q[i] = args.p[i - 1] + args.p[i + 1]; /* outside-memory here */
    }
}

/* Rows for columns. */
ACCEL_KERNEL(rows_for_columns, races_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, (size_t)ROWS, (size_t)WIDTH) {
        args.d[i * WIDTH + j] = args.p[PICK(i * WIDTH + j, j * WIDTH + i)]; /* outside-memory here */
    }
}

ACCEL_THREAD_KERNEL(shared_next, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    s[t] = args.x[t];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = s[PICK(t, t + 1)]; /* outside-memory here */
}

ACCEL_KERNEL(shared_bins, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, h[BINS]);
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        h[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        accel_atomic_add(acc, h + args.permutation[PLACE(acc, t)] / PICK(16, 15), 1u); /* outside-memory here */
    }
    ACCEL_THREADS_FIRST(acc, t, BINS) {
        accel_atomic_add(acc, args.c + t, h[t]);
    }
}

ACCEL_KERNEL(shared_dynamic, races_args, args)
{
    double *s = (double *)accel_shared_dynamic(acc);
    ACCEL_THREADS(acc, t) {
        s[2 * t + PICK(0, 1) * 2] = args.x[t]; /* outside-memory here */
    }
}

/* Four bytes at once, also at the last. */
ACCEL_KERNEL(bytes_at_once, races_args, args)
{
    const uint8_t *bytes = (const uint8_t *)args.p;
    ACCEL_FOR_EACH(acc, i, 4 * args.m - PICK(3, 0)) {
        uint32_t word;
        __builtin_memcpy(&word, bytes + i, sizeof word); /* outside-memory here */
        if (word == 0)
            accel_atomic_add(acc, args.c, 1u);
    }
}

/* One before the first. */
ACCEL_KERNEL(before_first, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.m) {
        const size_t left = PICK(i > 0 ? i - 1 : 0, i - 1);
        args.q[i] = args.p[left]; /* outside-memory here */
    }
}

/* An index that stands for "none". */
ACCEL_KERNEL(no_index, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t k = args.permutation[i];
        if (PICK(k < args.m, k != 0))
            args.y[i] = args.p[k]; /* outside-memory here */
    }
}

typedef struct four {
    float v[4];
} four;

/* Fours of a length that is no multiple of four. */
ACCEL_THREAD_KERNEL_NOSYNC(fours, races_args, args)
{
    const size_t k = accel_global_index(acc).x;
    if (k < PICK(args.m / 4, (args.m + 3) / 4)) {
        four *to = (four *)(void *)args.y + k;
        *to = ((const four *)(const void *)args.p)[k]; /* outside-memory here */
    }
}

ACCEL_KERNEL(unrolled, races_args, args)
{
    ACCEL_FOR_EACH(acc, k, (args.m + 3) / 4) {
        for (size_t i = 4 * k; i < PICK(args.m, 4 * k + 4) && i < 4 * k + 4; i++)
            args.q[i] = 2; /* outside-memory here */
    }
}

ACCEL_KERNEL(counters, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        accel_atomic_add(acc, args.c + PICK(i % RACES_THREADS, i), 1u); /* outside-memory here */
    }
}

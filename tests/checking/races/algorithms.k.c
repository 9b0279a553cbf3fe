/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of known algorithms. */
#include "variation.h"

enum { SIDE = 8 };

/* Rows of a sparse matrix times a vector; by columns all threads add to all results. */
ACCEL_KERNEL(sparse_product, races_args, args)
{
    ACCEL_FOR_EACH(acc, r, args.vertices) {
        for (EDGES(e, r))
            args.d[PICK(r, args.column[e])] += 1; /* race-threads, race-blocks here, other */
    }
}

/* Edges add to the vertices at both ends; of one colour no two have a vertex in common. */
ACCEL_KERNEL(assembly, races_args, args)
{
    ACCEL_FOR_EACH(acc, e, args.n / 2 - 1) {
        const size_t edge = PICK(2 * e, e);
        args.x[edge] += 1;     /* race-threads, race-blocks here, other */
        args.x[edge + 1] += 1; /* race-threads, race-blocks here, other */
    }
}

/* Threads that keep something find their places by a scan. */
ACCEL_THREAD_KERNEL(compaction, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, place[RACES_THREADS]);
    const size_t t = accel_thread_index(acc).x;
    const uint32_t keeps = args.permutation[accel_global_index(acc).x] % 2;
    place[t] = keeps;
    accel_sync_block(acc);
    if (t == 0) {
        uint32_t sum = 0;
        for (size_t k = 0; k < RACES_THREADS; k++) {
            const uint32_t mine = place[k];
            place[k] = sum; /* race-threads here, other */
            sum += mine;
        }
    }
    SYNC(acc);
    if (keeps != 0)
        args.y[accel_block_index(acc).x * RACES_THREADS + place[t]] = (float)t; /* race-threads here, other */
}

/* Elements go to buckets, whose ends are counted. */
ACCEL_KERNEL(buckets, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t bucket = args.permutation[i] % 4;
        const uint32_t place = TAKE(acc, args.c + bucket); /* race-threads, race-blocks here, other */
        args.y[bucket * 64 + place % 64] = args.x[i];
    }
}

/* Shortest ways by way of k: its row and column stay as they are, or all write them anew. */
ACCEL_KERNEL(shortest_ways, races_args, args)
{
    ACCEL_SHARED(acc, float, s[SIDE][SIDE]);
    ACCEL_THREADS(acc, t) {
        s[t / SIDE][t % SIDE] = args.x[t];
    }
    for (size_t k = 0; k < SIDE; k++)
        ACCEL_THREADS(acc, t) {
            const size_t i = t / SIDE, j = t % SIDE;
            if (PICK(i != k && j != k, 1)) {
                const float by = s[i][k] + s[k][j];    /* race-threads here, other */
                s[i][j] = s[i][j] < by ? s[i][j] : by; /* race-threads here, other */
            }
        }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t / SIDE][t % SIDE];
    }
}

/* The column is divided by the pivot, then the rest is changed. */
ACCEL_THREAD_KERNEL(elimination, races_args, args)
{
    ACCEL_SHARED(acc, float, s[SIDE][SIDE]);
    const size_t t = accel_thread_index(acc).x, i = t / SIDE, j = t % SIDE;
    s[i][j] = args.x[t] + (i == j ? 100 : 0);
    accel_sync_block(acc);
    for (size_t k = 0; k + 1 < SIDE; k++) {
        if (j == k && i > k)
            s[i][k] /= s[k][k]; /* race-threads here, other */
        SYNC(acc);
        if (i > k && j > k)
            s[i][j] -= s[i][k] * s[k][j]; /* race-threads here, other */
        accel_sync_block(acc);
    }
    args.y[accel_global_index(acc).x] = s[i][j];
}

/* Bodies move while others still ask where they are. */
ACCEL_THREAD_KERNEL_NOSYNC(bodies, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    float force = 0;
    for (size_t k = 0; k < 20; k++)
        force += 1 / args.x[k * 12];     /* race-threads, race-blocks here, other */
    PICK(args.y, args.x)[i] = force + 1; /* race-threads, race-blocks here, other */
}

/* Cells that live on by their neighbours, in a new array or in the old one. */
ACCEL_KERNEL(cells, races_args, args)
{
    uint8_t *from = args.b, *to = PICK((uint8_t *)args.l, args.b);
    ACCEL_FOR_EACH_2D(acc, i, j, (size_t)14, (size_t)14) {
        const size_t at = (i + 1) * 16 + j + 1;
        const int alive = from[at - 1] + from[at + 1] + from[at + 16]; /* race-threads, race-blocks here, other */
        to[at] = (uint8_t)(alive == 2);                                /* race-threads, race-blocks here, other */
    }
}

/* A step of a Fourier transform: pairs that lie apart. */
ACCEL_KERNEL(butterfly, races_args, args)
{
    ACCEL_SHARED(acc, float, s[RACES_THREADS]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[PLACE(acc, t)];
    }
    for (size_t h = 1; h < RACES_THREADS; h *= 2)
        ACCEL_THREADS_FIRST(acc, t, RACES_THREADS / 2) {
            const size_t low = PICK(t / h * 2 * h + t % h, t), high = low + h;
            const float a = s[low], b = s[high]; /* race-threads here, other */
            s[low] = a + b;                      /* race-threads here, other */
            s[high] = a - b;                     /* race-threads here, other */
        }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[t];
    }
}

/* Blocks share a product's inner dimension, and add their parts. */
ACCEL_KERNEL(product_parts, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = t / SIDE, j = t % SIDE, b = accel_block_index(acc).x;
        float part = 0;
        for (size_t k = 2 * b; k < 2 * b + 2; k++)
            part += args.x[i * SIDE + k] * args.x[k * SIDE + j];
        ADD(acc, args.y + t, part); /* race-blocks here, other */
    }
}

/* Particles add their charge to the two cells around them. */
ACCEL_THREAD_KERNEL_NOSYNC(deposit, races_args, args)
{
    const size_t i = accel_global_index(acc).x, cell = args.repeated[i];
    ADD(acc, args.y + cell, 0.25f);     /* race-threads, race-blocks here, other */
    ADD(acc, args.y + cell + 1, 0.75f); /* race-threads, race-blocks here, other */
}

/* A linear solver's sweep in two colours, in one launch. The second colour needs other blocks' first. */
ACCEL_KERNEL(two_colours, races_args, args)
{
    ACCEL_FOR_EACH(acc, k, args.n / 2 - 1) {
        args.x[2 * k + 1] = args.x[2 * k]; /* race-threads, race-blocks here, other */
    }
#if defined(RACES_WRONG)
    ACCEL_FOR_EACH(acc, k, args.n / 2 - 1) {
        args.x[2 * k + 2] = args.x[2 * k + 1] + args.x[2 * k + 3]; /* race-threads, race-blocks here, other */
    }
#endif
}

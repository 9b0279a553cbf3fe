/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose iterations depend on each other, or do not. */
#include "variation.h"

enum { SIDE = 16 }; /* x, y are also a square */

ACCEL_KERNEL(anti_next, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n - 1) {
        PICK(args.y, args.x)[i] = args.x[i + 1] + 1; /* race-threads, race-blocks here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(true_previous, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i > 0)
        PICK(args.y, args.x)[i] = args.x[i - 1] * 2; /* race-threads, race-blocks here, other */
}

/* As far apart as a block is long. */
ACCEL_KERNEL(true_block, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t);
        if (i >= RACES_THREADS)
            PICK(args.y, args.x)[i] = args.x[i - RACES_THREADS]; /* race-blocks here, other */
    }
}

/* Only neighbours of one block. */
ACCEL_THREAD_KERNEL_NOSYNC(true_inside, races_args, args)
{
    const size_t t = accel_thread_index(acc).x, i = accel_global_index(acc).x;
    if (t % 8 != 0)
        PICK(args.d, (double *)(void *)args.l)[i] = (double)args.l[i - 1]; /* race-threads here, other */
}

ACCEL_KERNEL(output_scalar, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[PICK(i, 0)] = args.x[i]; /* race-threads, race-blocks here, other */
    }
}

/* Whoever comes last should win, and nobody knows who that is. */
ACCEL_THREAD_KERNEL_NOSYNC(output_last, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (PICK(i == args.n - 1, i > 3))
        args.i[0] = (int32_t)i; /* race-threads, race-blocks here, other */
}

ACCEL_KERNEL(output_modulo, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.d[i % PICK(args.n, 100)] = args.x[i]; /* race-blocks, race-threads here, other */
    }
}

ACCEL_KERNEL(rows_above, races_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, SIDE - 1, SIDE) {
        PICK(args.y, args.x)[(i + 1) * SIDE + j] = args.x[i * SIDE + j] + 1; /* race-threads, race-blocks here, other */
    }
}

/* A thread goes along its row; in the wrong one, along its column. */
ACCEL_KERNEL(rows_along, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, (size_t)SIDE) {
        for (size_t j = 1; j < SIDE; j++) {
            const size_t at = PICK(i * SIDE + j, j * SIDE + i);
            if (at > 0)
                args.x[at] += args.x[at - 1]; /* race-threads, race-blocks here, other */
        }
    }
}

ACCEL_KERNEL(cube_below, races_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, (size_t)4, (size_t)8, (size_t)7) {
        const size_t at = (i * 8 + j) * 8 + k;
        PICK(args.y, args.x)[at] = 0.5f * args.x[at + 1]; /* race-threads, race-blocks here, other */
    }
}

ACCEL_KERNEL(indirect_permuted, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.x[PICK(args.permutation, args.repeated)[i]] += 1; /* race-blocks, race-threads here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(indirect_pairs, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < args.n / 2) {
        float *pair = args.y + i * PICK(2, 1);
        pair[0] = args.x[i]; /* race-threads, race-blocks here, other */
        pair[1] = args.x[i]; /* race-threads, race-blocks here, other */
    }
}

/* The loop of the wrong one is longer than the halves by one. */
ACCEL_KERNEL(halves, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 2 + PICK(0, 1)) {
        if (i + args.n / 2 < args.n)
            args.x[i] = args.x[i + args.n / 2]; /* other */
        else
            args.x[i] = 0; /* race-blocks here */
    }
}

ACCEL_KERNEL(red_and_black, races_args, args)
{
    const size_t step = PICK(2, 1);
    ACCEL_FOR_EACH(acc, k, (args.n - 2) / 2) {
        const size_t i = k * step + 1;
        args.x[i] = args.x[i - 1] + args.x[i + 1]; /* race-threads, race-blocks here, other */
    }
}

/* Loops of equal bounds give an index to the same thread, and no other. */
ACCEL_KERNEL(loops_reversed, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i]; /* race-blocks, race-threads here, other */
    }
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.d[i] = args.y[PICK(i, args.n - 1 - i)]; /* race-blocks, race-threads here, other */
    }
}

ACCEL_KERNEL(loops_unequal, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i]; /* race-threads, race-blocks here, other */
    }
    ACCEL_FOR_EACH(acc, i, PICK(args.n, args.n / 2)) {
        args.d[i] = args.y[i]; /* race-threads, race-blocks here, other */
    }
}

ACCEL_KERNEL(triangle, races_args, args)
{
    ACCEL_FOR_EACH(acc, i, (size_t)40) {
        for (size_t j = 0; j < i; j++)
            args.y[PICK(i, j)] += args.x[i]; /* race-threads, race-blocks here, other */
    }
}

ACCEL_KERNEL(transpose_in_place, races_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, (size_t)SIDE, (size_t)SIDE) {
        if (PICK(i < j, i != j)) {
            const float above = args.x[i * SIDE + j];    /* race-threads, race-blocks here, other */
            args.x[i * SIDE + j] = args.x[j * SIDE + i]; /* race-threads, race-blocks here, other */
            args.x[j * SIDE + i] = above;                /* race-threads, race-blocks here, other */
        }
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(reverse_in_place, races_args, args)
{
    const size_t i = accel_global_index(acc).x, k = args.n - 1 - i;
    if (i < PICK(args.n / 2, args.n)) {
        const float kept = args.x[i]; /* race-blocks here, other */
        args.x[i] = args.x[k];        /* race-blocks here, other */
        args.x[k] = kept;             /* race-blocks here, other */
    }
}

/* All of a block write the same value to its place. */
ACCEL_KERNEL(same_value, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        if (PICK(t == 0, t < RACES_THREADS))
            args.y[accel_block_index(acc).x] = 1; /* race-threads here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(strided, races_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < PICK(args.n / 2, args.n))
        args.d[2 * i % args.n] = args.x[i]; /* race-blocks here, other */
}

/* Two arrays in one buffer, of which the second begins too early. */
ACCEL_KERNEL(overlapping_arrays, races_args, args)
{
    float *upper = args.y + PICK(args.n / 2, args.n / 2 - 8);
    ACCEL_FOR_EACH(acc, i, args.n / 2) {
        args.y[i] = args.x[i];    /* race-blocks, race-threads here, other */
        upper[i] = 2 * args.x[i]; /* race-blocks, race-threads here, other */
    }
}

/* Rows of a matrix product that belongs to one thread, or a sum to which all add. */
ACCEL_KERNEL(product_split, races_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, (size_t)SIDE, (size_t)SIDE) {
        for (size_t k = 0; k < 4; k++) {
            float *to = args.y + PICK(i * SIDE + j, i * SIDE + k);
            *to += args.x[i * SIDE + k] * args.x[k * SIDE + j]; /* race-threads, race-blocks here, other */
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory, as block and as thread kernel. */
#include <accel/kernel.h>
#include "bench_kernels.h"

enum {
    TILE = DGEMM_TILE,
    EACH = DGEMM_ELEMENTS,
    WIDE = TILE * EACH, /* rows and columns of C that a block makes */
    STEP = 8            /* products that a region adds up: as many rows of b as stay in a CPU's vector registers */
};

/* A thread's elements are TILE apart in both directions, so that neighbouring threads work on neighbouring numbers. */
ACCEL_KERNEL_BLOCK(dgemm_block, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[WIDE][TILE]);
    ACCEL_SHARED(acc, double, b[TILE][WIDE]);
    ACCEL_PRIVATE(acc, double, sum[EACH][EACH]);
    const size_t row = accel_block_index(acc).y * WIDE, column = accel_block_index(acc).x * WIDE;

    for (size_t r = 0; r < EACH; ++r)
        for (size_t c = 0; c < EACH; ++c)
            ACCEL_THREADS_NOSYNC(acc, t)
                ACCEL_MY(sum[r][c], t) = 0;
    for (size_t k = 0; k < args.n; k += TILE) {
        for (size_t e = 0; e < WIDE; e += TILE)
            ACCEL_THREADS_2D(acc, ty, tx) {
                a[e + ty][tx] = args.a[(row + e + ty) * args.n + k + tx];
                b[ty][e + tx] = args.b[(k + ty) * args.n + column + e + tx];
            }
        for (size_t step = 0; step < TILE; step += STEP)
            for (size_t r = 0; r < EACH; ++r)
                for (size_t c = 0; c < EACH; ++c)
                    ACCEL_THREADS_2D(acc, ty, tx) {
                        double s = ACCEL_MY(sum[r][c], ty * TILE + tx);
                        for (size_t i = step; i < step + STEP; ++i)
                            s += a[r * TILE + ty][i] * b[i][c * TILE + tx];
                        ACCEL_MY(sum[r][c], ty * TILE + tx) = s;
                    }
    }
    for (size_t r = 0; r < EACH; ++r)
        for (size_t c = 0; c < EACH; ++c)
            ACCEL_THREADS_2D(acc, ty, tx)
                args.c[(row + r * TILE + ty) * args.n + column + c * TILE + tx] = ACCEL_MY(sum[r][c], ty * TILE + tx);
}

/* Few values live across the barriers: what a thread keeps on its stack there is out of the nearest cache when its turn
 * comes again, 255 others later. Four sums, because one would wait for each addition in turn. */
ACCEL_THREAD_KERNEL_BLOCK(dgemm_thread, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[TILE][TILE]);
    ACCEL_SHARED(acc, double, b[TILE][TILE]);
    const size_t ty = accel_thread_index(acc).y, tx = accel_thread_index(acc).x;
    const size_t row = accel_block_index(acc).y * TILE + ty, column = accel_block_index(acc).x * TILE + tx;
    const double *from_a = &args.a[row * args.n + tx], *from_b = &args.b[ty * args.n + column];
    const double *row_of_a = a[ty], *column_of_b = &b[0][tx];

    double sum = 0;
    for (size_t k = 0; k < args.n; k += TILE) {
        a[ty][tx] = from_a[k];
        b[ty][tx] = from_b[k * args.n];
        accel_sync_block(acc);
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t i = 0; i < TILE; i += 4) {
            s0 += row_of_a[i] * column_of_b[i * TILE];
            s1 += row_of_a[i + 1] * column_of_b[(i + 1) * TILE];
            s2 += row_of_a[i + 2] * column_of_b[(i + 2) * TILE];
            s3 += row_of_a[i + 3] * column_of_b[(i + 3) * TILE];
        }
        sum += (s0 + s1) + (s2 + s3);
        accel_sync_block(acc);
    }
    args.c[row * args.n + column] = sum;
}

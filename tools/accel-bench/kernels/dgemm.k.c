/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory, each thread making one element of C: as block and as thread kernel. */
#include <accel/kernel.h>
#include "bench_kernels.h"

enum {
    TILE = DGEMM_TILE,
    STEP = 8, /* products that a region adds up: as many rows of b as stay in a CPU's vector registers */
    LINE = 8  /* numbers in a line of a CPU's cache */
};

/* docs/performance.md tells what each of this kernel's oddities gains. */
ACCEL_KERNEL_BLOCK(dgemm_block, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[TILE][TILE]);
    ACCEL_SHARED(acc, double, b[TILE][TILE]);
    ACCEL_PRIVATE(acc, double, sum);
    const size_t row = accel_block_index(acc).y * TILE, column = accel_block_index(acc).x * TILE;

    ACCEL_THREADS_NOSYNC(acc, t)
        ACCEL_MY(sum, t) = 0;
    for (size_t k = 0; k < args.n; k += TILE) {
        const size_t next = k + TILE < args.n ? k + TILE : k;
        ACCEL_THREADS_2D(acc, ty, tx) {
            a[ty][tx] = args.a[(row + ty) * args.n + k + tx];
            b[ty][tx] = args.b[(k + ty) * args.n + column + tx];
        }
        for (size_t step = 0; step < TILE; step += STEP) {
            double(*rows)[TILE] = &b[step];
            for (size_t i = step; i < step + STEP; ++i)
                for (size_t j = 0; j < TILE; j += LINE)
                    accel_prefetch(acc, &args.b[(next + i) * args.n + column + j]);
            ACCEL_THREADS_2D(acc, ty, tx) {
                double s = ACCEL_MY(sum, ty * TILE + tx);
                for (size_t i = 0; i < STEP; ++i)
                    s += a[ty][step + i] * rows[i][tx];
                ACCEL_MY(sum, ty * TILE + tx) = s;
            }
        }
    }
    ACCEL_THREADS_2D(acc, ty, tx)
        args.c[(row + ty) * args.n + column + tx] = ACCEL_MY(sum, ty * TILE + tx);
}

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

/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory, each thread making one element of C: as block and as thread kernel. */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_KERNEL_BLOCK(dgemm_block, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[DGEMM_TILE][DGEMM_TILE]);
    ACCEL_SHARED(acc, double, b[DGEMM_TILE][DGEMM_TILE]);
    ACCEL_PRIVATE(acc, double, sum);
    const size_t row = accel_block_index(acc).y * DGEMM_TILE, column = accel_block_index(acc).x * DGEMM_TILE;

    ACCEL_THREADS(acc, t)
        ACCEL_MY(sum, t) = 0;
    for (size_t k = 0; k < args.n; k += DGEMM_TILE) {
        ACCEL_THREADS_2D(acc, ty, tx) {
            a[ty][tx] = args.a[(row + ty) * args.n + k + tx];
            b[ty][tx] = args.b[(k + ty) * args.n + column + tx];
        }
        ACCEL_THREADS_2D(acc, ty, tx) {
            double s = ACCEL_MY(sum, ty * DGEMM_TILE + tx);
            for (size_t i = 0; i < DGEMM_TILE; ++i)
                s += a[ty][i] * b[i][tx];
            ACCEL_MY(sum, ty * DGEMM_TILE + tx) = s;
        }
    }
    ACCEL_THREADS_2D(acc, ty, tx)
        args.c[(row + ty) * args.n + column + tx] = ACCEL_MY(sum, ty * DGEMM_TILE + tx);
}

ACCEL_THREAD_KERNEL_BLOCK(dgemm_thread, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[DGEMM_TILE][DGEMM_TILE]);
    ACCEL_SHARED(acc, double, b[DGEMM_TILE][DGEMM_TILE]);
    const size_t ty = accel_thread_index(acc).y, tx = accel_thread_index(acc).x;
    const size_t row = accel_block_index(acc).y * DGEMM_TILE + ty, column = accel_block_index(acc).x * DGEMM_TILE + tx;

    double sum = 0;
    for (size_t k = 0; k < args.n; k += DGEMM_TILE) {
        a[ty][tx] = args.a[row * args.n + k + tx];
        b[ty][tx] = args.b[(k + ty) * args.n + column];
        accel_sync_block(acc);
        for (size_t i = 0; i < DGEMM_TILE; ++i)
            sum += a[ty][i] * b[i][tx];
        accel_sync_block(acc);
    }
    args.c[row * args.n + column] = sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles from CUDA's guide, for GPUs. gpu/kernels.cu has the same, written by hand. */
#include <accel/kernel.h>
#include "bench_kernels.h"

ACCEL_THREAD_KERNEL_BLOCK(dgemm_tiles, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[DGEMM_TILE][DGEMM_TILE]);
    ACCEL_SHARED(acc, double, b[DGEMM_TILE][DGEMM_TILE]);
    const size_t n = args.n, ty = accel_thread_index(acc).y, tx = accel_thread_index(acc).x;
    const size_t row = accel_block_index(acc).y * DGEMM_TILE + ty;
    const size_t column = accel_block_index(acc).x * DGEMM_TILE + tx;
    double s = 0;
    for (size_t k0 = 0; k0 < n; k0 += DGEMM_TILE) {
        a[ty][tx] = args.a[row * n + k0 + tx];
        b[ty][tx] = args.b[(k0 + ty) * n + column];
        accel_sync_block(acc);
        for (size_t k = 0; k < DGEMM_TILE; k++)
            s += a[ty][k] * b[k][tx];
        accel_sync_block(acc);
    }
    args.c[row * n + column] = s;
}

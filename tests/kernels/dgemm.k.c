/* SPDX-License-Identifier: Apache-2.0 */
/* c = a * b, square matrices. Grid of n/16 by n/16 blocks of 16 by 16 threads. */
#include <accel/kernel.h>
#include "dgemm.h"

/* The body of a block kernel; `w` is the block's extent in x. */
#define DGEMM_OF_BLOCK(acc, args)                                                                                      \
    ACCEL_SHARED(acc, double, a[DGEMM_TILE][DGEMM_TILE]);                                                              \
    ACCEL_SHARED(acc, double, b[DGEMM_TILE][DGEMM_TILE]);                                                              \
    ACCEL_PRIVATE(acc, double, sum);                                                                                   \
    const size_t w = accel_block_extent(acc).x;                                                                        \
    const size_t n = args.n;                                                                                           \
    const size_t row = accel_block_index(acc).y * DGEMM_TILE;                                                          \
    const size_t column = accel_block_index(acc).x * DGEMM_TILE;                                                       \
    ACCEL_THREADS(acc, t)                                                                                              \
        ACCEL_MY(sum, t) = 0;                                                                                          \
    for (size_t k0 = 0; k0 < n; k0 += DGEMM_TILE) {                                                                    \
        ACCEL_THREADS_2D(acc, ty, tx) {                                                                                \
            a[ty][tx] = args.a[(row + ty) * n + k0 + tx];                                                              \
            b[ty][tx] = args.b[(k0 + ty) * n + column + tx];                                                           \
        }                                                                                                              \
        ACCEL_THREADS_2D(acc, ty, tx) {                                                                                \
            const size_t t = ty * w + tx;                                                                              \
            double s = ACCEL_MY(sum, t);                                                                               \
            for (size_t k = 0; k < DGEMM_TILE; k++)                                                                    \
                s += a[ty][k] * b[k][tx];                                                                              \
            ACCEL_MY(sum, t) = s;                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_THREADS_2D(acc, ty, tx)                                                                                      \
    args.c[(row + ty) * n + column + tx] = ACCEL_MY(sum, ty * w + tx)

ACCEL_KERNEL(dgemm_block, dgemm_args, args)
{
    DGEMM_OF_BLOCK(acc, args);
}

ACCEL_KERNEL_BLOCK(dgemm_fixed, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    DGEMM_OF_BLOCK(acc, args);
}

ACCEL_THREAD_KERNEL(dgemm_thread, dgemm_args, args)
{
    ACCEL_SHARED(acc, double, a[DGEMM_TILE][DGEMM_TILE]);
    ACCEL_SHARED(acc, double, b[DGEMM_TILE][DGEMM_TILE]);
    const size_t n = args.n;
    const size_t ty = accel_thread_index(acc).y;
    const size_t tx = accel_thread_index(acc).x;
    const size_t row = accel_global_index(acc).y;
    const size_t column = accel_global_index(acc).x;
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

/* Without tiles: fixed extents in a thread kernel. */
ACCEL_THREAD_KERNEL_BLOCK(dgemm_thread_fixed, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    const size_t row = accel_global_index(acc).y;
    const size_t column = accel_global_index(acc).x;
    double s = 0;
    for (size_t k = 0; k < args.n; k++)
        s += args.a[row * args.n + k] * args.b[k * args.n + column];
    args.c[row * args.n + column] = s;
}

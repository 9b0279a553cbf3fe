/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in loops; compiled with accelcc --vector-math. */
#include <accel/kernel.h>
#include "bench_kernels.h"
#include "pairs.h"

ACCEL_KERNEL(float_exponentials, mathematics_args, args)
{
    const float *x = (const float *)args.x;
    float *y = (float *)args.y;
    ACCEL_FOR_EACH(acc, i, args.n)
        y[i] = expf(x[i]);
}

ACCEL_KERNEL(logarithms, mathematics_args, args)
{
    const double *x = (const double *)args.x;
    double *y = (double *)args.y;
    ACCEL_FOR_EACH(acc, i, args.n)
        y[i] = log(x[i]);
}

/* A tile of particles for each block. The others come by tiles through shared memory, and a region takes some of them at a time, so that
 * a thread's sums are fetched and stored less often. */
ACCEL_KERNEL_BLOCK(pair_forces, pairs_args, args, PAIR_TILE)
{
    enum { AT_ONCE = 4 };
    ACCEL_SHARED(acc, float, tile[3][PAIR_TILE]);
    ACCEL_PRIVATE(acc, float, fx);
    ACCEL_PRIVATE(acc, float, fy);
    ACCEL_PRIVATE(acc, float, fz);
    const float *x = args.position, *y = x + args.n, *z = y + args.n;
    const size_t mine = accel_block_index(acc).x * PAIR_TILE;

    ACCEL_THREADS_NOSYNC(acc, t) {
        ACCEL_MY(fx, t) = 0;
        ACCEL_MY(fy, t) = 0;
        ACCEL_MY(fz, t) = 0;
    }
    for (size_t others = 0; others < args.n; others += PAIR_TILE) {
        ACCEL_THREADS(acc, t) {
            tile[0][t] = x[others + t];
            tile[1][t] = y[others + t];
            tile[2][t] = z[others + t];
        }
        for (size_t j = 0; j < PAIR_TILE; j += AT_ONCE)
            ACCEL_THREADS(acc, t) {
                for (size_t k = j; k < j + AT_ONCE; ++k) {
                    const float dx = x[mine + t] - tile[0][k], dy = y[mine + t] - tile[1][k],
                                dz = z[mine + t] - tile[2][k];
                    const float r = pair_distance(dx, dy, dz), factor = pair_factor(r, expf(-r));
                    ACCEL_MY(fx, t) += factor * dx;
                    ACCEL_MY(fy, t) += factor * dy;
                    ACCEL_MY(fz, t) += factor * dz;
                }
            }
    }
    ACCEL_THREADS(acc, t) {
        args.force[mine + t] = ACCEL_MY(fx, t);
        args.force[args.n + mine + t] = ACCEL_MY(fy, t);
        args.force[2 * args.n + mine + t] = ACCEL_MY(fz, t);
    }
}

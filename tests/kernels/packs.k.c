/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on packs, at addresses of any alignment. */
#include <accel/kernel.h>
#include "packs.h"

ACCEL_KERNEL(packs, packs_args, args)
{
    ACCEL_FOR_EACH(acc, i, 1) {
        args.sums[2 + i] = ACCEL_PACK_DOUBLES;
    }
    ACCEL_FOR_EACH(acc, p, args.n / ACCEL_PACK_DOUBLES) {
        double *at = &args.d[p * ACCEL_PACK_DOUBLES];
        const accel_pack_double x = accel_pack_load(at);
        accel_atomic_add(acc, &args.sums[0], accel_pack_sum(x));
        accel_pack_store(at, 2 * x + accel_pack_all(1.0) - x / 4);
    }
    ACCEL_FOR_EACH(acc, p, args.n / ACCEL_PACK_FLOATS) {
        float *at = &args.f[p * ACCEL_PACK_FLOATS];
        const accel_pack_float x = accel_pack_load(at);
        accel_atomic_add(acc, &args.sums[1], (double)accel_pack_sum(x));
        accel_pack_store(at, x * x - accel_pack_all(3.0f));
    }
    ACCEL_FOR_EACH(acc, i, args.n % ACCEL_PACK_DOUBLES) {
        double *at = &args.d[args.n - 1 - i];
        accel_atomic_add(acc, &args.sums[0], *at);
        *at = 2 * *at + 1 - *at / 4;
    }
    ACCEL_FOR_EACH(acc, i, args.n % ACCEL_PACK_FLOATS) {
        float *at = &args.f[args.n - 1 - i];
        accel_atomic_add(acc, &args.sums[1], (double)*at);
        *at = *at * *at - 3;
    }
}

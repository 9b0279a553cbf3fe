/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "bench_kernels.h"

/* The same in packs; the last one may hold fewer numbers than fill it. */
ACCEL_KERNEL(axpy_packs, axpy_args, args)
{
    const size_t whole = args.n / ACCEL_PACK_DOUBLES, rest = args.n % ACCEL_PACK_DOUBLES;
    ACCEL_FOR_EACH(acc, p, whole + (rest != 0)) {
        const size_t at = p * ACCEL_PACK_DOUBLES;
        if (p < whole) {
            accel_pack_store(&args.y[at], accel_pack_load(&args.y[at]) + args.a * accel_pack_load(&args.x[at]));
        } else {
            const accel_mask_64 inside = accel_mask_first(double, rest);
            const accel_pack_double zero = accel_pack_all(0.0);
            const accel_pack_double y = accel_pack_load_masked(inside, &args.y[at], zero);
            accel_pack_store_masked(inside, &args.y[at],
                                    y + args.a * accel_pack_load_masked(inside, &args.x[at], zero));
        }
    }
}

ACCEL_KERNEL(axpy, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += args.a * args.x[i];
}

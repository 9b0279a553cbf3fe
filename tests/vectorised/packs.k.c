/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over packs; packs.sh says which instructions each has. */
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *x;
    float *f;
    int32_t *i;
    uint64_t *u;
} packs_args;

#define EACH_DOUBLES(at) ACCEL_FOR_EACH(acc, at, args.n / ACCEL_PACK_DOUBLES)
#define EACH_FLOATS(at) ACCEL_FOR_EACH(acc, at, args.n / ACCEL_PACK_FLOATS)

ACCEL_KERNEL(choose, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        const accel_pack_double x = accel_pack_load(at);
        accel_pack_store(at, accel_pack_select(accel_pack_less(x, 3.0), x * x, accel_pack_abs(x)));
    }
}
ACCEL_KERNEL(order, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        const accel_pack_double x = accel_pack_load(at);
        accel_pack_store(at, accel_pack_max(accel_pack_min(x, x * x), accel_pack_all(-1.0)));
    }
}
ACCEL_KERNEL(roots, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        accel_pack_store(at, accel_pack_sqrt(accel_pack_load(at)));
    }
}
ACCEL_KERNEL(rounded, packs_args, args)
{
    EACH_FLOATS(p)
    {
        float *at = args.f + p * ACCEL_PACK_FLOATS;
        accel_pack_store(at, accel_pack_floor(accel_pack_load(at)));
    }
}
ACCEL_KERNEL(fused, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        const accel_pack_double x = accel_pack_load(at);
        accel_pack_store(at, accel_pack_fma(x, x, accel_pack_all(2.0)));
    }
}
ACCEL_KERNEL(ends, packs_args, args)
{
    ACCEL_FOR_EACH(acc, p, (args.n + ACCEL_PACK_DOUBLES - 1) / ACCEL_PACK_DOUBLES) {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        const accel_mask_64 m = accel_mask_first(double, args.n - p * ACCEL_PACK_DOUBLES);
        accel_pack_store_masked(m, at, 2 * accel_pack_load_masked(m, at, accel_pack_all(0.0)));
    }
}
ACCEL_KERNEL(integers, packs_args, args)
{
    EACH_FLOATS(p)
    {
        int32_t *at = args.i + p * ACCEL_PACK_FLOATS;
        const accel_pack_int32 i = accel_pack_load(at);
        accel_pack_store(at, accel_pack_select(accel_pack_greater(i, 7), i * 3 + 5, i));
    }
}
ACCEL_KERNEL(converted, packs_args, args)
{
    EACH_FLOATS(p)
    {
        const accel_pack_int32 i = accel_pack_load(args.i + p * ACCEL_PACK_FLOATS);
        accel_pack_store(args.f + p * ACCEL_PACK_FLOATS, accel_pack_convert(float, i));
    }
}
ACCEL_KERNEL(voted, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        const accel_pack_double x = accel_pack_load(args.x + p * ACCEL_PACK_DOUBLES);
        if (accel_mask_any(accel_pack_less(x, 0.0)))
            args.u[p] = p;
    }
}
ACCEL_KERNEL(sums, packs_args, args)
{
    ACCEL_FOR_EACH(acc, p, args.n / 16) {
        accel_pack_double products[16 / ACCEL_PACK_DOUBLES];
        for (size_t k = 0; k < 16 / ACCEL_PACK_DOUBLES; ++k) {
            const accel_pack_double x = accel_pack_load(args.x + 16 * p + k * ACCEL_PACK_DOUBLES);
            products[k] = x * x;
        }
        args.x[16 * p] = accel_pack_sum_of(products, 16 / ACCEL_PACK_DOUBLES);
    }
}
ACCEL_KERNEL(exponentials, packs_args, args)
{
    EACH_DOUBLES(p)
    {
        double *at = args.x + p * ACCEL_PACK_DOUBLES;
        accel_pack_store(at, accel_pack_exp(accel_pack_load(at)));
    }
}
ACCEL_KERNEL(tangents, packs_args, args)
{
    EACH_FLOATS(p)
    {
        float *at = args.f + p * ACCEL_PACK_FLOATS;
        accel_pack_store(at, accel_pack_tanh(accel_pack_load(at)));
    }
}
ACCEL_KERNEL(transposed, packs_args, args)
{
    ACCEL_FOR_EACH(acc, s, args.n / (ACCEL_PACK_FLOATS * ACCEL_PACK_FLOATS)) {
        float *at = args.f + s * ACCEL_PACK_FLOATS * ACCEL_PACK_FLOATS;
        accel_pack_float square[ACCEL_PACK_FLOATS];
        ACCEL_UNROLL(ACCEL_PACK_FLOATS)
        for (size_t i = 0; i < ACCEL_PACK_FLOATS; i++)
            square[i] = accel_pack_load(at + i * ACCEL_PACK_FLOATS);
        accel_pack_transpose(square);
        ACCEL_UNROLL(ACCEL_PACK_FLOATS)
        for (size_t i = 0; i < ACCEL_PACK_FLOATS; i++)
            accel_pack_store(at + i * ACCEL_PACK_FLOATS, square[i]);
    }
}

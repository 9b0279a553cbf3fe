/* SPDX-License-Identifier: Apache-2.0 */
/* Packs and masks, at addresses of any alignment. */
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

#define PACKS_ORDER(T) packs_order_##T
#define DEFINE_PACKS_ORDER(T, N, LANES, mask)                                                                          \
    ACCEL_KERNEL(PACKS_ORDER(T), packs_order_args, args)                                                               \
    {                                                                                                                  \
        const N *a = (const N *)args.a, *b = (const N *)args.b;                                                        \
        N *out = (N *)args.out;                                                                                        \
        ACCEL_FOR_EACH(acc, p, (args.n + (LANES)-1) / (LANES)) {                                                       \
            const size_t at = p * (LANES);                                                                             \
            const mask m = accel_mask_first(T, args.n - at);                                                           \
            const accel_pack_##T x = accel_pack_load_masked(m, a + at, accel_pack_all((N)0));                          \
            const accel_pack_##T y = accel_pack_load_masked(m, b + at, accel_pack_all((N)0));                          \
            const mask less = accel_mask_and(m, accel_pack_less(x, y));                                                \
            const mask unordered = accel_mask_or(accel_pack_not_equal(x, x), accel_pack_not_equal(y, y));              \
            const mask other =                                                                                         \
                accel_mask_or(accel_mask_not(m), accel_mask_or(unordered, accel_pack_greater_equal(x, y)));            \
            accel_pack_store_masked(m, out + at, accel_pack_min(x, y));                                                \
            accel_pack_store_masked(m, out + args.n + at, accel_pack_max(x, y));                                       \
            accel_pack_store_masked(m, out + 2 * args.n + at, accel_pack_select(less, x + y, x - y));                  \
            accel_pack_store_masked(m, out + 3 * args.n + at, x * y);                                                  \
            accel_atomic_add(acc, &args.counts[0], accel_mask_count(less));                                            \
            accel_atomic_add(acc, &args.counts[1], accel_mask_count(accel_mask_and(m, accel_pack_less_equal(x, y))));  \
            accel_atomic_add(acc, &args.counts[2], accel_mask_count(accel_mask_and(m, accel_pack_equal(x, y))));       \
            accel_atomic_add(acc, &args.counts[3], accel_mask_count(accel_mask_and(m, accel_pack_not_equal(x, y))));   \
            accel_atomic_add(acc, &args.counts[4], accel_mask_count(accel_mask_and(m, accel_pack_greater(x, y))));     \
            accel_atomic_add(acc, &args.counts[5], accel_mask_count(m) - accel_mask_count(less));                      \
            uint32_t wrong = accel_mask_any(less) != (accel_mask_count(less) > 0);                                     \
            wrong += accel_mask_all(less) != (accel_mask_count(less) == (LANES));                                      \
            wrong += accel_mask_count(less) + accel_mask_count(other) != (LANES);                                      \
            wrong += (accel_mask_bits(less) ^ accel_mask_bits(other)) != (1u << (LANES)) - 1;                          \
            wrong += !accel_mask_all(accel_mask_first(T, LANES)) || accel_mask_any(accel_mask_first(T, 0));            \
            for (size_t k = 0; k < (LANES); ++k)                                                                       \
                wrong += (accel_mask_bits(less) >> k & 1) !=                                                           \
                         (at + k < args.n && accel_pack_lane(x, k) < accel_pack_lane(y, k));                           \
            accel_atomic_add(acc, &args.counts[6], wrong);                                                             \
        }                                                                                                              \
    }
DEFINE_PACKS_ORDER(float, float, ACCEL_PACK_FLOATS, accel_mask_32)
DEFINE_PACKS_ORDER(double, double, ACCEL_PACK_DOUBLES, accel_mask_64)
DEFINE_PACKS_ORDER(int32, int32_t, ACCEL_PACK_FLOATS, accel_mask_32)
DEFINE_PACKS_ORDER(int64, int64_t, ACCEL_PACK_DOUBLES, accel_mask_64)
DEFINE_PACKS_ORDER(uint32, uint32_t, ACCEL_PACK_FLOATS, accel_mask_32)
DEFINE_PACKS_ORDER(uint64, uint64_t, ACCEL_PACK_DOUBLES, accel_mask_64)

ACCEL_KERNEL(packs_memory, packs_memory_args, args)
{
    ACCEL_FOR_EACH(acc, p, args.n / ACCEL_PACK_DOUBLES) {
        const size_t at = p * ACCEL_PACK_DOUBLES;
        accel_pack_double sum =
            accel_pack_load_as(double, args.bytes + at) + accel_pack_load_as(double, args.words + at);
        sum = sum + accel_pack_load_as(double, args.longs + at) + accel_pack_load_as(double, args.floats + at);
        accel_pack_store(args.sums + at, sum + accel_pack_load_as(double, args.doubles + at));
        const accel_pack_uint64 shorts = accel_pack_load_as(uint64, args.shorts + at);
        const accel_pack_uint64 words = accel_pack_load_as(uint64, args.unsigned_words + at);
        accel_pack_store(args.total + at, shorts + words + accel_pack_load(args.unsigned_longs + at));

        const accel_pack_int64 i = accel_pack_from((int64_t)at);
        const accel_pack_int64 back = accel_pack_all((int64_t)args.n - 1) - i;
        accel_pack_store(args.turned + at, accel_pack_gather(args.doubles, back));
        const accel_pack_int64 value = 3 * i - 70;
        accel_pack_store_as(args.bytes + at, value);
        accel_pack_store_as(args.words + at, value);
        accel_pack_store_as(args.longs + at, value);
        accel_pack_store_as(args.shorts + at, accel_pack_convert(uint64, i) * 3);
    }
    ACCEL_FOR_EACH(acc, p, (args.n + ACCEL_PACK_FLOATS - 1) / ACCEL_PACK_FLOATS) {
        const size_t at = p * ACCEL_PACK_FLOATS;
        const accel_mask_32 m = accel_mask_first(uint32, args.n - at);
        const accel_pack_uint32 i = accel_pack_from((uint32_t)at);
        const accel_pack_uint32 back = accel_pack_all((uint32_t)args.n - 1) - i;
        const accel_pack_int32 index = accel_pack_convert(int32, accel_pack_select(m, i, accel_pack_all(0u)));
        const accel_pack_float x = accel_pack_gather_masked(m, args.floats, index, accel_pack_all(0.0f));
        accel_pack_scatter_masked(m, args.permuted, back, x);
    }
    ACCEL_FOR_EACH(acc, i, args.n % ACCEL_PACK_DOUBLES) {
        const size_t at = args.n - 1 - i;
        args.sums[at] =
            args.bytes[at] + args.words[at] + (double)args.longs[at] + (double)args.floats[at] + args.doubles[at];
        args.total[at] = args.shorts[at] + args.unsigned_words[at] + args.unsigned_longs[at];
        args.turned[at] = args.doubles[args.n - 1 - at];
        args.bytes[at] = (int8_t)(3 * at - 70);
        args.words[at] = (int32_t)(3 * at) - 70;
        args.longs[at] = (int64_t)(3 * at) - 70;
        args.shorts[at] = (uint16_t)(3 * at);
    }
}

/* Two different bits are two different values; all are positive or 0 < |x|. */
#define COMPARE(k, pack, number)                                                                                       \
    for (size_t lane = 0; lane < lanes; ++lane)                                                                        \
        accel_atomic_add(acc, &args.wrong[k], accel_pack_lane(pack, lane) != (number) ? 1u : 0u);
#define FUNCTION(k, f) COMPARE(k, accel_pack_##f(x), f(accel_pack_lane(x, lane)))
#define FUNCTION_2(k, f) COMPARE(k, accel_pack_##f(x, y), f(accel_pack_lane(x, lane), accel_pack_lane(y, lane)))
#define PACKS_FUNCTIONS_OF(k)                                                                                          \
    FUNCTION(k + 0, sqrt)                                                                                              \
    FUNCTION(k + 1, exp)                                                                                               \
    FUNCTION(k + 2, log)                                                                                               \
    FUNCTION(k + 3, sin)                                                                                               \
    FUNCTION(k + 4, tanh)                                                                                              \
    FUNCTION(k + 5, floor)                                                                                             \
    FUNCTION(k + 6, ceil)                                                                                              \
    FUNCTION(k + 7, trunc)                                                                                             \
    FUNCTION(k + 8, rint)                                                                                              \
    FUNCTION(k + 9, round)                                                                                             \
    FUNCTION(k + 10, rsqrt)                                                                                            \
    FUNCTION_2(k + 11, pow)                                                                                            \
    FUNCTION_2(k + 12, hypot)                                                                                          \
    FUNCTION_2(k + 13, fmod)                                                                                           \
    FUNCTION_2(k + 14, copysign)                                                                                       \
    COMPARE(k + 15, accel_pack_abs(-x), accel_pack_lane(x, lane))                                                      \
    COMPARE(k + 16, accel_pack_fma(x, y, x),                                                                           \
            fma(accel_pack_lane(x, lane), accel_pack_lane(y, lane), accel_pack_lane(x, lane)))

ACCEL_KERNEL(packs_functions, packs_functions_args, args)
{
    ACCEL_FOR_EACH(acc, p, args.n / ACCEL_PACK_DOUBLES) {
        const size_t lanes = ACCEL_PACK_DOUBLES;
        const accel_pack_double x = accel_pack_load(args.x + p * ACCEL_PACK_DOUBLES), y = 3 * x - 7;
        PACKS_FUNCTIONS_OF(0)
        COMPARE(34, accel_pack_abs(accel_pack_convert(int64, y)), abs((int64_t)accel_pack_lane(y, lane)))
    }
    ACCEL_FOR_EACH(acc, p, args.n / ACCEL_PACK_FLOATS) {
        const size_t lanes = ACCEL_PACK_FLOATS;
        const accel_pack_float x = accel_pack_load_as(float, args.x + p * ACCEL_PACK_FLOATS), y = 3 * x - 7;
        PACKS_FUNCTIONS_OF(17)
        COMPARE(35, accel_pack_abs(accel_pack_convert(int32, y)), abs((int32_t)accel_pack_lane(y, lane)))
    }
}

/* The least and greatest of an array of packs, in the order of sums. */
#define PACKS_SUMS_OF(T, LANES, x, y, sums)                                                                            \
    ACCEL_FOR_EACH(acc, i, args.n) {                                                                                   \
        accel_pack_##T products[PACKS_SUMMED / (LANES)], least = accel_pack_load(&(x)[PACKS_SUMMED * i]);              \
        accel_pack_##T greatest = least;                                                                               \
        for (size_t k = 0; k < PACKS_SUMMED / (LANES); ++k) {                                                          \
            const accel_pack_##T a = accel_pack_load(&(x)[PACKS_SUMMED * i + k * (LANES)]);                            \
            products[k] = a * accel_pack_load(&(y)[PACKS_SUMMED * i + k * (LANES)]);                                   \
            least = accel_pack_min(least, a);                                                                          \
            greatest = accel_pack_max(greatest, a);                                                                    \
        }                                                                                                              \
        (sums)[3 * i] = accel_pack_sum_of(products, PACKS_SUMMED / (LANES));                                           \
        (sums)[3 * i + 1] = accel_pack_lowest(least);                                                                  \
        (sums)[3 * i + 2] = accel_pack_highest(greatest);                                                              \
    }
ACCEL_KERNEL(packs_sums, packs_sums_args, args)
{
    PACKS_SUMS_OF(double, ACCEL_PACK_DOUBLES, args.x, args.y, args.sums);
    PACKS_SUMS_OF(float, ACCEL_PACK_FLOATS, args.u, args.v, args.float_sums);
}

/* Squares of packs one by one: those off the diagonal change places. */
#define PACKS_TRANSPOSE_OF(T, LANES, numbers)                                                                          \
    ACCEL_FOR_EACH(acc, s, args.n) {                                                                                   \
        for (size_t i = 0; i < PACKS_SIDE; i += (LANES))                                                               \
            for (size_t j = i; j < PACKS_SIDE; j += (LANES)) {                                                         \
                accel_pack_##T above[LANES], below[LANES];                                                             \
                for (size_t k = 0; k < (LANES); ++k) {                                                                 \
                    above[k] = accel_pack_load(&(numbers)[(s * PACKS_SIDE + i + k) * PACKS_SIDE + j]);                 \
                    below[k] = accel_pack_load(&(numbers)[(s * PACKS_SIDE + j + k) * PACKS_SIDE + i]);                 \
                }                                                                                                      \
                accel_pack_transpose(above);                                                                           \
                accel_pack_transpose(below);                                                                           \
                for (size_t k = 0; k < (LANES); ++k) {                                                                 \
                    accel_pack_store(&(numbers)[(s * PACKS_SIDE + i + k) * PACKS_SIDE + j], below[k]);                 \
                    accel_pack_store(&(numbers)[(s * PACKS_SIDE + j + k) * PACKS_SIDE + i], above[k]);                 \
                }                                                                                                      \
            }                                                                                                          \
    }
ACCEL_KERNEL(packs_transpose, packs_transpose_args, args)
{
    PACKS_TRANSPOSE_OF(double, ACCEL_PACK_DOUBLES, args.doubles);
    PACKS_TRANSPOSE_OF(float, ACCEL_PACK_FLOATS, args.floats);
    PACKS_TRANSPOSE_OF(int64, ACCEL_PACK_DOUBLES, args.longs);
    PACKS_TRANSPOSE_OF(int32, ACCEL_PACK_FLOATS, args.words);
    PACKS_TRANSPOSE_OF(uint64, ACCEL_PACK_DOUBLES, args.unsigned_longs);
    PACKS_TRANSPOSE_OF(uint32, ACCEL_PACK_FLOATS, args.unsigned_words);
}

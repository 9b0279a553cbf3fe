/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of integers: operators, sums, the least and the greatest, indices of both kinds, conversions. Any work division. */
#include <accel/kernel.h>
#include "pack_integers.h"

#define STORE(v) accel_pack_store(out + rows * row++, v)
#define INTEGERS_NAME(T) pack_integers_##T
#define DEFINE_PACK_INTEGERS(T, N, LANES, I, U)                                                                        \
    ACCEL_KERNEL(INTEGERS_NAME(T), pack_integers_args, args)                                                           \
    {                                                                                                                  \
        const size_t rows = PACK_PIECE * args.n;                                                                       \
        ACCEL_FOR_EACH(acc, i, args.n) {                                                                               \
            const N *piece = (const N *)args.a + PACK_PIECE * i;                                                       \
            N *all = (N *)args.out + PACK_PIECE * i, *folds = (N *)args.folds + PACK_FOLDS * i, sum = 0;               \
            accel_pack_##T packs[PACK_PIECE / (LANES)], least = accel_pack_load(piece), greatest = least;              \
            for (size_t k = 0; k < PACK_PIECE / (LANES); ++k) {                                                        \
                const size_t at = k * (LANES);                                                                         \
                const accel_pack_##T a = accel_pack_load(piece + at);                                                  \
                const accel_pack_##T b = accel_pack_load((const N *)args.b + PACK_PIECE * i + at);                     \
                const accel_pack_##U back = (U##_t)(PACK_PIECE - 1) - accel_pack_from((U##_t)at);                      \
                const accel_pack_##I cell = accel_pack_from((I##_t)at) % (I##_t)PACK_CELLS;                            \
                N *out = all + at;                                                                                     \
                size_t row = 0;                                                                                        \
                STORE(a / b);                                                                                          \
                STORE(a % b);                                                                                          \
                STORE(a &b);                                                                                           \
                STORE(a | b);                                                                                          \
                STORE(a ^ b);                                                                                          \
                STORE(~a);                                                                                             \
                STORE((a & 1023) << b);                                                                                \
                STORE(a >> b);                                                                                         \
                STORE(accel_pack_gather(piece, back));                                                                 \
                accel_pack_scatter(all + rows * row++, back, a);                                                       \
                accel_pack_scatter(all + rows * row++, cell, a);                                                       \
                packs[k] = a;                                                                                          \
                sum = (N)(sum + accel_pack_sum(a));                                                                    \
                least = accel_pack_min(least, a);                                                                      \
                greatest = accel_pack_max(greatest, a);                                                                \
            }                                                                                                          \
            folds[0] = sum;                                                                                            \
            folds[1] = accel_pack_sum_of(packs, PACK_PIECE / (LANES));                                                 \
            folds[2] = accel_pack_lowest(least);                                                                       \
            folds[3] = accel_pack_highest(greatest);                                                                   \
        }                                                                                                              \
    }
DEFINE_PACK_INTEGERS(int32, int32_t, ACCEL_PACK_FLOATS, int32, uint32)
DEFINE_PACK_INTEGERS(uint32, uint32_t, ACCEL_PACK_FLOATS, int32, uint32)
DEFINE_PACK_INTEGERS(int64, int64_t, ACCEL_PACK_DOUBLES, int64, uint64)
DEFINE_PACK_INTEGERS(uint64, uint64_t, ACCEL_PACK_DOUBLES, int64, uint64)

#define CONVERSIONS_NAME(bits) pack_conversions_##bits
#define LOAD(row, N) accel_pack_load_masked(m, (const N *)args.in + args.n * (row) + at, accel_pack_all((N)0))
#define CONVERT(row, T, N, v) accel_pack_store_masked(m, (N *)args.out + args.n * (row) + at, accel_pack_convert(T, v))
#define DEFINE_PACK_CONVERSIONS(bits, R, I, U, LANES)                                                                  \
    ACCEL_KERNEL(CONVERSIONS_NAME(bits), pack_conversions_args, args)                                                  \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, p, (args.n + (LANES)-1) / (LANES)) {                                                       \
            const size_t at = p * (LANES);                                                                             \
            const accel_mask_##bits m = accel_mask_first(R, args.n - at);                                              \
            CONVERT(0, R, R, LOAD(0, I##_t));                                                                          \
            CONVERT(1, R, R, LOAD(1, U##_t));                                                                          \
            CONVERT(2, I, I##_t, LOAD(2, R));                                                                          \
            CONVERT(3, U, U##_t, LOAD(3, R));                                                                          \
            CONVERT(4, I, I##_t, LOAD(1, U##_t));                                                                      \
            CONVERT(5, U, U##_t, LOAD(0, I##_t));                                                                      \
        }                                                                                                              \
    }
DEFINE_PACK_CONVERSIONS(32, float, int32, uint32, ACCEL_PACK_FLOATS)
DEFINE_PACK_CONVERSIONS(64, double, int64, uint64, ACCEL_PACK_DOUBLES)

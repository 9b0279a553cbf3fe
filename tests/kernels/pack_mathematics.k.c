/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of packs that packs.k.c does not have, of floats and of doubles. Any work division. */
#include <accel/kernel.h>
#include "pack_mathematics.h"

#define ONE(f, argument) accel_pack_store_masked(m, out + args.n * row++, accel_pack_##f(argument));
#define TWO(f, first, second) accel_pack_store_masked(m, out + args.n * row++, accel_pack_##f(first, second));
#define KERNEL_NAME(T) pack_mathematics_##T
#define DEFINE_PACK_MATHEMATICS(T, LANES, mask)                                                                        \
    ACCEL_KERNEL(KERNEL_NAME(T), pack_mathematics_args, args)                                                          \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, p, (args.n + (LANES)-1) / (LANES)) {                                                       \
            const size_t at = p * (LANES);                                                                             \
            const mask m = accel_mask_first(T, args.n - at);                                                           \
            const accel_pack_##T half = accel_pack_all((T)0.5);                                                        \
            const accel_pack_##T x = accel_pack_load_masked(m, (const T *)args.x + at, half);                          \
            const accel_pack_##T y = accel_pack_load_masked(m, (const T *)args.y + at, half);                          \
            T *out = (T *)args.out + at;                                                                               \
            size_t row = 0;                                                                                            \
            PACK_MATHEMATICS_ONE(ONE)                                                                                  \
            PACK_MATHEMATICS_TWO(TWO)                                                                                  \
        }                                                                                                              \
    }
DEFINE_PACK_MATHEMATICS(float, ACCEL_PACK_FLOATS, accel_mask_32)
DEFINE_PACK_MATHEMATICS(double, ACCEL_PACK_DOUBLES, accel_mask_64)

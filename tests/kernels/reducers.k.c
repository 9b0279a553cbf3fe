/* SPDX-License-Identifier: Apache-2.0 */
/* Every reducer on pairs of values, and what it starts with. Any work division. */
#include <accel/kernel.h>
#include <accel/kernel/reducer.h>
#include "reducers.h"

ACCEL_REDUCER(mean, mean_join, a, b, {0, 0})
{
    a.sum += b.sum;
    a.count += b.count;
    return a;
}

/* A result, of what `make` builds of a number and its index. */
#define JOIN(T, reducer, member, make)                                                                                 \
    do {                                                                                                               \
        const T start = accel_start_##reducer((T *)0);                                                                 \
        T joined = start;                                                                                              \
        if (i < args.n) {                                                                                              \
            const T first = make(args.a[i], 2 * i), second = make(args.b[i], 2 * i + 1);                               \
            accel_into_##reducer(&joined, &first);                                                                     \
            accel_into_##reducer(&joined, &second);                                                                    \
        }                                                                                                              \
        args.out[i].member = joined;                                                                                   \
    } while (0)

#define NUMBER8(x, at) (int8_t)(x)
#define UNSIGNED8(x, at) (uint8_t)(x)
#define NUMBER16(x, at) (int16_t)(x)
#define NUMBER32(x, at) (x)
#define NUMBER64(x, at) (uint64_t)(x)
#define FLOAT(x, at) ((x) == 0 ? NAN : (float)(x))
#define DOUBLE(x, at) ((x) == 0 ? (double)NAN : (double)(x))

ACCEL_FN double_range range_of(int32_t x)
{
    const double_range range = {(double)x, (double)x};
    return range;
}
#define RANGE(x, at) range_of(x)
ACCEL_FN short_place place_of(int32_t x, size_t at)
{
    const short_place place = {(int16_t)x, (uint32_t)at};
    return place;
}
#define PLACE(x, at) place_of(x, at)
ACCEL_FN float_places places_of(int32_t x, size_t at)
{
    const float_places places = {(float)x, (float)x, at, at};
    return places;
}
#define PLACES(x, at) places_of(x, at)
ACCEL_FN mean mean_of(int32_t x)
{
    const mean one = {(double)x, 1};
    return one;
}
#define MEAN(x, at) mean_of(x)

ACCEL_KERNEL(reducers, reducers_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n + 1) {
        JOIN(int8_t, ACCEL_SUM, sum8, NUMBER8);
        JOIN(uint64_t, ACCEL_PROD, prod64, NUMBER64);
        JOIN(int16_t, ACCEL_MIN, min16, NUMBER16);
        JOIN(uint8_t, ACCEL_MAX, max8, UNSIGNED8);
        JOIN(float, ACCEL_MIN, min_float, FLOAT);
        JOIN(double, ACCEL_MAX, max_double, DOUBLE);
        JOIN(int32_t, ACCEL_AND, all, NUMBER32);
        JOIN(int32_t, ACCEL_OR, any, NUMBER32);
        JOIN(int32_t, ACCEL_XOR, odd, NUMBER32);
        JOIN(int32_t, ACCEL_BIT_AND, bit_and, NUMBER32);
        JOIN(int32_t, ACCEL_BIT_OR, bit_or, NUMBER32);
        JOIN(int32_t, ACCEL_BIT_XOR, bit_xor, NUMBER32);
        JOIN(double_range, ACCEL_MINMAX, range, RANGE);
        JOIN(short_place, ACCEL_MINLOC, lowest, PLACE);
        JOIN(short_place, ACCEL_MAXLOC, highest, PLACE);
        JOIN(float_places, ACCEL_MINMAXLOC, places, PLACES);
        JOIN(mean, mean_join, means, MEAN);
    }
}

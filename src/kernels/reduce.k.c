/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and scans of the values of a buffer. Sums and products of signed and unsigned integers have the same bits. */
#include <accel/algorithm.h>
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "kernels/reduce.h"

#define REDUCE_VALUES(name, T, reducer)                                                                                \
    ACCEL_REDUCE(name, reduce_values_args, args, i, T, reducer)                                                        \
    {                                                                                                                  \
        return ((const T *)args.values)[i];                                                                            \
    }

REDUCE_VALUES(sum_uint32, uint32_t, ACCEL_SUM)
REDUCE_VALUES(sum_uint64, uint64_t, ACCEL_SUM)
REDUCE_VALUES(sum_float, float, ACCEL_SUM)
REDUCE_VALUES(sum_double, double, ACCEL_SUM)
REDUCE_VALUES(prod_uint32, uint32_t, ACCEL_PROD)
REDUCE_VALUES(prod_uint64, uint64_t, ACCEL_PROD)
REDUCE_VALUES(prod_float, float, ACCEL_PROD)
REDUCE_VALUES(prod_double, double, ACCEL_PROD)
REDUCE_VALUES(min_int32, int32_t, ACCEL_MIN)
REDUCE_VALUES(min_uint32, uint32_t, ACCEL_MIN)
REDUCE_VALUES(min_int64, int64_t, ACCEL_MIN)
REDUCE_VALUES(min_uint64, uint64_t, ACCEL_MIN)
REDUCE_VALUES(min_float, float, ACCEL_MIN)
REDUCE_VALUES(min_double, double, ACCEL_MIN)
REDUCE_VALUES(max_int32, int32_t, ACCEL_MAX)
REDUCE_VALUES(max_uint32, uint32_t, ACCEL_MAX)
REDUCE_VALUES(max_int64, int64_t, ACCEL_MAX)
REDUCE_VALUES(max_uint64, uint64_t, ACCEL_MAX)
REDUCE_VALUES(max_float, float, ACCEL_MAX)
REDUCE_VALUES(max_double, double, ACCEL_MAX)

#define SCAN_VALUES(name, T, reducer)                                                                                  \
    ACCEL_SCAN(name, reduce_values_args, args, i, T, reducer, (const T *)args.values)                                  \
    {                                                                                                                  \
        return ((const T *)args.values)[i];                                                                            \
    }

SCAN_VALUES(scan_sum_uint32, uint32_t, ACCEL_SUM)
SCAN_VALUES(scan_sum_uint64, uint64_t, ACCEL_SUM)
SCAN_VALUES(scan_sum_float, float, ACCEL_SUM)
SCAN_VALUES(scan_sum_double, double, ACCEL_SUM)
SCAN_VALUES(scan_prod_float, float, ACCEL_PROD)
SCAN_VALUES(scan_prod_double, double, ACCEL_PROD)

/* The other scans are one kernel: their joins give the same bits in any order. Floating-point numbers are doubles on the
 * way. */
ACCEL_FN double double_of(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } word;
    word.bits = bits;
    return word.value;
}

ACCEL_FN uint64_t bits_of(double value)
{
    union {
        double value;
        uint64_t bits;
    } word;
    word.value = value;
    return word.bits;
}

/* SCAN_NOTHING joined to anything is that. No copies of this for GPUs: they would take a second to compile. */
#if !defined(ACCEL_KERNEL_CPU_H)
__attribute__((noinline))
#endif
ACCEL_FN scan_value
scan_joined(scan_value a, const scan_value b)
{
    uint64_t bits = b.bits;
    switch (a.join) {
    case SCAN_MIN:
        bits = b.bits < a.bits ? b.bits : a.bits;
        break;
    case SCAN_MIN_FLOATING:
        bits = double_of(b.bits) < double_of(a.bits) ? b.bits : a.bits;
        break;
    case SCAN_PROD:
        bits = a.bits * b.bits;
        break;
    default:
        break;
    }
    a.bits = b.join == SCAN_NOTHING ? a.bits : bits;
    a.join |= b.join;
    return a;
}

ACCEL_REDUCER(scan_value, scan_join, a, b, {0, SCAN_NOTHING, 0})
{
    return scan_joined(a, b);
}

#if defined(ACCEL_KERNEL_CPU_H)
#include "kernels/scan_any.h"
#else
ACCEL_FN uint64_t scan_load(const scan_values_args *args, size_t i)
{
    switch (args->type) {
    case ACCEL_TYPE_INT32:
    case ACCEL_TYPE_UINT32:
        return ((const uint32_t *)args->values)[i];
    case ACCEL_TYPE_FLOAT:
        return bits_of((double)((const float *)args->values)[i]);
    default:
        return ((const uint64_t *)args->values)[i];
    }
}

ACCEL_FN void scan_store(const scan_values_args *args, size_t i, uint64_t bits)
{
    if (args->type == ACCEL_TYPE_FLOAT)
        ((float *)args->results)[i] = (float)double_of(bits);
    else if (args->type == ACCEL_TYPE_INT32 || args->type == ACCEL_TYPE_UINT32)
        ((uint32_t *)args->results)[i] = (uint32_t)bits;
    else
        ((uint64_t *)args->results)[i] = bits;
}

ACCEL_SCAN_FINAL(scan_any, scan_values_args, args, i, scan_value, scan_join)
{
    scan_value value;
    value.bits = scan_load(&args, i) ^ args.flip;
    value.join = args.join;
    value.reserved = 0;
    if (args.join == SCAN_MIN_FLOATING && double_of(value.bits) != double_of(value.bits))
        value.bits = args.start; /* a NaN is no minimum */
    return value;
}
ACCEL_FINAL_PASS(scan_any, scan_values_args, args, i, scan_value, element, prefix)
{
    scan_store(&args, i, (prefix.join == SCAN_NOTHING ? args.start : prefix.bits) ^ args.flip);
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of the values of a buffer. Sums and products of signed and unsigned integers have the same bits. */
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

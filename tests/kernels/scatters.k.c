/* SPDX-License-Identifier: Apache-2.0 */
/* Scatters of every operation and type of numbers, and of structs, in both forms of kernel. */
#include <accel/kernel.h>
#include <accel/kernel/scatter.h>
#include "scatters.h"

#define SCATTER_NAME(operation, type) scatter_##operation##_##type
#define SCATTER_INTO(operation, type) scatter_##operation##_##type##_into
#define SCATTER_KERNEL(operation, type, T, reducer)                                                                    \
    ACCEL_SCATTER(SCATTER_NAME(operation, type), T, reducer)                                                           \
    ACCEL_KERNEL(SCATTER_INTO(operation, type), scatters_args, args)                                                   \
    {                                                                                                                  \
        ACCEL_SCATTER_OPEN(acc, SCATTER_NAME(operation, type), cells, args.view);                                      \
        ACCEL_FOR_EACH(acc, i, args.n)                                                                                 \
            ACCEL_SCATTER_JOIN(SCATTER_NAME(operation, type), cells, args.cell[i],                                     \
                               SCATTER_VALUE_##operation(T, args.value[i], i));                                        \
    }
SCATTERS(SCATTER_KERNEL)

ACCEL_REDUCER(scatters_extent, widen, a, b, {INT64_MAX, INT64_MIN, 0})
{
    a.low = b.low < a.low ? b.low : a.low;
    a.high = b.high > a.high ? b.high : a.high;
    a.number += b.number;
    return a;
}
ACCEL_SCATTER(scatter_extent, scatters_extent, widen)

/* A thread kernel, with two scatters open at once, one of them across a barrier. */
ACCEL_THREAD_KERNEL(scatter_extent_into, scatters_args, args)
{
    ACCEL_SCATTER_OPEN(acc, scatter_extent, extents, args.view);
    ACCEL_FOR_EACH(acc, i, args.n) {
        const scatters_extent one = {args.value[i], args.value[i], 1};
        ACCEL_SCATTER_JOIN(scatter_extent, extents, args.cell[i], one);
    }
    accel_sync_block(acc);
    ACCEL_SCATTER_OPEN(acc, scatter_sum_u32, counts, args.counts);
    ACCEL_FOR_EACH(acc, i, args.n)
        ACCEL_SCATTER_JOIN(scatter_sum_u32, counts, args.cell[i], 1);
}

/* In regions: every block adds all elements. */
ACCEL_KERNEL(scatter_regions_into, scatters_args, args)
{
    ACCEL_SCATTER_OPEN(acc, scatter_sum_u32, counts, args.view);
    const size_t threads = accel_block_extent(acc).x * accel_block_extent(acc).y * accel_block_extent(acc).z;
    ACCEL_THREADS(acc, t)
        for (size_t i = t; i < args.n; i += threads)
            ACCEL_SCATTER_JOIN(scatter_sum_u32, counts, args.cell[i], 1);
}

ACCEL_REDUCER(scatters_complex, add_complex, a, b, {0, 0})
{
    a.re += b.re;
    a.im += b.im;
    return a;
}
ACCEL_SCATTER(scatter_complex, scatters_complex, add_complex)
ACCEL_REDUCER(scatters_small_complex, add_small_complex, a, b, {0, 0})
{
    a.re += b.re;
    a.im += b.im;
    return a;
}
ACCEL_SCATTER(scatter_small_complex, scatters_small_complex, add_small_complex)

/* Structs in block kernels: in a loop, and in regions, where every block adds all elements. */
#define SCATTER_STRUCT_KERNELS(name, T, ...)                                                                           \
    ACCEL_KERNEL(name##_loops_into, scatters_args, args)                                                               \
    {                                                                                                                  \
        ACCEL_SCATTER_OPEN(acc, name, cells, args.view);                                                               \
        ACCEL_FOR_EACH(acc, i, args.n) {                                                                               \
            const T one = __VA_ARGS__;                                                                                 \
            ACCEL_SCATTER_JOIN(name, cells, args.cell[i], one);                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_KERNEL(name##_regions_into, scatters_args, args)                                                             \
    {                                                                                                                  \
        ACCEL_SCATTER_OPEN(acc, name, cells, args.view);                                                               \
        const size_t threads = accel_block_extent(acc).x * accel_block_extent(acc).y * accel_block_extent(acc).z;      \
        ACCEL_THREADS(acc, t)                                                                                          \
            for (size_t i = t; i < args.n; i += threads) {                                                             \
                const T one = __VA_ARGS__;                                                                             \
                ACCEL_SCATTER_JOIN(name, cells, args.cell[i], one);                                                    \
            }                                                                                                          \
    }
SCATTER_STRUCT_KERNELS(scatter_extent, scatters_extent, {args.value[i], args.value[i], 1})
SCATTER_STRUCT_KERNELS(scatter_complex, scatters_complex, {(double)args.value[i], -(double)args.value[i]})
SCATTER_STRUCT_KERNELS(scatter_small_complex, scatters_small_complex, {(float)args.value[i], -(float)args.value[i]})

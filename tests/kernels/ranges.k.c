/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of one to six dimensions. */
#include <accel/kernel.h>
#include "ranges.h"

/* Where an index is counted; the last one is a place for all that lie outside. */
ACCEL_FN size_t place(const ranges_args *args, const size_t *index, size_t dims)
{
    size_t linear = 0;
    for (size_t d = 0; d < dims; ++d) {
        if (index[d] >= args->extent[d])
            return SIZE_MAX;
        linear = linear * args->extent[d] + index[d];
    }
    return linear;
}

#define VISIT(loop, ...)                                                                                               \
    loop                                                                                                               \
    {                                                                                                                  \
        const size_t index[] = {__VA_ARGS__}, at = place(&args, index, sizeof index / sizeof index[0]);                \
        if (at == SIZE_MAX)                                                                                            \
            accel_atomic_add(acc, args.outside, 1u);                                                                   \
        else                                                                                                           \
            accel_atomic_add(acc, &args.count[at], 1u);                                                                \
    }                                                                                                                  \
    loop                                                                                                               \
    {                                                                                                                  \
        const size_t index[] = {__VA_ARGS__}, at = place(&args, index, sizeof index / sizeof index[0]);                \
        if (at != SIZE_MAX)                                                                                            \
            args.twice[at] = args.count[at] + 1;                                                                       \
    }

ACCEL_KERNEL(ranges_1d, ranges_args,
             args){VISIT(ACCEL_FOR_EACH_RANGE_1D(acc, args.range, i), i)} ACCEL_KERNEL(ranges_2d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_2D(acc, args.range, i, j), i, j)} ACCEL_KERNEL(ranges_3d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_3D(acc, args.range, i, j, k), i, j, k)} ACCEL_KERNEL(ranges_4d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_4D(acc, args.range, i, j, k, l), i, j, k, l)} ACCEL_KERNEL(ranges_5d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_5D(acc, args.range, i, j, k, l, m), i, j, k, l, m)} ACCEL_KERNEL(ranges_6d, ranges_args,
                                                                                                args){
    VISIT(ACCEL_FOR_EACH_RANGE_6D(acc, args.range, i, j, k, l, m, n), i, j, k, l, m,
          n)} ACCEL_THREAD_KERNEL(ranges_threads, ranges_args,
                                  args){VISIT(ACCEL_FOR_EACH_RANGE_3D(acc, args.range, i, j, k), i, j, k)}

ACCEL_KERNEL(ranges_left_2d, ranges_args, args){VISIT(ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, LEFT, args.range, i, j), i,
                                                      j)} ACCEL_KERNEL(ranges_left_3d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, LEFT, args.range, i, j, k), i, j, k)} ACCEL_KERNEL(ranges_left_4d,
                                                                                                  ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, LEFT, args.range, i, j, k, l), i, j, k,
          l)} ACCEL_KERNEL(ranges_left_5d, ranges_args,
                           args){VISIT(ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, LEFT, args.range, i, j, k, l, m), i, j, k,
                                       l, m)} ACCEL_KERNEL(ranges_left_6d, ranges_args, args){
    VISIT(ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, LEFT, args.range, i, j, k, l, m, n), i, j, k, l, m, n)}

ACCEL_KERNEL(ranges_sequence_left, ranges_args, args)
{
    ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, LEFT, args.range, i, j, k) {
        const size_t index[] = {i, j, k};
        args.count[place(&args, index, 3)] = accel_atomic_add(acc, args.visits, 1u);
    }
}

ACCEL_KERNEL(ranges_sequence_right, ranges_args, args)
{
    ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, RIGHT, args.range, i, j, k) {
        const size_t index[] = {i, j, k};
        args.count[place(&args, index, 3)] = accel_atomic_add(acc, args.visits, 1u);
    }
}

#define VISIT_LEFT_BY_THREADS(name, loop, ...)                                                                         \
    ACCEL_THREAD_KERNEL(name, ranges_args, args)                                                                       \
    {                                                                                                                  \
        VISIT(loop, __VA_ARGS__)                                                                                       \
    }
VISIT_LEFT_BY_THREADS(ranges_threads_left_4d, ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, LEFT, args.range, i, j, k, l), i, j,
                      k, l)
VISIT_LEFT_BY_THREADS(ranges_threads_left_5d, ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, LEFT, args.range, i, j, k, l, m), i,
                      j, k, l, m)
VISIT_LEFT_BY_THREADS(ranges_threads_left_6d, ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, LEFT, args.range, i, j, k, l, m, n),
                      i, j, k, l, m, n)

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/lint.h - loops and regions as `accelcc` checks them. As OpenMP loops they refuse `break`, `return` and
 * `goto` out of them, and they know when one stands inside another. The result of this compilation is discarded.
 *
 *     clang -DACCEL_LINT -fopenmp-simd -fsyntax-only x.k.c
 *     gcc -DACCEL_LINT -fopenmp-simd -S -o /dev/null x.k.c      (-fsyntax-only would see `break` alone)
 */
#ifndef ACCEL_KERNEL_LINT_H
#define ACCEL_KERNEL_LINT_H

/* Inside a region this name has another type, without the members that loops of the block need. */
static const struct {
    size_t not_inside_a_region;
} accel_here __attribute__((unused)) = {0};
#define ACCEL_LINT_OUTSIDE_ (accel_here.not_inside_a_region)
#define ACCEL_LINT_IN_                                                                                                 \
    for (size_t accel_there = ACCEL_LINT_OUTSIDE_; accel_there != 1; accel_there++)                                    \
        for (int accel_here = 1; accel_here != 0; accel_here = 0)

#define ACCEL_LINT_1_(i, n) _Pragma("omp simd") for (size_t i = 0; i < (n); i++)
#define ACCEL_LINT_2_(i, j, ni, nj)                                                                                    \
    for (size_t i = 0; i < (ni); i++)                                                                                  \
    ACCEL_LINT_1_(j, nj)
#define ACCEL_LINT_3_(i, j, k, ni, nj, nk)                                                                             \
    for (size_t i = 0; i < (ni); i++)                                                                                  \
    ACCEL_LINT_2_(j, k, nj, nk)

#define ACCEL_FOR_EACH(acc, i, n) ACCEL_LINT_1_(i, (n) / (acc).core.blocks + ACCEL_LINT_OUTSIDE_)
#define ACCEL_FOR_EACH_32(acc, i, n)                                                                                   \
    _Pragma("omp simd") for (uint32_t i = (uint32_t)ACCEL_LINT_OUTSIDE_ * (uint32_t)(acc).core.blocks; i < (n); i++)
#define ACCEL_FOR_EACH_2D(acc, i, j, ni, nj) ACCEL_LINT_2_(i, j, (ni) / (acc).core.blocks + ACCEL_LINT_OUTSIDE_, nj)
#define ACCEL_FOR_EACH_3D(acc, i, j, k, ni, nj, nk)                                                                    \
    ACCEL_LINT_3_(i, j, k, (ni) / (acc).core.blocks + ACCEL_LINT_OUTSIDE_, nj, nk)
#define ACCEL_FOR_EACH_2D_TILED(acc, order, i, j, ni, nj, ti, tj)                                                      \
    ACCEL_FOR_EACH_2D(acc, i, j, ACCEL_LINT_##order##_ * (ti) + (ni), (tj) + (nj))
#define ACCEL_FOR_EACH_3D_TILED(acc, order, i, j, k, ni, nj, nk, ti, tj, tk)                                           \
    ACCEL_FOR_EACH_3D(acc, i, j, k, ACCEL_LINT_##order##_ * (ti) + (ni), (tj) + (nj), (tk) + (nk))
#define ACCEL_LINT_RIGHT_ 1
#define ACCEL_LINT_LEFT_ 1
#define ACCEL_LINT_RIGHT_LEFT_ 1
#define ACCEL_LINT_LEFT_RIGHT_ 1

#define ACCEL_LINT_RANGE_(acc, range) ((range).end[0] / (acc).core.blocks + ACCEL_LINT_OUTSIDE_)
#define ACCEL_LINT_OUTER_(i, n) for (size_t i = 0; i < (n); i++)
#define ACCEL_FOR_EACH_RANGE_1D(acc, range, i) ACCEL_LINT_1_(i, ACCEL_LINT_RANGE_(acc, range))
#define ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, order, range, i, j)                                                       \
    ACCEL_LINT_2_(i, j, ACCEL_LINT_##order##_ *ACCEL_LINT_RANGE_(acc, range), (range).end[1])
#define ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, order, range, i, j, k)                                                    \
    ACCEL_LINT_3_(i, j, k, ACCEL_LINT_##order##_ *ACCEL_LINT_RANGE_(acc, range), (range).end[1], (range).end[2])
#define ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, order, range, i, j, k, l)                                                 \
    ACCEL_LINT_OUTER_(i, ACCEL_LINT_##order##_ *ACCEL_LINT_RANGE_(acc, range))                                         \
    ACCEL_LINT_3_(j, k, l, (range).end[1], (range).end[2], (range).end[3])
#define ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, order, range, i, j, k, l, m)                                              \
    ACCEL_LINT_OUTER_(i, ACCEL_LINT_##order##_ *ACCEL_LINT_RANGE_(acc, range))                                         \
    ACCEL_LINT_OUTER_(j, (range).end[1]) ACCEL_LINT_3_(k, l, m, (range).end[2], (range).end[3], (range).end[4])
#define ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, order, range, i, j, k, l, m, n)                                           \
    ACCEL_LINT_OUTER_(i, ACCEL_LINT_##order##_ *ACCEL_LINT_RANGE_(acc, range))                                         \
    ACCEL_LINT_OUTER_(j, (range).end[1])                                                                               \
    ACCEL_LINT_OUTER_(k, (range).end[2]) ACCEL_LINT_3_(l, m, n, (range).end[3], (range).end[4], (range).end[5])
#define ACCEL_FOR_EACH_RANGE_2D(acc, range, i, j) ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, RIGHT, range, i, j)
#define ACCEL_FOR_EACH_RANGE_3D(acc, range, i, j, k) ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, RIGHT, range, i, j, k)
#define ACCEL_FOR_EACH_RANGE_4D(acc, range, i, j, k, l) ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, RIGHT, range, i, j, k, l)
#define ACCEL_FOR_EACH_RANGE_5D(acc, range, i, j, k, l, m)                                                             \
    ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, RIGHT, range, i, j, k, l, m)
#define ACCEL_FOR_EACH_RANGE_6D(acc, range, i, j, k, l, m, n)                                                          \
    ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, RIGHT, range, i, j, k, l, m, n)

#define ACCEL_THREADS(acc, t) ACCEL_LINT_IN_ ACCEL_LINT_1_(t, accel_region_threads(acc))
#define ACCEL_THREADS_NOSYNC(acc, t) ACCEL_THREADS(acc, t)
#define ACCEL_THREADS_FIRST(acc, t, h) ACCEL_LINT_IN_ ACCEL_LINT_1_(t, (h) + 0 * accel_region_threads(acc))
#define ACCEL_THREADS_2D(acc, ty, tx)                                                                                  \
    ACCEL_LINT_IN_ ACCEL_LINT_2_(ty, tx, accel_region_threads(acc), (acc).core.block_extent.x)
#define ACCEL_FOR_EACH_THREAD(acc, t, i, n) ACCEL_LINT_IN_ ACCEL_LINT_2_(i, t, n, accel_region_threads(acc))
#define ACCEL_ONCE(acc) ACCEL_LINT_IN_ ACCEL_LINT_1_(accel_once, accel_region_threads(acc))

#define ACCEL_PRIVATE(acc, T, s)                                                                                       \
    T s[sizeof(*accel_private_only_in_kernel_bodies) + 0 * sizeof((acc).block_kernels_only)]                           \
        __attribute__((aligned(64), unused))
#define ACCEL_MY(s, t) ((s)[t])

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/lint_text.h - marks kernels, regions and loops in preprocessed text, which `accelcc` then reads as text. What it
 * looks for no compiler can say: what a region writes, and what it reads of other threads.
 *
 *     cc -E -DACCEL_LINT_TEXT x.k.c
 */
#ifndef ACCEL_KERNEL_LINT_TEXT_H
#define ACCEL_KERNEL_LINT_TEXT_H

#undef ACCEL_KERNEL
#undef ACCEL_KERNEL_BLOCK
#define ACCEL_KERNEL(name, args_type, args) accel_lint_kernel(name)
#define ACCEL_KERNEL_BLOCK(name, args_type, args, ...) accel_lint_kernel(name)

/* Region or loop of this name, with these indices. */
#undef ACCEL_THREADS
#undef ACCEL_THREADS_NOSYNC
#undef ACCEL_THREADS_FIRST
#undef ACCEL_THREADS_2D
#undef ACCEL_FOR_EACH_THREAD
#undef ACCEL_ONCE
#define ACCEL_THREADS(acc, t) accel_lint_region("ACCEL_THREADS", t)
#define ACCEL_THREADS_NOSYNC(acc, t) accel_lint_region("ACCEL_THREADS_NOSYNC", t)
#define ACCEL_THREADS_FIRST(acc, t, h) accel_lint_region("ACCEL_THREADS_FIRST", t)
#define ACCEL_THREADS_2D(acc, ty, tx) accel_lint_region("ACCEL_THREADS_2D", ty, tx)
#define ACCEL_FOR_EACH_THREAD(acc, t, i, n) accel_lint_region("ACCEL_FOR_EACH_THREAD", t, i)
#define ACCEL_ONCE(acc) accel_lint_region("ACCEL_ONCE")

#undef ACCEL_FOR_EACH
#undef ACCEL_FOR_EACH_32
#undef ACCEL_FOR_EACH_2D
#undef ACCEL_FOR_EACH_3D
#undef ACCEL_FOR_EACH_2D_TILED
#undef ACCEL_FOR_EACH_3D_TILED
#define ACCEL_FOR_EACH(acc, i, n) accel_lint_loop("ACCEL_FOR_EACH", i)
#define ACCEL_FOR_EACH_32(acc, i, n) accel_lint_loop("ACCEL_FOR_EACH_32", i)
#define ACCEL_FOR_EACH_2D(acc, i, j, ni, nj) accel_lint_loop("ACCEL_FOR_EACH_2D", i, j)
#define ACCEL_FOR_EACH_3D(acc, i, j, k, ni, nj, nk) accel_lint_loop("ACCEL_FOR_EACH_3D", i, j, k)
#define ACCEL_FOR_EACH_2D_TILED(acc, order, i, j, ni, nj, ti, tj) accel_lint_loop("ACCEL_FOR_EACH_2D_TILED", i, j)
#define ACCEL_FOR_EACH_3D_TILED(acc, order, i, j, k, ni, nj, nk, ti, tj, tk)                                           \
    accel_lint_loop("ACCEL_FOR_EACH_3D_TILED", i, j, k)
#undef ACCEL_FOR_EACH_RANGE_1D
#undef ACCEL_FOR_EACH_RANGE_2D
#undef ACCEL_FOR_EACH_RANGE_3D
#undef ACCEL_FOR_EACH_RANGE_4D
#undef ACCEL_FOR_EACH_RANGE_5D
#undef ACCEL_FOR_EACH_RANGE_6D
#define ACCEL_FOR_EACH_RANGE_1D(acc, range, i) accel_lint_loop("ACCEL_FOR_EACH_RANGE_1D", i)
#define ACCEL_FOR_EACH_RANGE_2D(acc, range, i, j) accel_lint_loop("ACCEL_FOR_EACH_RANGE_2D", i, j)
#define ACCEL_FOR_EACH_RANGE_3D(acc, range, i, j, k) accel_lint_loop("ACCEL_FOR_EACH_RANGE_3D", i, j, k)
#define ACCEL_FOR_EACH_RANGE_4D(acc, range, i, j, k, l) accel_lint_loop("ACCEL_FOR_EACH_RANGE_4D", i, j, k, l)
#define ACCEL_FOR_EACH_RANGE_5D(acc, range, i, j, k, l, m) accel_lint_loop("ACCEL_FOR_EACH_RANGE_5D", i, j, k, l, m)
#define ACCEL_FOR_EACH_RANGE_6D(acc, range, i, j, k, l, m, n)                                                          \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_6D", i, j, k, l, m, n)
#undef ACCEL_FOR_EACH_RANGE_2D_ORDERED
#undef ACCEL_FOR_EACH_RANGE_3D_ORDERED
#undef ACCEL_FOR_EACH_RANGE_4D_ORDERED
#undef ACCEL_FOR_EACH_RANGE_5D_ORDERED
#undef ACCEL_FOR_EACH_RANGE_6D_ORDERED
#define ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, order, range, i, j)                                                       \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_2D_ORDERED", i, j)
#define ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, order, range, i, j, k)                                                    \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_3D_ORDERED", i, j, k)
#define ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, order, range, i, j, k, l)                                                 \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_4D_ORDERED", i, j, k, l)
#define ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, order, range, i, j, k, l, m)                                              \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_5D_ORDERED", i, j, k, l, m)
#define ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, order, range, i, j, k, l, m, n)                                           \
    accel_lint_loop("ACCEL_FOR_EACH_RANGE_6D_ORDERED", i, j, k, l, m, n)

/* Memory that a region may write. */
#undef ACCEL_SHARED
#undef ACCEL_PRIVATE
#undef ACCEL_MY
#define ACCEL_SHARED(acc, T, ...) accel_lint_shared(__VA_ARGS__)
#define ACCEL_PRIVATE(acc, T, s) accel_lint_private(s)
#define ACCEL_MY(s, t) accel_lint_my(s, t)

/* Statements that begin with these, and the variable that they declare. */
#undef ACCEL_UNROLL
#undef ACCEL_ATOMIC_UPDATE
#undef ACCEL_ATOMIC_MODIFY
#undef ACCEL_ATOMIC_MODIFY_BLOCK
#define ACCEL_UNROLL(n)
#define ACCEL_ATOMIC_UPDATE(acc, p) accel_lint_update("ACCEL_ATOMIC_UPDATE")
#define ACCEL_ATOMIC_MODIFY(acc, T, p, v) accel_lint_update("ACCEL_ATOMIC_MODIFY", v)
#define ACCEL_ATOMIC_MODIFY_BLOCK(acc, T, p, v) accel_lint_update("ACCEL_ATOMIC_MODIFY_BLOCK", v)

/* They keep their names. */
#undef accel_atomic_add
#undef accel_atomic_sub
#undef accel_atomic_min
#undef accel_atomic_max
#undef accel_atomic_exch
#undef accel_atomic_cas
#undef accel_atomic_inc
#undef accel_atomic_dec
#undef accel_atomic_and
#undef accel_atomic_or
#undef accel_atomic_xor
#undef accel_atomic_add_block
#undef accel_atomic_sub_block
#undef accel_atomic_min_block
#undef accel_atomic_max_block

#endif

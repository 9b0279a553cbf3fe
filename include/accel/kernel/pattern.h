/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/pattern.h - kernels that are patterns: the author writes an element and names a reducer.
 *
 *     #include <accel/kernel.h>
 *     #include <accel/kernel/pattern.h>
 *     #include "blas1.h"                // typedef struct { const double *x, *y; } ddot_args;
 *
 *     ACCEL_REDUCE(ddot, ddot_args, args, i, double, ACCEL_SUM)
 *     {
 *         return args.x[i] * args.y[i];
 *     }
 *
 * The host runs it with accel_reduce (accel/pattern.h). The result depends on the elements and their number alone: it has
 * the same bits on every backend and target, with any number of threads (docs/semantics.md, P1). For that accelcc compiles
 * a source that includes this file without contraction (-ffp-contract=off), unless its command line says otherwise, and
 * the element calls no function of mathematics whose result differs among targets (docs/mathematics.md).
 */
#ifndef ACCEL_KERNEL_PATTERN_H
#define ACCEL_KERNEL_PATTERN_H

#if defined(ACCEL_WITHOUT_PATTERNS)
#error                                                                                                                 \
    "the .k.c file itself must include <accel/kernel/pattern.h>: accelcc looks there, and compiles it without contraction"
#endif

#include <accel/kernel.h>
#include <accel/kernel/reducer.h>

/*
 * These define a reduction over one to three dimensions, the last index fastest. The braces return the element, a T. T is a
 * number or a struct of plain data of at most 256 bytes. The element is computed once for each index, in any order, so it
 * writes nothing that another one uses. The argument struct has at most 4032 bytes.
 *
 *     ACCEL_REDUCE(name, args_type, args, i, T, reducer)
 *     ACCEL_REDUCE_2D(name, args_type, args, i, j, T, reducer)
 *     ACCEL_REDUCE_3D(name, args_type, args, i, j, k, T, reducer)
 *
 * Reducers are listed in accel/kernel/reducer.h. Several reductions in one pass are one, of a struct.
 */
#define ACCEL_REDUCE(name, args_type, args, i, T, reducer) ACCEL_REDUCE_(name, args_type, args, T, reducer, 1, size_t i)
#define ACCEL_REDUCE_2D(name, args_type, args, i, j, T, reducer)                                                       \
    ACCEL_REDUCE_(name, args_type, args, T, reducer, 2, size_t i, size_t j)
#define ACCEL_REDUCE_3D(name, args_type, args, i, j, k, T, reducer)                                                    \
    ACCEL_REDUCE_(name, args_type, args, T, reducer, 3, size_t i, size_t j, size_t k)

#include <accel/kernel/reduce.h>

#endif

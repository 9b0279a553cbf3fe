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

/*
 * Scans. Each index gets what the elements up to it become: with it, or without (exclusive). The host runs them with
 * accel_scan.
 *
 *     ACCEL_SCAN(offsets, keep_args, args, i, uint32_t, ACCEL_SUM)
 *     {
 *         return args.keep[i];
 *     }
 *
 * The element is computed once or twice for each index, in any order. It may read the result's element i, which is
 * written after it was computed for the last time, and no other of the result. The argument struct has at most 3968 bytes.
 *
 * A final pass is given each index with its element and its prefix, when they are known, also without a result:
 *
 *     ACCEL_SCAN_FINAL(select, select_args, args, i, uint32_t, ACCEL_SUM)
 *     {
 *         return args.x[i] > 0;
 *     }
 *     ACCEL_FINAL_PASS(select, select_args, args, i, uint32_t, element, prefix)
 *     {
 *         if (element)
 *             args.out[prefix] = args.x[i];
 *     }
 *
 * It runs once for each index, in any order, and may run before the element of another index is computed.
 *
 * A scan by key begins again at each head: where the second braces, which return an int, give other than 0. At a head an
 * exclusive scan gives what the reducer starts with. The element is at most 240 bytes.
 *
 *     ACCEL_SCAN_BY_KEY(running, ledger_args, args, i, double, ACCEL_SUM)
 *     {
 *         return args.amount[i];
 *     }
 *     ACCEL_SCAN_HEAD(running, ledger_args, args, i)
 *     {
 *         return i == 0 || args.account[i] != args.account[i - 1];
 *     }
 *
 * ACCEL_SCAN_BY_KEY_FINAL takes both, an ACCEL_SCAN_HEAD and an ACCEL_FINAL_PASS. The pass is given the element, and as its
 * prefix what a scan by key gives the index: with its own element or without, as launched.
 *
 * Each of the four may name an array behind the reducer, of which the element of index i reads element i:
 *
 *     ACCEL_SCAN(offsets, keep_args, args, i, uint32_t, ACCEL_SUM, args.keep)
 *
 * CPUs then fetch it ahead in scans that their caches do not hold (measured: 1.3 and 1.8 times as fast). No result depends on it.
 * The pointer is not to void; of several arrays name the largest.
 */
#define ACCEL_SCAN(name, args_type, args, i, T, ...)                                                                   \
    ACCEL_SCAN_(name, args_type, args, i, T, ACCEL_SCAN_REDUCER_(__VA_ARGS__), ACCEL_SCAN_READS_(__VA_ARGS__))
#define ACCEL_SCAN_FINAL(name, args_type, args, i, T, ...)                                                             \
    ACCEL_SCAN_FINAL_(name, args_type, args, i, T, ACCEL_SCAN_REDUCER_(__VA_ARGS__), ACCEL_SCAN_READS_(__VA_ARGS__))
#define ACCEL_FINAL_PASS(name, args_type, args, i, T, element, prefix)                                                 \
    ACCEL_FINAL_PASS_(name, args_type, args, i, T, element, prefix)
#define ACCEL_SCAN_BY_KEY(name, args_type, args, i, T, ...)                                                            \
    ACCEL_SCAN_BY_KEY_(name, args_type, args, i, T, ACCEL_SCAN_REDUCER_(__VA_ARGS__), ACCEL_SCAN_READS_(__VA_ARGS__))
#define ACCEL_SCAN_BY_KEY_FINAL(name, args_type, args, i, T, ...)                                                      \
    ACCEL_SCAN_BY_KEY_FINAL_(name, args_type, args, i, T, ACCEL_SCAN_REDUCER_(__VA_ARGS__),                            \
                             ACCEL_SCAN_READS_(__VA_ARGS__))
#define ACCEL_SCAN_HEAD(name, args_type, args, i) ACCEL_SCAN_HEAD_(name, args_type, args, i)

#include <accel/kernel/reduce.h>
#include <accel/kernel/scan.h>

#endif

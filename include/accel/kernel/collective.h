/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/collective.h - what all threads of a block compute together: reductions, scans, broadcasts and sorts, of a
 * value of each thread or of a range.
 *
 *     #include <accel/kernel/collective.h>
 *
 * T is a type of plain data. `op` is a reducer (accel/kernel/reducer.h): ACCEL_SUM, or one made by ACCEL_REDUCER. Every
 * call is a barrier of the block: what its threads wrote before is visible to all of them after it. Any block works, of
 * one to three dimensions and any number of threads. Thread t has the t-th value, where t counts x fastest.
 *
 * Block kernels, outside regions. x is the name of an ACCEL_PRIVATE(acc, T, x).
 *
 *     T accel_block_reduce(acc, T, op, x)             all values in one. x stays as it is
 *     T accel_block_inclusive_scan(acc, T, op, x)     value t becomes that of 0 to t. Returns that of all
 *     T accel_block_exclusive_scan(acc, T, op, x)     value t becomes that of 0 to t - 1, the first what op starts with
 *     T accel_block_broadcast(acc, T, x, t)           the value of thread t, which is the same in all threads
 *     void accel_block_sort(acc, T, less, tile, spare, n)
 *
 * Thread kernels, like accel_sync_block: every thread of the block makes the same call, and none has returned. v is the
 * thread's value. `all` is where the value of all goes, a T *, or NULL.
 *
 *     T accel_sync_block_reduce(acc, T, op, v)
 *     T accel_sync_block_inclusive_scan(acc, T, op, v, all)
 *     T accel_sync_block_exclusive_scan(acc, T, op, v, all)
 *     T accel_sync_block_broadcast(acc, T, v, t)
 *     void accel_sync_block_sort(acc, T, less, tile, spare, n)
 *
 * A sort orders tile[0] to tile[n - 1] by less(a, b), a function or macro that is non-zero if a comes before b.
 * ACCEL_LESS and ACCEL_GREATER are < and >. Elements of which neither comes first keep their order. tile and spare are
 * two arrays of at least n elements, mostly ACCEL_SHARED. What spare holds afterwards is undefined.
 *
 * A range may be longer than the block, as that of a parallel_scan in a team of Kokkos.
 *
 *     const uint32_t kept = accel_block_range_exclusive_scan(acc, uint32_t, ACCEL_SUM, place, j, 0, n, x[j] > 0 ? 1u : 0u);
 *
 *     T accel_block_range_reduce(acc, T, op, j, begin, end, expression)
 *         joins the values of the expression, which knows j, a size_t. All threads get the result
 *     T accel_block_range_inclusive_scan(acc, T, op, to, j, begin, end, expression)
 *         to[j] becomes what the values of begin to j make. All threads get what all values make
 *     T accel_block_range_exclusive_scan(acc, T, op, to, j, begin, end, expression)
 *         the same of begin to j - 1; the first is what op starts with
 *
 * These stand in block kernels, outside regions. In thread kernels they begin with accel_sync_block_range_. Of an empty range
 * the result is what op starts with. The range, and `to`, a T * to memory of the device or the block, are the same in all
 * threads. The expression is computed once for each j, by any thread: so it names no value of a thread. It may read to[j] and
 * no other element of it; so a scan in place is one of to[j].
 *
 * The results have the same bits on every target, in both forms of kernel, also of floating-point values. They depend
 * on the values, the reducer and the number of threads alone:
 *
 *  - Threads 32 g to 32 g + 31 are group g, whatever a warp is.
 *  - A reduction joins value k of a group with value k + 16, then with k + 8, 4, 2 and 1, where there is such a value.
 *    The groups' results are joined in the same way. So op is commutative and associative, but for rounding.
 *  - A scan joins value k - 1 of a group with value k, then k - 2, 4, 8 and 16. The groups' last values are scanned in
 *    the same way, and what the groups before g make is joined with each value of group g. The left operand is always
 *    that of lower threads. So op is associative, but for rounding. The exclusive scan is the inclusive one, moved by
 *    a thread.
 *  - The reduction of a range joins the values begin + t, begin + t + threads and so on, to what op starts with, in order.
 *    Then it is the reduction of these over the threads that have any.
 *  - The scan of a range takes as many values as the block has threads, and scans them as above. What came before,
 *    at first what op starts with, is joined with each.
 *
 * Compilers cannot fuse a value with what computed it. For the sake of other products and sums, accelcc compiles a
 * source that includes this file without contraction (-ffp-contract=off), unless its command line says otherwise.
 *
 * On GPUs values move between lanes in words of 32 bits. Groups exchange results through shared memory: 97 values of
 * each type T of a kernel. In thread kernels on CPUs each call has shared memory for a value of every thread, and the first
 * thread computes ranges while the others wait. In block kernels on CPUs a range takes as much of the stack.
 */
#ifndef ACCEL_KERNEL_COLLECTIVE_H
#define ACCEL_KERNEL_COLLECTIVE_H

#if defined(ACCEL_WITHOUT_PATTERNS)
#error                                                                                                                 \
    "the .k.c file itself must include <accel/kernel/collective.h>: accelcc looks there, and compiles it without contraction"
#endif

#include <accel/kernel/reducer.h>

#define ACCEL_LESS(a, b) ((a) < (b))
#define ACCEL_GREATER(a, b) ((a) > (b))

/* In the text that accelcc reads the calls keep their names. */
#if defined(ACCEL_LINT_TEXT)
#elif defined(ACCEL_KERNEL_CPU_H)
#include <accel/kernel/cpu/collective.h>
#include <accel/kernel/cpu/block_range.h>
#else
#include <accel/kernel/gpu/collective.h>
#include <accel/kernel/gpu/block_range.h>
#endif

#endif

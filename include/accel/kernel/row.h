/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/row.h - loops in loops: each row of a sparse matrix, or each particle with its neighbours, is the work
 * of several threads on a GPU and of vectors on a CPU.
 *
 *     #include <accel/kernel/row.h>
 *
 *     ACCEL_FOR_EACH_ROW(acc, row, n, 8) {
 *         const double sum = accel_row_reduce(acc, 8, double, ACCEL_SUM, j, args.first[row], args.first[row + 1],
 *                                             args.value[j] * args.x[args.column[j]]);
 *         ACCEL_ROW_ONCE(acc, 8)
 *             args.y[row] = sum;
 *     }
 *
 * ACCEL_FOR_EACH_ROW divides the rows 0 to n - 1 among the grid, as ACCEL_FOR_EACH does. `lanes` is how many threads
 * share a row on GPUs: 1, 2, 4, 8, 16 or 32, the same number in all of a loop. A quarter of a row's elements is a good
 * choice. Both forms of kernel; in block kernels it stands outside regions. A block whose threads are no multiple of
 * `lanes` has a thread for each row.
 *
 * ACCEL_FOR_EACH_ROW_IN_BLOCK is for a block that has all n rows for itself, as a team has in Kokkos:
 *
 *     ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, n, 8) {
 *         const double sum = accel_row_reduce(acc, 8, double, ACCEL_SUM, j, 0, m, a[row * m + j] * x[j]);
 *         ACCEL_ROW_ONCE(acc, 8)
 *             ACCEL_MY(total, t) += y[row] * sum;
 *     }
 *
 * It divides the rows 0 to n - 1 among the block's threads: group g of `lanes` threads takes the rows g, g + groups and so
 * on. In ACCEL_ROW_ONCE t is the group's first thread on every target, so what accel_block_reduce makes of ACCEL_MY has
 * the same bits everywhere. With 1 lane each thread has rows of its own. It is a region: it stands in block kernels,
 * outside other regions, and its end is a barrier of the block.
 *
 * ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, n, lanes) is the same for thread kernels:
 *
 *     double total = 0;
 *     ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, n, 8) {
 *         const double sum = accel_row_reduce(acc, 8, double, ACCEL_SUM, j, 0, m, a[row * m + j] * x[j]);
 *         ACCEL_ROW_ONCE(acc, 8)
 *             total += y[row] * sum;
 *     }
 *     total = accel_sync_block_reduce(acc, double, ACCEL_SUM, total);
 *
 * It gives each group the same rows. On every target ACCEL_ROW_ONCE is for the group's first thread; on CPUs the others have
 * no rows at all. Its end is no barrier: call accel_sync_block before other threads read what it wrote. There is none inside.
 *
 * Inside, all lanes of a row do the same but for these, so `if (args.first[row] == 0) continue;` is fine:
 *
 *     ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end) { }     element j of [begin, end), by one of the lanes
 *     ACCEL_ROW_ONCE(acc, lanes) { }                        one of the lanes
 *     T accel_row_reduce(acc, lanes, T, op, j, begin, end, expression)
 *         joins the values of the expression, which knows j, a size_t. All lanes get the result
 *     T accel_row_inclusive_scan(acc, lanes, T, op, to, j, begin, end, expression)
 *         to[j] becomes what the values of begin to j make. All lanes get what all values make
 *     T accel_row_exclusive_scan(acc, lanes, T, op, to, j, begin, end, expression)
 *         the same of begin to j - 1; the first is what op starts with. The expression may read to[j]
 *
 * `op` is a reducer (accel/kernel/reducer.h). Of one `begin`, all of these give j to the same lane. It may read there
 * what it wrote; what other lanes wrote nobody may read in the same loop.
 *
 * The order is the same on every target. Lane k of a row takes elements begin + k, begin + k + lanes and so on, in
 * order; then lane k is joined with lane k + lanes / 2, and so on by halves. A scan takes `lanes` elements at a time,
 * joins value k - 1 with value k, then k - 2, 4, 8 and 16, and what came before with each. Some targets would fuse a
 * product and a sum, so accelcc compiles a source that includes this file without contraction (-ffp-contract=off),
 * unless its command line says otherwise.
 */
#ifndef ACCEL_KERNEL_ROW_H
#define ACCEL_KERNEL_ROW_H

#if defined(ACCEL_WITHOUT_PATTERNS)
#error                                                                                                                 \
    "the .k.c file itself must include <accel/kernel/row.h>: accelcc looks there, and compiles it without contraction"
#endif

#include <accel/kernel/collective.h>

/* lanes, or an error unless it is one of the constants. */
#if defined(__cplusplus)
#define ACCEL_ROW_LANES_(lanes) (sizeof(char[ACCEL_ROW_ALLOWS_(lanes) ? (lanes) : -1]))
#else
#define ACCEL_ROW_LANES_(lanes) ((lanes) + 0 * sizeof(struct { int allowed : ACCEL_ROW_ALLOWS_(lanes) ? 1 : -1; }))
#endif
#define ACCEL_ROW_ALLOWS_(lanes) ((lanes) > 0 && (lanes) <= 32 && ((lanes) & ((lanes)-1)) == 0)

#if defined(ACCEL_LINT_TEXT)
#define ACCEL_FOR_EACH_ROW(acc, row, n, lanes) accel_lint_loop("ACCEL_FOR_EACH_ROW", row)
#define ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, n, lanes) accel_lint_region("ACCEL_FOR_EACH_ROW_IN_BLOCK", t, row)
#define ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, n, lanes) for (size_t row = 0; row < (n); row++)
#define ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end) for (size_t j = (begin); j < (end); j++)
#define ACCEL_ROW_ONCE(acc, lanes)
#elif defined(ACCEL_KERNEL_CPU_H)
#include <accel/kernel/cpu/row.h>
#else
#include <accel/kernel/gpu/row.h>
#endif

#endif

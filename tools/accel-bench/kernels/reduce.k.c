/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of an array by a tree in every block; and minimum and sum in one pass. Launched again over the blocks'
 * results. */
#include <accel/kernel.h>
#include "bench_kernels.h"

/* Of four elements at a time a thread's sum is fetched and stored once. The first block adds what is left over. */
enum { AT_ONCE = REDUCE_AT_ONCE };

/* How far apart: whole lines of the caches, so that no vector takes two; and some lines less where it would be a whole number of
 * pages, or hardly less than one. Four streams whose addresses differ by a power of two are read at a third to a half of the speed. */
ACCEL_FN size_t apart(size_t n)
{
    enum { LINE = 8, PAGE = 512, LINES = 5 * LINE, LONG = 32 * PAGE };
    const size_t quarter = n / AT_ONCE / LINE * LINE;
    return quarter >= LONG && (quarter + LINES - 1) % PAGE < LINES ? quarter - LINES : quarter;
}

ACCEL_FN size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

ACCEL_KERNEL_BLOCK(reduce_tree, reduce_args, args, REDUCE_THREADS)
{
    ACCEL_SHARED(acc, double, part[REDUCE_THREADS]);
    ACCEL_PRIVATE(acc, double, sum);
    const size_t quarter = apart(args.n), rest = args.n - AT_ONCE * quarter;
    const size_t left = accel_block_index(acc).x == 0 ? rest : 0;
    const double *x = args.x;

    ACCEL_THREADS(acc, t)
        ACCEL_MY(sum, t) = 0;
    for (size_t row = 0; row < left; row += REDUCE_THREADS)
        ACCEL_THREADS_FIRST(acc, t, least_of(left - row, REDUCE_THREADS))
            ACCEL_MY(sum, t) += x[AT_ONCE * quarter + row + t];
    ACCEL_FOR_EACH_THREAD(acc, t, i, quarter)
        ACCEL_MY(sum, t) += x[i] + x[i + quarter] + (x[i + 2 * quarter] + x[i + 3 * quarter]);
    ACCEL_THREADS(acc, t)
        part[t] = ACCEL_MY(sum, t);
    for (size_t h = REDUCE_THREADS / 2; h != 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h)
            part[t] += part[t + h];
    ACCEL_ONCE(acc)
        args.sums[accel_block_index(acc).x] = part[0];
}

ACCEL_FN double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* With minima_of it combines the results of blocks: x are their sums. */
ACCEL_KERNEL_BLOCK(min_sum, min_sum_args, args, MIN_SUM_THREADS)
{
    ACCEL_SHARED(acc, double, sums[MIN_SUM_THREADS]);
    ACCEL_SHARED(acc, double, minima[MIN_SUM_THREADS]);
    ACCEL_PRIVATE(acc, double, sum);
    ACCEL_PRIVATE(acc, double, minimum);
    const double *to_add = args.x, *to_compare = args.minima_of;

    const size_t quarter = apart(args.n), rest = args.n - AT_ONCE * quarter;
    const size_t left = accel_block_index(acc).x == 0 && to_compare == NULL ? rest : 0;

    ACCEL_THREADS(acc, t) {
        ACCEL_MY(sum, t) = 0;
        ACCEL_MY(minimum, t) = INFINITY;
    }
    for (size_t row = 0; row < left; row += MIN_SUM_THREADS)
        ACCEL_THREADS_FIRST(acc, t, least_of(left - row, MIN_SUM_THREADS)) {
            const double x = to_add[AT_ONCE * quarter + row + t];
            ACCEL_MY(sum, t) += x;
            ACCEL_MY(minimum, t) = smaller(x, ACCEL_MY(minimum, t));
        }
    if (to_compare == NULL) {
        ACCEL_FOR_EACH_THREAD(acc, t, i, quarter) {
            const double a = to_add[i], b = to_add[i + quarter];
            const double c = to_add[i + 2 * quarter], d = to_add[i + 3 * quarter];
            ACCEL_MY(sum, t) += a + b + (c + d);
            ACCEL_MY(minimum, t) = smaller(smaller(smaller(a, b), smaller(c, d)), ACCEL_MY(minimum, t));
        }
    } else {
        ACCEL_FOR_EACH_THREAD(acc, t, i, args.n) {
            ACCEL_MY(sum, t) += to_add[i];
            ACCEL_MY(minimum, t) = smaller(to_compare[i], ACCEL_MY(minimum, t));
        }
    }
    ACCEL_THREADS(acc, t) {
        sums[t] = ACCEL_MY(sum, t);
        minima[t] = ACCEL_MY(minimum, t);
    }
    for (size_t h = MIN_SUM_THREADS / 2; h != 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h) {
            sums[t] += sums[t + h];
            minima[t] = smaller(minima[t], minima[t + h]);
        }
    ACCEL_ONCE(acc) {
        args.sums[accel_block_index(acc).x] = sums[0];
        args.minima[accel_block_index(acc).x] = minima[0];
    }
}

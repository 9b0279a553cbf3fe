/* SPDX-License-Identifier: Apache-2.0 */
/* Rows with 1, 2, 4 and 16 lanes: reductions and scans of several types, in loops over rows of both forms of kernel, and of one
 * block. Behind a barrier lanes read what others wrote. Any work division; of a team one dimension. */
#include <accel/kernel/row.h>
#include "row_lanes.h"

ACCEL_REDUCER(row_span, row_spanned, a, b, {INFINITY, -INFINITY, 0})
{
    a.least = b.least < a.least ? b.least : a.least;
    a.most = b.most > a.most ? b.most : a.most;
    a.count += b.count;
    return a;
}

ACCEL_FN row_span row_span_of(float v)
{
    const row_span span = {v, v, 1};
    return span;
}

/* What is done with a row: results of block b are behind those of the blocks before it. */
#define ROW_WORK(lanes, b)                                                                                             \
    const size_t begin = args.first[row], end = args.first[row + 1], count = args.first[args.n];                       \
    const float *v = args.value;                                                                                       \
    float *scan = args.scan + (b)*count, *turned = args.turned + (b)*count;                                            \
    uint16_t *before = args.before + (b)*count;                                                                        \
    row_lanes_result result;                                                                                           \
    result.sum = accel_row_reduce(acc, lanes, double, ACCEL_SUM, j, begin, end, (double)v[j] * (double)v[j]);          \
    result.least = accel_row_reduce(acc, lanes, int64_t, ACCEL_MIN, j, begin, end, ROW_WORD(v[j]));                    \
    result.most = accel_row_reduce(acc, lanes, uint16_t, ACCEL_MAX, j, begin, end, ROW_NARROW(v[j]));                  \
    result.bits = accel_row_reduce(acc, lanes, uint32_t, ACCEL_BIT_XOR, j, begin, end, ROW_BITS(j));                   \
    result.span = accel_row_reduce(acc, lanes, row_span, row_spanned, j, begin, end, row_span_of(v[j]));               \
    result.all = accel_row_inclusive_scan(acc, lanes, float, ACCEL_SUM, scan, j, begin, end, v[j]);                    \
    result.again = accel_row_exclusive_scan(acc, lanes, uint16_t, ACCEL_MAX, before, j, begin, end, ROW_NARROW(v[j])); \
    ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end)                                                                      \
        turned[j] = v[begin + end - 1 - j];                                                                            \
    ACCEL_ROW_ONCE(acc, lanes)                                                                                         \
        args.result[(b)*args.n + row] = result;
/* The second loop, behind a barrier. */
#define ROW_TURN(lanes, b)                                                                                             \
    const size_t begin = args.first[row], end = args.first[row + 1], at = (b)*args.first[args.n];                      \
    ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end)                                                                      \
        args.turned[at + j] += args.scan[at + begin + end - 1 - j];

#define ROW_NAME(form, lanes) row_lanes_##form##_##lanes
#define DEFINE_BLOCK_ROW_LANES(lanes)                                                                                  \
    ACCEL_KERNEL(ROW_NAME(block, lanes), row_lanes_args, args)                                                         \
    {                                                                                                                  \
        ACCEL_FOR_EACH_ROW(acc, row, args.n, lanes) {                                                                  \
            ROW_WORK(lanes, 0)                                                                                         \
        }                                                                                                              \
    }
#define DEFINE_ROW_LANES(lanes)                                                                                        \
    DEFINE_BLOCK_ROW_LANES(lanes)                                                                                      \
    ACCEL_THREAD_KERNEL(ROW_NAME(thread, lanes), row_lanes_args, args)                                                 \
    {                                                                                                                  \
        ACCEL_FOR_EACH_ROW(acc, row, args.n, lanes) {                                                                  \
            ROW_WORK(lanes, 0)                                                                                         \
        }                                                                                                              \
        accel_sync_block(acc);                                                                                         \
        ACCEL_FOR_EACH_ROW(acc, row, args.n, lanes) {                                                                  \
            ROW_TURN(lanes, 0)                                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_KERNEL(ROW_NAME(team, lanes), row_lanes_args, args)                                                          \
    {                                                                                                                  \
        const size_t block = accel_block_index(acc).x;                                                                 \
        ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, args.n, lanes) {                                                      \
            ROW_WORK(lanes, block)                                                                                     \
        }                                                                                                              \
        ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, args.n, lanes) {                                                      \
            ROW_TURN(lanes, block)                                                                                     \
        }                                                                                                              \
    }
DEFINE_ROW_LANES(1)
DEFINE_ROW_LANES(2)
DEFINE_ROW_LANES(16)
DEFINE_BLOCK_ROW_LANES(4)

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/row.h - rows for host compilers: one thread has all lanes of a row, in an array that compilers keep
 * in vectors.
 *
 * accel_row_reduce(acc, 4, double, ACCEL_SUM, j, begin, end, x[j]) expands to
 *
 *     ({
 *         double lane[4] = {0, 0, 0, 0};
 *         for (size_t first = begin; first + 4 <= end; first += 4)
 *             for (size_t k = 0; k < 4; k++) { const size_t j = first + k; lane[k] += x[j]; }
 *         the remaining elements in the same way;
 *         lane 0 = lanes, by halves;
 *         lane[0];
 *     })
 */
#ifndef ACCEL_KERNEL_CPU_ROW_H
#define ACCEL_KERNEL_CPU_ROW_H

#if defined(ACCEL_LINT)
#define ACCEL_FOR_EACH_ROW(acc, row, n, lanes)                                                                         \
    ACCEL_LINT_1_(row, (n) / (acc).core.blocks + ACCEL_LINT_OUTSIDE_ + 0 * ACCEL_ROW_LANES_(lanes))
#else
#define ACCEL_FOR_EACH_ROW(acc, row, n, lanes)                                                                         \
    for (size_t accel_end_##row = ACCEL_EACH_ROW_(acc, (n) + 0 * ACCEL_ROW_LANES_(lanes)),                             \
                ACCEL_WALK_(size_t, row, accel_share((acc).core, &accel_end_##row));                                   \
         ACCEL_EACH_(ACCEL_WALKS_(row)); ACCEL_WALK_ON_(size_t, row, 1))
#endif

/* Row `row` of a tile of as many rows as the block has groups of lanes; t is the first thread of its group. */
#if defined(ACCEL_LINT)
#define ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, n, lanes)                                                             \
    ACCEL_LINT_IN_ ACCEL_LINT_2_(row, t, (n) + 0 * ACCEL_ROW_LANES_(lanes), accel_region_threads(acc))
#else
#define ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, n, lanes)                                                             \
    ACCEL_OUTLINED_                                                                                                    \
    for (size_t accel_end_##row = (n), accel_tile_##row = 0,                                                           \
                accel_width_##row = accel_cpu_row_width(acc, ACCEL_ROW_LANES_(lanes));                                 \
         ACCEL_REGION_ROWS_(accel_tile_##row < accel_end_##row);                                                       \
         accel_tile_##row += accel_region_threads(acc) / accel_width_##row)                                            \
        for (size_t accel_end_##t = accel_width_##row * accel_smaller(accel_end_##row - accel_tile_##row,              \
                                                                      accel_region_threads(acc) / accel_width_##row),  \
                    ACCEL_ALONG_(t, accel_along_##row, accel_end_##t, 0),                                              \
                    row = accel_tile_##row + accel_along_##row / accel_width_##row;                                    \
             ACCEL_REGION_IN_ROW_(t < accel_end_##t && t % accel_width_##row == 0, t); t += accel_width_##row, row++)
#endif

/* Threads of a row on GPUs: `lanes`, or 1 in a block of so many threads that it cannot be divided so. */
ACCEL_INLINE_ size_t accel_cpu_width(size_t threads, size_t lanes)
{
    return threads % lanes == 0 ? lanes : 1;
}
ACCEL_INLINE_ size_t accel_cpu_row_width(const accel_block_handle acc, size_t lanes)
{
    return accel_cpu_width(accel_region_threads(acc), lanes);
}

/* Of each group of lanes the first thread has the rows, and the others have none. */
#define ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, n, lanes)                                                         \
    for (size_t accel_end_##row = (n), accel_step_##row = accel_cpu_thread_rows(acc, ACCEL_ROW_LANES_(lanes)),         \
                row = accel_cpu_thread_row(acc, ACCEL_ROW_LANES_(lanes));                                              \
         row < accel_end_##row; row += accel_step_##row)

/* Rows that the block has at a time. */
ACCEL_INLINE_ size_t accel_cpu_thread_rows(const accel_thread_handle acc, size_t lanes)
{
    const size_t threads = accel_cpu_threads(acc.core);
    return threads / accel_cpu_width(threads, lanes);
}
/* The thread's first row; of threads that have none one behind all. */
ACCEL_INLINE_ size_t accel_cpu_thread_row(const accel_thread_handle acc, size_t lanes)
{
    const size_t width = accel_cpu_width(accel_cpu_threads(acc.core), lanes), t = accel_cpu_part(acc.core);
    return t % width == 0 ? t / width : SIZE_MAX;
}

#define ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end)                                                                  \
    ACCEL_INDEPENDENT_                                                                                                 \
    for (size_t accel_end_##j = (end) + 0 * ACCEL_ROW_LANES_(lanes), j = ((void)(acc).core, (begin));                  \
         j < accel_end_##j; j++)

#define ACCEL_ROW_ONCE(acc, lanes)                                                                                     \
    for (size_t accel_once = ((void)(acc).core, ACCEL_ROW_LANES_(lanes)); accel_once != 0; accel_once = 0)

/* The remaining elements join a copy: an array with a variable subscript is no vector to clang. Each of eight lanes is asked
 * whether there is an element for it, which keeps them in registers by gcc; other numbers of lanes are slower so. */
#if defined(__clang__)
#define ACCEL_ROW_ASKS_LANES_(lanes) 0
#else
#define ACCEL_ROW_ASKS_LANES_(lanes) ((lanes) == 8)
#endif
#define accel_row_reduce(acc, lanes, T, op, j, begin, end, ...)                                                        \
    __extension__({                                                                                                    \
        ACCEL_IS_REDUCER_(op);                                                                                         \
        const T accel_start = accel_start_##op((T *)0);                                                                \
        T accel_lane[ACCEL_ROW_LANES_(lanes)], accel_rest[ACCEL_ROW_LANES_(lanes)];                                    \
        size_t accel_at = ((void)(acc).core, (begin));                                                                 \
        const size_t accel_end = (end);                                                                                \
        for (size_t accel_k = 0; accel_k < (lanes); accel_k++)                                                         \
            accel_lane[accel_k] = accel_start;                                                                         \
        for (; accel_at < accel_end && accel_end - accel_at >= (lanes); accel_at += (lanes))                           \
            for (size_t accel_k = 0; accel_k < (lanes); accel_k++)                                                     \
                ACCEL_CPU_ELEMENT_(T, op, accel_lane, j, __VA_ARGS__)                                                  \
        for (size_t accel_k = 0; accel_k < (lanes); accel_k++)                                                         \
            accel_rest[accel_k] = accel_lane[accel_k];                                                                 \
        if (!ACCEL_ROW_ASKS_LANES_(lanes))                                                                             \
            for (size_t accel_k = 0; accel_at + accel_k < accel_end; accel_k++)                                        \
                ACCEL_CPU_ELEMENT_(T, op, accel_rest, j, __VA_ARGS__)                                                  \
        else if (accel_at < accel_end)                                                                                 \
            for (size_t accel_k = 0; accel_k < (lanes); accel_k++)                                                     \
                if (accel_at + accel_k < accel_end)                                                                    \
                    ACCEL_CPU_ELEMENT_(T, op, accel_rest, j, __VA_ARGS__)                                              \
        for (size_t accel_h = (lanes) / 2; accel_h != 0; accel_h /= 2)                                                 \
            for (size_t accel_k = 0; accel_k < accel_h; accel_k++)                                                     \
                accel_into_##op(&accel_rest[accel_k], &accel_rest[accel_k + accel_h]);                                 \
        accel_rest[0];                                                                                                 \
    })

#define ACCEL_CPU_ELEMENT_(T, op, lane, j, ...)                                                                        \
    {                                                                                                                  \
        const size_t j = accel_at + accel_k;                                                                           \
        const T accel_element = __VA_ARGS__;                                                                           \
        accel_into_##op(&(lane)[accel_k], &accel_element);                                                             \
    }

#define accel_row_inclusive_scan(acc, lanes, T, op, to, j, begin, end, ...)                                            \
    ACCEL_CPU_ROW_SCAN_(acc, lanes, T, op, to, 0, j, begin, end, __VA_ARGS__)
#define accel_row_exclusive_scan(acc, lanes, T, op, to, j, begin, end, ...)                                            \
    ACCEL_CPU_ROW_SCAN_(acc, lanes, T, op, to, 1, j, begin, end, __VA_ARGS__)

/* accel_before is what the elements before these make. */
#define ACCEL_CPU_ROW_SCAN_(acc, lanes, T, op, to, exclusive, j, begin, end, ...)                                      \
    __extension__({                                                                                                    \
        ACCEL_IS_REDUCER_(op);                                                                                         \
        T accel_before = accel_start_##op((T *)0);                                                                     \
        T accel_lane[ACCEL_ROW_LANES_(lanes)];                                                                         \
        T *const accel_to = (to);                                                                                      \
        const size_t accel_end = ((void)(acc).core, (end));                                                            \
        for (size_t accel_at = (begin); accel_at < accel_end; accel_at += (lanes)) {                                   \
            const size_t accel_count = accel_cpu_at_most(accel_end - accel_at, (lanes));                               \
            for (size_t accel_k = 0; accel_k < accel_count; accel_k++) {                                               \
                const size_t j = accel_at + accel_k;                                                                   \
                accel_lane[accel_k] = __VA_ARGS__;                                                                     \
            }                                                                                                          \
            accel_cpu_keep(accel_lane);                                                                                \
            ACCEL_CPU_PREFIXES_(T, op, accel_lane, accel_count)                                                        \
            for (size_t accel_k = 0; accel_k < accel_count; accel_k++)                                                 \
                ACCEL_CPU_INTO_RIGHT_(T, op, accel_before, accel_lane[accel_k])                                        \
            if (exclusive)                                                                                             \
                accel_to[accel_at] = accel_before;                                                                     \
            for (size_t accel_k = (exclusive); accel_k < accel_count; accel_k++)                                       \
                accel_to[accel_at + accel_k] = accel_lane[accel_k - (exclusive)];                                      \
            accel_before = accel_lane[accel_count - 1];                                                                \
        }                                                                                                              \
        accel_before;                                                                                                  \
    })

#endif

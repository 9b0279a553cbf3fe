/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/block_range.h - reductions and scans of ranges by a block, for host compilers. The block, or the first
 * thread of it in thread kernels, has the values of all threads in an array that compilers keep in vectors.
 *
 * accel_block_range_inclusive_scan(acc, double, ACCEL_SUM, to, j, begin, end, x[j]) expands to
 *
 *     ({
 *         double all[1024], before = 0;
 *         for (size_t at = begin; at < end; at += threads of the block) {
 *             for (size_t k = 0; k < threads of the block, or what is left; k++) { const size_t j = at + k; all[k] = x[j]; }
 *             all = what accel_block_inclusive_scan makes of as many threads;
 *             for (each k) { all[k] = before + all[k]; to[at + k] = all[k]; }
 *             before = the last one;
 *         }
 *         before;
 *     })
 */
#ifndef ACCEL_KERNEL_CPU_BLOCK_RANGE_H
#define ACCEL_KERNEL_CPU_BLOCK_RANGE_H

/* -------------------------------------------------------------------------------------- block kernels -- */

#define accel_block_range_reduce(acc, T, op, j, begin, end, ...)                                                       \
    __extension__({                                                                                                    \
        T accel_all[ACCEL_MAX_BLOCK_THREADS], accel_row[32];                                                           \
        const size_t accel_threads = ACCEL_COLLECTIVE_THREADS_(acc);                                                   \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_RANGE_REDUCE_(T, op, accel_row, j, begin, end, __VA_ARGS__);                                         \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_row[0];                                                                                                  \
    })

#define accel_block_range_inclusive_scan(acc, T, op, to, j, begin, end, ...)                                           \
    ACCEL_CPU_BLOCK_RANGE_SCAN_(acc, T, op, to, 0, j, begin, end, __VA_ARGS__)
#define accel_block_range_exclusive_scan(acc, T, op, to, j, begin, end, ...)                                           \
    ACCEL_CPU_BLOCK_RANGE_SCAN_(acc, T, op, to, 1, j, begin, end, __VA_ARGS__)
#define ACCEL_CPU_BLOCK_RANGE_SCAN_(acc, T, op, to, exclusive, j, begin, end, ...)                                     \
    __extension__({                                                                                                    \
        T accel_all[ACCEL_MAX_BLOCK_THREADS], accel_before = accel_start_##op((T *)0);                                 \
        const size_t accel_threads = ACCEL_COLLECTIVE_THREADS_(acc);                                                   \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_RANGE_SCAN_(T, op, to, exclusive, j, begin, end, __VA_ARGS__);                                       \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_before;                                                                                                  \
    })

/* ------------------------------------------------------------------------------------- thread kernels -- */

/* What the first thread leaves in accel_result stays until each thread has passed the first barrier of the next call. */
#define ACCEL_CPU_BY_THE_FIRST_(acc, T, ...)                                                                           \
    __extension__({                                                                                                    \
        ACCEL_SHARED(acc, T, accel_all[ACCEL_MAX_BLOCK_THREADS]);                                                      \
        ACCEL_SHARED(acc, T, accel_result[1]);                                                                         \
        accel_sync_block(acc);                                                                                         \
        if (accel_cpu_part((acc).core) == 0) {                                                                         \
            const size_t accel_threads = accel_cpu_threads((acc).core);                                                \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        accel_sync_block(acc);                                                                                         \
        accel_result[0];                                                                                               \
    })

#define accel_sync_block_range_reduce(acc, T, op, j, begin, end, ...)                                                  \
    ACCEL_CPU_BY_THE_FIRST_(acc, T, T accel_row[32];                                                                   \
                            ACCEL_CPU_RANGE_REDUCE_(T, op, accel_row, j, begin, end, __VA_ARGS__);                     \
                            accel_result[0] = accel_row[0];)

#define accel_sync_block_range_inclusive_scan(acc, T, op, to, j, begin, end, ...)                                      \
    ACCEL_CPU_SYNC_RANGE_SCAN_(acc, T, op, to, 0, j, begin, end, __VA_ARGS__)
#define accel_sync_block_range_exclusive_scan(acc, T, op, to, j, begin, end, ...)                                      \
    ACCEL_CPU_SYNC_RANGE_SCAN_(acc, T, op, to, 1, j, begin, end, __VA_ARGS__)
#define ACCEL_CPU_SYNC_RANGE_SCAN_(acc, T, op, to, exclusive, j, begin, end, ...)                                      \
    ACCEL_CPU_BY_THE_FIRST_(acc, T, T accel_before = accel_start_##op((T *)0);                                         \
                            ACCEL_CPU_RANGE_SCAN_(T, op, to, exclusive, j, begin, end, __VA_ARGS__);                   \
                            accel_result[0] = accel_before;)

/* ---------------------------------------------------------------------------------------------- loops -- */

/* Each thread joins its elements; row[0] becomes what the threads' values make, as far as they have an element. */
#define ACCEL_CPU_RANGE_REDUCE_(T, op, row, j, begin, end, ...)                                                        \
    const T accel_start = accel_start_##op((T *)0);                                                                    \
    const size_t accel_from = (begin), accel_end = (end);                                                              \
    const size_t accel_used =                                                                                          \
        accel_from < accel_end ? accel_cpu_at_most(accel_end - accel_from, accel_threads) : (size_t)1;                 \
    for (size_t accel_t = 0; accel_t < accel_used; accel_t++)                                                          \
        accel_all[accel_t] = accel_start;                                                                              \
    for (size_t accel_at = accel_from; accel_at < accel_end; accel_at += accel_threads) {                              \
        const size_t accel_taken = accel_cpu_at_most(accel_end - accel_at, accel_threads);                             \
        for (size_t accel_t = 0; accel_t < accel_taken; accel_t++) {                                                   \
            const size_t j = accel_at + accel_t;                                                                       \
            const T accel_element = __VA_ARGS__;                                                                       \
            accel_into_##op(&accel_all[accel_t], &accel_element);                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_CPU_REDUCE_(T, op, accel_all, accel_used, row)

/* accel_before becomes what all make. */
#define ACCEL_CPU_RANGE_SCAN_(T, op, to, exclusive, j, begin, end, ...)                                                \
    T *const accel_to = (to);                                                                                          \
    const size_t accel_end = (end);                                                                                    \
    for (size_t accel_at = (begin); accel_at < accel_end; accel_at += accel_threads) {                                 \
        const size_t accel_taken = accel_cpu_at_most(accel_end - accel_at, accel_threads);                             \
        for (size_t accel_t = 0; accel_t < accel_taken; accel_t++) {                                                   \
            const size_t j = accel_at + accel_t;                                                                       \
            accel_all[accel_t] = __VA_ARGS__;                                                                          \
        }                                                                                                              \
        ACCEL_CPU_SCAN_(T, op, accel_all, accel_taken);                                                                \
        for (size_t accel_t = 0; accel_t < accel_taken; accel_t++)                                                     \
            ACCEL_CPU_INTO_RIGHT_(T, op, accel_before, accel_all[accel_t])                                             \
        if (exclusive)                                                                                                 \
            accel_to[accel_at] = accel_before;                                                                         \
        for (size_t accel_t = (exclusive); accel_t < accel_taken; accel_t++)                                           \
            accel_to[accel_at + accel_t] = accel_all[accel_t - (exclusive)];                                           \
        accel_before = accel_all[accel_taken - 1];                                                                     \
    }

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/collective.h - collectives for host compilers. In a block kernel they are loops over the private
 * values. In a thread kernel the threads put their values into shared memory, and the first one runs the same loops.
 *
 * accel_block_reduce(acc, double, ACCEL_SUM, x) expands to
 *
 *     ({
 *         double *all = x, row[32];
 *         accel_cpu_keep(all);
 *         for (size_t g = 0; g < threads of the block; g += 32)
 *             row[g / 32] = all[g] and the up to 31 behind it, by halves;
 *         row[0] = row, by halves;
 *         row[0];
 *     })
 */
#ifndef ACCEL_KERNEL_CPU_COLLECTIVE_H
#define ACCEL_KERNEL_CPU_COLLECTIVE_H

/* -------------------------------------------------------------------------------------- block kernels -- */

#define accel_block_reduce(acc, T, op, x)                                                                              \
    __extension__({                                                                                                    \
        T *const accel_all = ACCEL_CPU_PRIVATE_(T, x);                                                                 \
        T accel_row[32];                                                                                               \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_REDUCE_(T, op, accel_all, ACCEL_COLLECTIVE_THREADS_(acc), accel_row);                                \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_row[0];                                                                                                  \
    })

#define accel_block_inclusive_scan(acc, T, op, x)                                                                      \
    __extension__({                                                                                                    \
        T *const accel_all = ACCEL_CPU_PRIVATE_(T, x);                                                                 \
        const size_t accel_threads = ACCEL_COLLECTIVE_THREADS_(acc);                                                   \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_SCAN_(T, op, accel_all, accel_threads);                                                              \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_all[accel_threads - 1];                                                                                  \
    })

#define accel_block_exclusive_scan(acc, T, op, x)                                                                      \
    __extension__({                                                                                                    \
        T *const accel_all = ACCEL_CPU_PRIVATE_(T, x);                                                                 \
        const T accel_first = accel_start_##op((T *)0);                                                                \
        const size_t accel_threads = ACCEL_COLLECTIVE_THREADS_(acc);                                                   \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_SCAN_(T, op, accel_all, accel_threads);                                                              \
        T accel_last = accel_first;                                                                                    \
        for (size_t accel_k = 0; accel_k < accel_threads; accel_k++) {                                                 \
            const T accel_own = accel_all[accel_k];                                                                    \
            accel_all[accel_k] = accel_last;                                                                           \
            accel_last = accel_own;                                                                                    \
        }                                                                                                              \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_last;                                                                                                    \
    })

#define accel_block_broadcast(acc, T, x, t)                                                                            \
    __extension__({                                                                                                    \
        T *const accel_all = ACCEL_CPU_PRIVATE_(T, x);                                                                 \
        (void)ACCEL_COLLECTIVE_THREADS_(acc);                                                                          \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        const T accel_value = accel_all[t];                                                                            \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
        accel_value;                                                                                                   \
    })

#define accel_block_sort(acc, T, less, tile, spare, n)                                                                 \
    do {                                                                                                               \
        (void)ACCEL_COLLECTIVE_THREADS_(acc);                                                                          \
        ACCEL_CHECK_(accel_check_collective(1));                                                                       \
        ACCEL_CPU_SORT_(T, less, tile, spare, n)                                                                       \
        ACCEL_CHECK_(accel_check_collective(0));                                                                       \
    } while (0)

/* Only an array of T is one. */
#if defined(__cplusplus)
#define ACCEL_CPU_PRIVATE_(T, x) (x)
#else
#define ACCEL_CPU_PRIVATE_(T, x) _Generic(&(x)[0], T * : (x))
#endif

/* Inside a region there is no such member where accelcc checks that. */
#if defined(ACCEL_LINT)
#define ACCEL_COLLECTIVE_THREADS_(acc) (accel_region_threads(acc) + ACCEL_LINT_OUTSIDE_)
#else
#define ACCEL_COLLECTIVE_THREADS_(acc) accel_region_threads(acc)
#endif

/* ------------------------------------------------------------------------------------- thread kernels -- */

/* The values of the block are in accel_all, and the first thread runs the loops. What it leaves in accel_result stays
 * until each thread has passed the next barrier, which is one of the next call or of another operation. */
#define ACCEL_CPU_TOGETHER_(acc, T, v, ...)                                                                            \
    ACCEL_SHARED(acc, T, accel_all[ACCEL_MAX_BLOCK_THREADS]);                                                          \
    ACCEL_SHARED(acc, T, accel_result[1]);                                                                             \
    const size_t accel_threads __attribute__((unused)) = accel_cpu_threads((acc).core),                                \
                               accel_thread = accel_cpu_part((acc).core);                                              \
    accel_all[accel_thread] = (v);                                                                                     \
    accel_sync_block(acc);                                                                                             \
    if (accel_thread == 0) {                                                                                           \
        __VA_ARGS__                                                                                                    \
    }                                                                                                                  \
    accel_sync_block(acc)

#define accel_sync_block_reduce(acc, T, op, v)                                                                         \
    __extension__({                                                                                                    \
        ACCEL_CPU_TOGETHER_(acc, T, v, T accel_row[32]; ACCEL_CPU_REDUCE_(T, op, accel_all, accel_threads, accel_row); \
                            accel_result[0] = accel_row[0];);                                                          \
        accel_result[0];                                                                                               \
    })

#define accel_sync_block_inclusive_scan(acc, T, op, v, all)                                                            \
    __extension__({                                                                                                    \
        T *const accel_to = (all);                                                                                     \
        ACCEL_CPU_TOGETHER_(acc, T, v, ACCEL_CPU_SCAN_(T, op, accel_all, accel_threads);                               \
                            accel_result[0] = accel_all[accel_threads - 1];);                                          \
        accel_cpu_tell(accel_to, accel_result, sizeof(T));                                                             \
        accel_all[accel_thread];                                                                                       \
    })

#define accel_sync_block_exclusive_scan(acc, T, op, v, all)                                                            \
    __extension__({                                                                                                    \
        T *const accel_to = (all);                                                                                     \
        T accel_before = accel_start_##op((T *)0);                                                                     \
        ACCEL_CPU_TOGETHER_(acc, T, v, ACCEL_CPU_SCAN_(T, op, accel_all, accel_threads);                               \
                            accel_result[0] = accel_all[accel_threads - 1];);                                          \
        if (accel_thread != 0)                                                                                         \
            accel_before = accel_all[accel_thread - 1];                                                                \
        accel_cpu_tell(accel_to, accel_result, sizeof(T));                                                             \
        accel_sync_block(acc); /* the next call overwrites the neighbour's value */                                    \
        accel_before;                                                                                                  \
    })

#define accel_sync_block_broadcast(acc, T, v, t)                                                                       \
    __extension__({                                                                                                    \
        ACCEL_CPU_TOGETHER_(acc, T, v, accel_result[0] = accel_all[t];);                                               \
        accel_result[0];                                                                                               \
    })

#define accel_sync_block_sort(acc, T, less, tile, spare, n)                                                            \
    do {                                                                                                               \
        accel_sync_block(acc);                                                                                         \
        if (accel_cpu_part((acc).core) == 0)                                                                           \
            ACCEL_CPU_SORT_(T, less, tile, spare, n)                                                                   \
        accel_sync_block(acc);                                                                                         \
    } while (0)

ACCEL_INLINE_ size_t accel_cpu_threads(const accel_core core)
{
    return core.parts.x * core.parts.y * core.parts.z;
}
ACCEL_INLINE_ size_t accel_cpu_part(const accel_core core)
{
    return (core.part.z * core.parts.y + core.part.y) * core.parts.x + core.part.x;
}

ACCEL_INLINE_ void accel_cpu_tell(void *to, const void *result, size_t size)
{
    if (to != NULL)
        __builtin_memcpy(to, result, size);
}

/* ---------------------------------------------------------------------------------------------- loops -- */

/* The compiler does not see what computed the values, so it cannot fuse a product with the first sum. */
ACCEL_INLINE_ void accel_cpu_keep(const void *values)
{
    __asm__ volatile("" : : "r"(values) : "memory");
}

ACCEL_INLINE_ size_t accel_cpu_at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* Row g gets what values 32 g to 32 g + 31 make, row 0 in the end what all make. Whole groups have constant bounds. */
#define ACCEL_CPU_REDUCE_(T, op, values, threads, row)                                                                 \
    ACCEL_IS_REDUCER_(op);                                                                                             \
    const size_t accel_n = (threads);                                                                                  \
    accel_cpu_keep(values);                                                                                            \
    for (size_t accel_g = 0; accel_g < accel_n; accel_g += 32) {                                                       \
        const size_t accel_count = accel_cpu_at_most(accel_n - accel_g, 32);                                           \
        T accel_lane[32];                                                                                              \
        for (size_t accel_k = 0; accel_k < accel_count; accel_k++)                                                     \
            accel_lane[accel_k] = (values)[accel_g + accel_k];                                                         \
        if (accel_count == 32)                                                                                         \
            ACCEL_CPU_HALVES_(op, accel_lane, 32)                                                                      \
        else                                                                                                           \
            ACCEL_CPU_HALVES_(op, accel_lane, accel_count)                                                             \
        (row)[accel_g / 32] = accel_lane[0];                                                                           \
    }                                                                                                                  \
    ACCEL_CPU_HALVES_(op, row, (accel_n + 31) / 32)

#define ACCEL_CPU_HALVES_(op, a, n)                                                                                    \
    for (size_t accel_h = 16; accel_h != 0; accel_h /= 2)                                                              \
        for (size_t accel_k = 0; accel_k < accel_h && accel_k + accel_h < (n); accel_k++)                              \
            accel_into_##op(&(a)[accel_k], &(a)[accel_k + accel_h]);

/* Each value becomes what it and those before it make. */
#define ACCEL_CPU_SCAN_(T, op, values, threads)                                                                        \
    ACCEL_IS_REDUCER_(op);                                                                                             \
    const size_t accel_n = (threads);                                                                                  \
    T accel_before_group[32];                                                                                          \
    accel_cpu_keep(values);                                                                                            \
    for (size_t accel_g = 0; accel_g < accel_n; accel_g += 32) {                                                       \
        const size_t accel_count = accel_cpu_at_most(accel_n - accel_g, 32);                                           \
        ACCEL_CPU_PREFIXES_(T, op, (values) + accel_g, accel_count)                                                    \
        accel_before_group[accel_g / 32] = (values)[accel_g + accel_count - 1];                                        \
    }                                                                                                                  \
    ACCEL_CPU_PREFIXES_(T, op, accel_before_group, (accel_n + 31) / 32)                                                \
    for (size_t accel_k = 32; accel_k < accel_n; accel_k++)                                                            \
    ACCEL_CPU_INTO_RIGHT_(T, op, accel_before_group[accel_k / 32 - 1], (values)[accel_k])

#define ACCEL_CPU_PREFIXES_(T, op, a, n)                                                                               \
    for (size_t accel_h = 1; accel_h < (n); accel_h *= 2)                                                              \
        for (size_t accel_k = (n); accel_k-- > accel_h;)                                                               \
    ACCEL_CPU_INTO_RIGHT_(T, op, (a)[accel_k - accel_h], (a)[accel_k])

/* b becomes a joined with b. */
#define ACCEL_CPU_INTO_RIGHT_(T, op, a, b)                                                                             \
    {                                                                                                                  \
        T accel_left = (a);                                                                                            \
        accel_into_##op(&accel_left, &(b));                                                                            \
        (b) = accel_left;                                                                                              \
    }

/* Runs of 1, 2, 4, ... elements are merged, by turns from one array into the other. */
#define ACCEL_CPU_SORT_(T, less, tile, spare, n)                                                                       \
    {                                                                                                                  \
        T *const accel_array = (tile), *accel_from = accel_array, *accel_to = (spare);                                 \
        const size_t accel_n = (n);                                                                                    \
        for (size_t accel_w = 1; accel_w < accel_n; accel_w *= 2) {                                                    \
            for (size_t accel_b = 0; accel_b < accel_n; accel_b += 2 * accel_w) {                                      \
                const size_t accel_middle = accel_cpu_at_most(accel_b + accel_w, accel_n);                             \
                const size_t accel_end = accel_cpu_at_most(accel_middle + accel_w, accel_n);                           \
                size_t accel_i = accel_b, accel_j = accel_middle;                                                      \
                for (size_t accel_k = accel_b; accel_k < accel_end; accel_k++) {                                       \
                    const int accel_right = accel_i == accel_middle ||                                                 \
                                            (accel_j < accel_end && less(accel_from[accel_j], accel_from[accel_i]));   \
                    accel_to[accel_k] = accel_from[accel_right ? accel_j : accel_i];                                   \
                    *(accel_right ? &accel_j : &accel_i) += 1;                                                         \
                }                                                                                                      \
            }                                                                                                          \
            T *const accel_filled = accel_to;                                                                          \
            accel_to = accel_from;                                                                                     \
            accel_from = accel_filled;                                                                                 \
        }                                                                                                              \
        if (accel_from != accel_array)                                                                                 \
            for (size_t accel_k = 0; accel_k < accel_n; accel_k++)                                                     \
                accel_array[accel_k] = accel_from[accel_k];                                                            \
    }

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/spread.h - of a scan's runs for host compilers: how many are joined side by side, by which loops, and what
 * precedes each of 128.
 *
 * Every 32 of them are joined over distances of 1, 2, 4, 8 and 16 (Hillis and Steele 1986), in the order of
 * docs/semantics.md, P7.
 */
#ifndef ACCEL_KERNEL_CPU_SPREAD_H
#define ACCEL_KERNEL_CPU_SPREAD_H

#include <accel/kernel/cpu/lanes.h>
#include <accel/kernel/cpu/square.h>

/* Runs side by side: as many as a vector has values, or else as registers hold. Sanitizers check each access and would
 * compile minutes for that: one. */
#define ACCEL_SCAN_REGISTERS_(V) (sizeof(V) <= 8 ? (size_t)8 : sizeof(V) <= 16 ? (size_t)4 : (size_t)1)
#if defined(ACCEL_ONE_BY_ONE_)
#define ACCEL_SCAN_SIDE_(V) (size_t)1
#elif ACCEL_SQUARE_BYTES_ != 0
#define ACCEL_SCAN_SIDE_(V) (ACCEL_IS_SQUARED_(V) ? ACCEL_SQUARE_BYTES_ / sizeof(V) : ACCEL_SCAN_REGISTERS_(V))
#else
#define ACCEL_SCAN_SIDE_(V) ACCEL_SCAN_REGISTERS_(V)
#endif

#if defined(ACCEL_ONE_BY_ONE_)
#define ACCEL_ALL_SCALAR_
#define ACCEL_STEP_BY_STEP_
#define ACCEL_ALL_DISTANCES_
#elif defined(__clang__)
#define ACCEL_ALL_SCALAR_ _Pragma("clang loop unroll(full)")
#define ACCEL_STEP_BY_STEP_ _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#define ACCEL_ALL_DISTANCES_ ACCEL_ALL_UNROLLED_
#else
#define ACCEL_ALL_SCALAR_ _Pragma("GCC unroll 16")
#define ACCEL_STEP_BY_STEP_ _Pragma("GCC unroll 1")
#define ACCEL_ALL_DISTANCES_ ACCEL_ALL_UNROLLED_
#endif

/* What gcc would make memcpy of is copied by narrower stores than a vector's, which loads of vectors wait for. */
#if defined(__clang__)
#define ACCEL_WHOLE_VECTORS_
#else
#define ACCEL_WHOLE_VECTORS_ __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* A short loop of which compilers are to make vectors. */
#if defined(__clang__)
#define ACCEL_AS_VECTORS_ _Pragma("clang loop unroll(disable)")
#else
#define ACCEL_AS_VECTORS_ ACCEL_NOT_UNROLLED_
#endif

/* Makes of the totals of 128 runs what precedes each of them, and of `x` the total of all. Of fewer runs, rounded up to 32, nobody
 * asks the total. The four times 32 stand side by side, so that vectors are read as they were written. */
#define ACCEL_SPREAD_PIECES_(name, V, v, count, x)                                                                     \
    do {                                                                                                               \
        V accel_a[ACCEL_TILE_LANES + 1][ACCEL_TILE_PIECES];                                                            \
        for (size_t accel_q = 0; accel_q < ACCEL_TILE_PIECES; accel_q++) {                                             \
            accel_a[0][accel_q] = x;                                                                                   \
            for (size_t accel_k = 0; accel_k < ACCEL_TILE_LANES; accel_k++)                                            \
                accel_a[accel_k + 1][accel_q] =                                                                        \
                    accel_q * ACCEL_TILE_LANES < (count) ? (v)[accel_q * ACCEL_TILE_LANES + accel_k] : x;              \
        }                                                                                                              \
        ACCEL_ALL_DISTANCES_                                                                                           \
        for (size_t accel_h = 1; accel_h < ACCEL_TILE_LANES; accel_h *= 2)                                             \
            for (size_t accel_k = ACCEL_TILE_LANES; accel_k > accel_h; accel_k--)                                      \
                for (size_t accel_q = 0; accel_q < ACCEL_TILE_PIECES; accel_q++) {                                     \
                    V accel_s = accel_a[accel_k - accel_h][accel_q];                                                   \
                    accel_join_of_##name(&accel_s, &accel_a[accel_k][accel_q]);                                        \
                    accel_a[accel_k][accel_q] = accel_s;                                                               \
                }                                                                                                      \
        for (size_t accel_q = 0; accel_q * ACCEL_TILE_LANES < (count); accel_q++) {                                    \
            for (size_t accel_k = 0; accel_k < ACCEL_TILE_LANES; accel_k++) {                                          \
                V accel_s = x;                                                                                         \
                accel_join_of_##name(&accel_s, &accel_a[accel_k][accel_q]);                                            \
                (v)[accel_q * ACCEL_TILE_LANES + accel_k] = accel_s;                                                   \
            }                                                                                                          \
            accel_join_of_##name(&x, &accel_a[ACCEL_TILE_LANES][accel_q]);                                             \
        }                                                                                                              \
    } while (0)

/* The same of plain numbers, in whole vectors of lanes: a distance within a vector is a shift. Vectors are made from the last to
 * the first, so what precedes one is still as it was. clang would not make vectors of it. */
#if defined(__clang__)
#define ACCEL_SPREADS_LANES_(V) 0
#else
#define ACCEL_SPREADS_LANES_(V) ACCEL_IS_SQUARED_(V)
#endif
#define ACCEL_SPREAD_LANES_(name, V, v, count, x)                                                                      \
    do {                                                                                                               \
        const size_t accel_w = ACCEL_SCAN_SIDE_(V);                                                                    \
        V accel_a[ACCEL_TILE_LANES] __attribute__((aligned(64))),                                                      \
            accel_t[ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                                                 \
        for (size_t accel_q = 0; accel_q * ACCEL_TILE_LANES < (count); accel_q++) {                                    \
            V *const accel_at = (v) + accel_q * ACCEL_TILE_LANES;                                                      \
            ACCEL_AS_VECTORS_                                                                                          \
            for (size_t accel_k = 0; accel_k < ACCEL_TILE_LANES; accel_k++)                                            \
                accel_a[accel_k] = accel_at[accel_k];                                                                  \
            ACCEL_ALL_DISTANCES_                                                                                       \
            for (size_t accel_h = 1; accel_h < ACCEL_TILE_LANES; accel_h *= 2)                                         \
                ACCEL_ALL_SCALAR_ for (size_t accel_j = ACCEL_TILE_LANES; accel_j > 0; accel_j -= accel_w)             \
                {                                                                                                      \
                    V *const accel_own = accel_a + accel_j - accel_w;                                                  \
                    const V *const accel_before = accel_j > accel_w ? accel_own - accel_w : accel_own;                 \
                    if (accel_h < accel_w)                                                                             \
                        ACCEL_SHIFTED_VALUES_(V, accel_t, accel_before, accel_own, accel_h);                           \
                    else if (accel_j <= accel_h)                                                                       \
                        break;                                                                                         \
                    ACCEL_AS_VECTORS_                                                                                  \
                    for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                               \
                        V accel_s = accel_h < accel_w ? accel_t[accel_c] : accel_own[accel_c - accel_h];               \
                        accel_join_of_##name(&accel_s, &accel_own[accel_c]);                                           \
                        accel_t[accel_c] = accel_s;                                                                    \
                    }                                                                                                  \
                    ACCEL_AS_VECTORS_                                                                                  \
                    for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++)                                 \
                        accel_own[accel_c] =                                                                           \
                            accel_j > accel_w || accel_c >= accel_h ? accel_t[accel_c] : accel_own[accel_c];           \
                }                                                                                                      \
            ACCEL_ALL_SCALAR_ for (size_t accel_j = 0; accel_j < ACCEL_TILE_LANES; accel_j += accel_w)                 \
            {                                                                                                          \
                const V *const accel_own = accel_a + accel_j;                                                          \
                ACCEL_SHIFTED_VALUES_(V, accel_t, accel_j > 0 ? accel_own - accel_w : accel_own, accel_own, 1);        \
                if (accel_j == 0)                                                                                      \
                    accel_t[0] = accel_start_of_##name();                                                              \
                ACCEL_AS_VECTORS_                                                                                      \
                for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                                   \
                    V accel_s = x;                                                                                     \
                    accel_join_of_##name(&accel_s, &accel_t[accel_c]);                                                 \
                    accel_at[accel_j + accel_c] = accel_s;                                                             \
                }                                                                                                      \
            }                                                                                                          \
            accel_join_of_##name(&x, &accel_a[ACCEL_TILE_LANES - 1]);                                                  \
        }                                                                                                              \
    } while (0)

#define ACCEL_CPU_SPREAD_(name, function, V)                                                                           \
    static __attribute__((noinline)) ACCEL_WHOLE_VECTORS_ V function(V *accel_v, size_t accel_count)                   \
    {                                                                                                                  \
        V accel_x = accel_start_of_##name();                                                                           \
        if (ACCEL_SPREADS_LANES_(V))                                                                                   \
            ACCEL_SPREAD_LANES_(name, V, accel_v, accel_count, accel_x);                                               \
        else                                                                                                           \
            ACCEL_SPREAD_PIECES_(name, V, accel_v, accel_count, accel_x);                                              \
        return accel_x;                                                                                                \
    }

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/scan.h - scans for host compilers, in the order of docs/semantics.md, P7.
 *
 * An addition waits for the one before it, so one run after the other is slow. Several runs are joined side by side: each
 * step takes one element of every run. Runs of numbers are transposed for that, with as many of them as a vector has values
 * (square.h). Of other types compilers would have to gather vectors, which is slower than one value after the other, so they
 * are told not to. Functions copy the arguments: no store to the result can change a copy, so nothing
 * is read again.
 */
#ifndef ACCEL_KERNEL_CPU_SCAN_H
#define ACCEL_KERNEL_CPU_SCAN_H

#include <accel/kernel/cpu/chunks.h>
#include <accel/kernel/cpu/spread.h>
#include <accel/kernel/cpu/stream.h>

/* Of each of the runs from `at` on, as many elements as there are runs, from the h-th of each: the values, run by run. */
#define ACCEL_SCAN_SQUARE_(name, V, all, at, h, line)                                                                  \
    ACCEL_ROW_AFTER_ROW_                                                                                               \
    for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                                               \
        ACCEL_AS_VECTORS_                                                                                              \
        for (size_t accel_k = 0; accel_k < ACCEL_SCAN_SIDE_(V); accel_k++)                                             \
            (line)[accel_c][accel_k] = accel_value_of_##name(all, (at) + accel_c * ACCEL_RUN_ELEMS + (h) + accel_k);   \
    }

/* Joins the runs from `at` on to `s`, side by side: squares of them, or one element of each. */
#define ACCEL_SCAN_JOIN_SQUARES_(name, V, all, at, s)                                                                  \
    do {                                                                                                               \
        V accel_line[ACCEL_SCAN_SIDE_(V)][ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                           \
        V accel_turned[ACCEL_SCAN_SIDE_(V)][ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                         \
        for (size_t accel_h = 0; accel_h < ACCEL_RUN_ELEMS; accel_h += ACCEL_SCAN_SIDE_(V)) {                          \
            ACCEL_SCAN_SQUARE_(name, V, all, at, accel_h, accel_line)                                                  \
            ACCEL_TRANSPOSED_(V, accel_turned, accel_line);                                                            \
            ACCEL_AS_VECTORS_                                                                                          \
            for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                                       \
                V accel_a = (s)[accel_c];                                                                              \
                ACCEL_ALL_SCALAR_ for (size_t accel_k = 0; accel_k < ACCEL_SCAN_SIDE_(V); accel_k++)                   \
                {                                                                                                      \
                    const V accel_b = accel_turned[accel_k][accel_c];                                                  \
                    accel_join_of_##name(&accel_a, &accel_b);                                                          \
                }                                                                                                      \
                (s)[accel_c] = accel_a;                                                                                \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)
#define ACCEL_SCAN_JOIN_ELEMENTS_(name, V, all, at, s)                                                                 \
    ACCEL_STEP_BY_STEP_ for (size_t accel_k = 0; accel_k < ACCEL_RUN_ELEMS; accel_k++)                                 \
    {                                                                                                                  \
        ACCEL_ALL_SCALAR_ for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++)                           \
        {                                                                                                              \
            const V accel_b = accel_value_of_##name(all, (at) + accel_c * ACCEL_RUN_ELEMS + accel_k);                  \
            accel_join_of_##name(&(s)[accel_c], &accel_b);                                                             \
        }                                                                                                              \
    }

/* The array that elements are read from, if it is known and the caches do not keep it; else NULL. From the third level and from
 * memory a core alone does not read far enough ahead, as runs are transposed, and asking costs where all is near. */
#define ACCEL_CPU_SCAN_ARRAYS_(name)                                                                                   \
    ACCEL_INLINE_ accel_scan_array accel_far_of_##name(const accel_all_##name *accel_all)                              \
    {                                                                                                                  \
        accel_scan_array accel_array = accel_array_of_##name(accel_all->args);                                         \
        if ((accel_all->places.flags & ACCEL_SCAN_PLACES_STREAM) == 0)                                                 \
            accel_array.from = NULL;                                                                                   \
        return accel_array;                                                                                            \
    }                                                                                                                  \
    /* From the tile on whose total is made when that from `begin` on has been scanned. */                             \
    ACCEL_INLINE_ accel_scan_array accel_next_of_##name(const accel_all_##name *accel_all, size_t accel_begin)         \
    {                                                                                                                  \
        const accel_scan_places *const accel_p = &accel_all->places;                                                   \
        accel_scan_array accel_array = accel_far_of_##name(accel_all);                                                 \
        const size_t accel_t =                                                                                         \
            (size_t)accel_p->total_begin + accel_begin / ACCEL_SCAN_TILE_ELEMS - (size_t)accel_p->begin;               \
        if (accel_t >= accel_p->total_end)                                                                             \
            accel_array.from = NULL;                                                                                   \
        if (accel_array.from != NULL)                                                                                  \
            accel_array.from += accel_t * ACCEL_SCAN_TILE_ELEMS * accel_array.elem;                                    \
        return accel_array;                                                                                            \
    }                                                                                                                  \
    /* For the total of the tile from `begin` on, unless it was asked for while another was scanned. */                \
    ACCEL_INLINE_ accel_scan_array accel_unasked_of_##name(const accel_all_##name *accel_all, size_t accel_begin)      \
    {                                                                                                                  \
        const accel_scan_places *const accel_p = &accel_all->places;                                                   \
        accel_scan_array accel_array = accel_far_of_##name(accel_all);                                                 \
        if (accel_begin / ACCEL_SCAN_TILE_ELEMS - (size_t)accel_p->total_begin + (size_t)accel_p->begin <              \
            accel_p->end)                                                                                              \
            accel_array.from = NULL;                                                                                   \
        return accel_array;                                                                                            \
    }

/* Bytes by which totals ask ahead: 1, 2 and 4 kB gained less (docs/notebook/scans.md). */
#define ACCEL_SCAN_AHEAD_ 8192
/* Asks for as many bytes as `elems` elements have, some bytes behind element `at`. */
#define ACCEL_SCAN_FETCH_(array, at, elems, behind)                                                                    \
    do {                                                                                                               \
        if ((array).from != NULL)                                                                                      \
            for (size_t accel_b = 0; accel_b < (elems) * (array).elem; accel_b += 64)                                  \
                __builtin_prefetch((array).from + (at) * (array).elem + accel_b + (behind));                           \
    } while (0)

/* The total of a tile; `runs` becomes what precedes each run in it. */
#define ACCEL_CPU_SCAN_TOTAL_(name, function, spread, V)                                                               \
    static __attribute__((noinline)) ACCEL_WHOLE_VECTORS_ V function(                                                  \
        const accel_all_##name *accel_given, size_t accel_begin, size_t accel_count, V *accel_runs)                    \
    {                                                                                                                  \
        const accel_all_##name accel_copy = *accel_given, *const accel_all = &accel_copy;                              \
        const accel_scan_array accel_far = accel_unasked_of_##name(accel_all, accel_begin);                            \
        const size_t accel_row = ACCEL_TILE_LANES * ACCEL_RUN_ELEMS,                                                   \
                     accel_most = (accel_count + accel_row - 1) / accel_row * ACCEL_TILE_LANES;                        \
        size_t accel_r = 0;                                                                                            \
        for (; (accel_r + ACCEL_SCAN_SIDE_(V)) * ACCEL_RUN_ELEMS <= accel_count; accel_r += ACCEL_SCAN_SIDE_(V)) {     \
            V accel_s[ACCEL_SCAN_SIDE_(V)];                                                                            \
            const size_t accel_at = accel_begin + accel_r * ACCEL_RUN_ELEMS;                                           \
            ACCEL_SCAN_FETCH_(accel_far, accel_at, ACCEL_SCAN_SIDE_(V) * ACCEL_RUN_ELEMS, ACCEL_SCAN_AHEAD_);          \
            ACCEL_ALL_SCALAR_ for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) accel_s[accel_c] =    \
                accel_start_of_##name();                                                                               \
            if (ACCEL_IS_SQUARED_(V))                                                                                  \
                ACCEL_SCAN_JOIN_SQUARES_(name, V, accel_all, accel_at, accel_s);                                       \
            else                                                                                                       \
                ACCEL_SCAN_JOIN_ELEMENTS_(name, V, accel_all, accel_at, accel_s)                                       \
            ACCEL_ALL_SCALAR_ for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++)                       \
                accel_runs[accel_r + accel_c] = accel_s[accel_c];                                                      \
        }                                                                                                              \
        ACCEL_STEP_BY_STEP_ for (; accel_r < accel_most; accel_r++)                                                    \
        {                                                                                                              \
            V accel_s = accel_start_of_##name();                                                                       \
            for (size_t accel_k = 0; accel_k < ACCEL_RUN_ELEMS; accel_k++) {                                           \
                if (accel_r * ACCEL_RUN_ELEMS + accel_k >= accel_count)                                                \
                    break;                                                                                             \
                const V accel_b = accel_value_of_##name(accel_all, accel_begin + accel_r * ACCEL_RUN_ELEMS + accel_k); \
                accel_join_of_##name(&accel_s, &accel_b);                                                              \
            }                                                                                                          \
            accel_runs[accel_r] = accel_s;                                                                             \
        }                                                                                                              \
        return spread(accel_runs, accel_most);                                                                         \
    }

/* Whether results go past the caches. */
ACCEL_INLINE_ int accel_scan_streams(const accel_scan_places *places, size_t bytes)
{
    return ACCEL_CAN_STREAM_ && (places->flags & ACCEL_SCAN_PLACES_STREAM) != 0 && places->out != NULL &&
           ((size_t)(uintptr_t)places->out | bytes) % 16 == 0;
}

/* One index of a run: joins its value to `s`, and writes what is there before or after. */
#define ACCEL_CPU_SCAN_INDEX_(name, V, T, all, i, s, is_inclusive, to)                                                 \
    do {                                                                                                               \
        const V accel_b = accel_value_of_##name(all, i), accel_before = *(s);                                          \
        accel_join_of_##name(s, &accel_b);                                                                             \
        const T accel_result = accel_result_of_##name(&accel_b, (is_inclusive) ? (s) : &accel_before, is_inclusive);   \
        *(to) = accel_result;                                                                                          \
        accel_then_of_##name(all, i, &accel_b, &accel_result);                                                         \
    } while (0)

/* The same for the runs from `at` on, side by side. Each square asks for as many elements of the array `next`, from `next_at` on: that
 * costs less than to ask for all at once. */
#define ACCEL_SCAN_INDEX_SQUARES_(name, V, T, all, at, s, is_inclusive, to, next, next_at)                             \
    do {                                                                                                               \
        V accel_line[ACCEL_SCAN_SIDE_(V)][ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                           \
        V accel_turned[ACCEL_SCAN_SIDE_(V)][ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                         \
        V accel_prefix[ACCEL_SCAN_SIDE_(V)][ACCEL_SCAN_SIDE_(V)] __attribute__((aligned(64)));                         \
        for (size_t accel_h = 0; accel_h < ACCEL_RUN_ELEMS; accel_h += ACCEL_SCAN_SIDE_(V)) {                          \
            ACCEL_SCAN_SQUARE_(name, V, all, at, accel_h, accel_line)                                                  \
            ACCEL_TRANSPOSED_(V, accel_turned, accel_line);                                                            \
            ACCEL_AS_VECTORS_                                                                                          \
            for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                                       \
                V accel_a = (s)[accel_c];                                                                              \
                ACCEL_ALL_SCALAR_ for (size_t accel_k = 0; accel_k < ACCEL_SCAN_SIDE_(V); accel_k++)                   \
                {                                                                                                      \
                    const V accel_b = accel_turned[accel_k][accel_c], accel_before = accel_a;                          \
                    accel_join_of_##name(&accel_a, &accel_b);                                                          \
                    accel_turned[accel_k][accel_c] = (is_inclusive) ? accel_a : accel_before;                          \
                }                                                                                                      \
                (s)[accel_c] = accel_a;                                                                                \
            }                                                                                                          \
            ACCEL_TRANSPOSED_(V, accel_prefix, accel_turned);                                                          \
            ACCEL_SCAN_FETCH_(next, (next_at) + accel_h * ACCEL_SCAN_SIDE_(V),                                         \
                              ACCEL_SCAN_SIDE_(V) * ACCEL_SCAN_SIDE_(V), 0);                                           \
            for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++) {                                       \
                const size_t accel_i = accel_c * ACCEL_RUN_ELEMS + accel_h;                                            \
                ACCEL_NOT_UNROLLED_                                                                                    \
                for (size_t accel_k = 0; accel_k < ACCEL_SCAN_SIDE_(V); accel_k++) {                                   \
                    const T accel_result = accel_result_of_##name(&accel_line[accel_c][accel_k],                       \
                                                                  &accel_prefix[accel_c][accel_k], is_inclusive);      \
                    (to)[accel_i + accel_k] = accel_result;                                                            \
                    accel_then_of_##name(all, (at) + accel_i + accel_k, &accel_line[accel_c][accel_k], &accel_result); \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)
#define ACCEL_SCAN_INDEX_ELEMENTS_(name, V, T, all, at, s, is_inclusive, to)                                           \
    ACCEL_STEP_BY_STEP_ for (size_t accel_k = 0; accel_k < ACCEL_RUN_ELEMS; accel_k++)                                 \
    {                                                                                                                  \
        ACCEL_ALL_SCALAR_ for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++)                           \
            ACCEL_CPU_SCAN_INDEX_(name, V, T, all, (at) + accel_c * ACCEL_RUN_ELEMS + accel_k, &(s)[accel_c],          \
                                  is_inclusive, &(to)[accel_c * ACCEL_RUN_ELEMS + accel_k]);                           \
    }

/* Are results made in squares? Where a final pass takes them one by one, most compilers are faster without. */
#if defined(__clang__) && ACCEL_SQUARE_BYTES_ == 64
#define ACCEL_SCAN_TURNS_(name, kind) ACCEL_IS_SQUARED_(accel_value_##name)
#else
#define ACCEL_SCAN_TURNS_(name, kind) (ACCEL_IS_SQUARED_(accel_value_##name) && (kind) != ACCEL_KIND_SCAN_FINAL)
#endif

/* A tile after `carry`. Results that are not stored, or not yet, go to `results`. */
#define ACCEL_CPU_SCAN_TILE_(name, function, V, T, is_squared, is_inclusive)                                           \
    static __attribute__((noinline)) ACCEL_WHOLE_VECTORS_ void function(const accel_all_##name *accel_given,           \
                                                                        size_t accel_begin, size_t accel_count,        \
                                                                        const V *accel_runs, const V *accel_carry)     \
    {                                                                                                                  \
        const accel_all_##name accel_copy = *accel_given, *const accel_all = &accel_copy;                              \
        T *const accel_out = (T *)accel_all->places.out;                                                               \
        T accel_results[ACCEL_SCAN_SIDE_(V) * ACCEL_RUN_ELEMS] __attribute__((aligned(64)));                           \
        const int accel_streams = accel_scan_streams(&accel_all->places, sizeof accel_results);                        \
        const accel_scan_array accel_next = accel_next_of_##name(accel_all, accel_begin);                              \
        size_t accel_r = 0;                                                                                            \
        for (; (accel_r + ACCEL_SCAN_SIDE_(V)) * ACCEL_RUN_ELEMS <= accel_count; accel_r += ACCEL_SCAN_SIDE_(V)) {     \
            V accel_s[ACCEL_SCAN_SIDE_(V)];                                                                            \
            const size_t accel_at = accel_begin + accel_r * ACCEL_RUN_ELEMS;                                           \
            T *const accel_to = accel_streams || accel_out == NULL ? accel_results : accel_out + accel_at;             \
            ACCEL_ALL_SCALAR_ for (size_t accel_c = 0; accel_c < ACCEL_SCAN_SIDE_(V); accel_c++)                       \
            {                                                                                                          \
                accel_s[accel_c] = *accel_carry;                                                                       \
                accel_join_of_##name(&accel_s[accel_c], &accel_runs[accel_r + accel_c]);                               \
            }                                                                                                          \
            if (is_squared)                                                                                            \
                ACCEL_SCAN_INDEX_SQUARES_(name, V, T, accel_all, accel_at, accel_s, is_inclusive, accel_to,            \
                                          accel_next, accel_r *ACCEL_RUN_ELEMS);                                       \
            else {                                                                                                     \
                ACCEL_SCAN_FETCH_(accel_next, accel_r *ACCEL_RUN_ELEMS, ACCEL_SCAN_SIDE_(V) * ACCEL_RUN_ELEMS, 0);     \
                ACCEL_SCAN_INDEX_ELEMENTS_(name, V, T, accel_all, accel_at, accel_s, is_inclusive, accel_to)           \
            }                                                                                                          \
            if (accel_streams)                                                                                         \
                accel_cpu_stream(accel_out + accel_at, accel_results, sizeof accel_results);                           \
        }                                                                                                              \
        for (; accel_r * ACCEL_RUN_ELEMS < accel_count; accel_r++) {                                                   \
            V accel_s = *accel_carry;                                                                                  \
            accel_join_of_##name(&accel_s, &accel_runs[accel_r]);                                                      \
            for (size_t accel_k = accel_r * ACCEL_RUN_ELEMS;                                                           \
                 accel_k < (accel_r + 1) * ACCEL_RUN_ELEMS && accel_k < accel_count; accel_k++)                        \
                ACCEL_CPU_SCAN_INDEX_(name, V, T, accel_all, accel_begin + accel_k, &accel_s, is_inclusive,            \
                                      accel_out == NULL ? accel_results : accel_out + accel_begin + accel_k);          \
        }                                                                                                              \
    }

/* A tile is scanned behind what precedes it; its total is made. `runs` has what precedes each of its runs. */
#define ACCEL_CPU_SCAN_WHOLE_TILES_(name, scan, make_total, total, exclusive, inclusive, V)                            \
    static __attribute__((noinline)) void scan(const accel_all_##name *accel_all, size_t accel_t, const V *accel_runs) \
    {                                                                                                                  \
        const accel_scan_places *accel_p = &accel_all->places;                                                         \
        const V *const accel_tiles_before = (const V *)accel_p->tiles;                                                 \
        const size_t accel_begin = accel_t * ACCEL_SCAN_TILE_ELEMS, accel_n = accel_scan_elems(accel_p, accel_t);      \
        V accel_carry = accel_start_of_##name();                                                                       \
        if (accel_t >= ACCEL_SCAN_RUNS)                                                                                \
            accel_carry = ((const V *)accel_p->carries)[accel_t / ACCEL_SCAN_RUNS];                                    \
        if (accel_tiles_before != NULL)                                                                                \
            accel_join_of_##name(&accel_carry, &accel_tiles_before[accel_t]);                                          \
        if ((accel_p->flags & ACCEL_SCAN_PLACES_INCLUSIVE) != 0)                                                       \
            inclusive(accel_all, accel_begin, accel_n, accel_runs, &accel_carry);                                      \
        else                                                                                                           \
            exclusive(accel_all, accel_begin, accel_n, accel_runs, &accel_carry);                                      \
    }                                                                                                                  \
    static void make_total(const accel_all_##name *accel_all, size_t accel_t, V *accel_runs)                           \
    {                                                                                                                  \
        ((V *)accel_all->places.totals)[accel_t] = total(accel_all, accel_t * ACCEL_SCAN_TILE_ELEMS,                   \
                                                         accel_scan_elems(&accel_all->places, accel_t), accel_runs);   \
    }

/* The tiles of one index of a launch. */
#define ACCEL_CPU_SCAN_TILES_(name, function, scan, make_total, total, V)                                              \
    static __attribute__((noinline)) void function(const accel_all_##name *accel_all, size_t accel_i)                  \
    {                                                                                                                  \
        const accel_scan_places *accel_p = &accel_all->places;                                                         \
        V accel_own[ACCEL_SCAN_RUNS], *accel_runs = accel_own;                                                         \
        size_t accel_t = (size_t)accel_p->begin + accel_i;                                                             \
        if (accel_t < accel_p->end) {                                                                                  \
            if (accel_p->runs != NULL)                                                                                 \
                accel_runs = (V *)accel_p->runs + accel_t * ACCEL_SCAN_RUNS;                                           \
            else                                                                                                       \
                (void)total(accel_all, accel_t *ACCEL_SCAN_TILE_ELEMS, accel_scan_elems(accel_p, accel_t),             \
                            accel_runs);                                                                               \
            scan(accel_all, accel_t, accel_runs);                                                                      \
        }                                                                                                              \
        accel_t = (size_t)accel_p->total_begin + accel_i;                                                              \
        if (accel_t < accel_p->total_end) {                                                                            \
            if (accel_p->runs != NULL)                                                                                 \
                accel_runs = (V *)accel_p->runs + accel_t * ACCEL_SCAN_RUNS;                                           \
            make_total(accel_all, accel_t, accel_runs);                                                                \
        }                                                                                                              \
    }

/* The totals of one group's tiles; and of groups. */
#define ACCEL_CPU_SCAN_GROUPS_(name, one_group, all_carries, spread, V)                                                \
    static __attribute__((noinline)) void one_group(const accel_scan_places *accel_p, size_t accel_i)                  \
    {                                                                                                                  \
        V accel_v[ACCEL_SCAN_RUNS];                                                                                    \
        const size_t accel_g = (size_t)accel_p->begin + accel_i;                                                       \
        const size_t accel_m = accel_scan_tiles(accel_p, accel_g);                                                     \
        const V *const accel_totals = (const V *)accel_p->totals + accel_g * ACCEL_SCAN_RUNS;                          \
        if (accel_g >= accel_p->end)                                                                                   \
            return;                                                                                                    \
        for (size_t accel_k = 0; accel_k < ACCEL_SCAN_RUNS; accel_k++)                                                 \
            accel_v[accel_k] = accel_k < accel_m ? accel_totals[accel_k] : accel_start_of_##name();                    \
        ((V *)accel_p->groups)[accel_g] = spread(accel_v, ACCEL_SCAN_RUNS);                                            \
        for (size_t accel_k = 0; accel_k < accel_m; accel_k++)                                                         \
            if (accel_g * ACCEL_SCAN_RUNS + accel_k >= accel_p->total_begin)                                           \
                ((V *)accel_p->tiles)[accel_g * ACCEL_SCAN_RUNS + accel_k] = accel_v[accel_k];                         \
    }                                                                                                                  \
    static __attribute__((noinline)) void all_carries(const accel_scan_places *accel_p)                                \
    {                                                                                                                  \
        V *const accel_c = (V *)accel_p->carries;                                                                      \
        for (size_t accel_g = (size_t)accel_p->begin; accel_g < accel_p->end; accel_g++) {                             \
            V accel_s = accel_start_of_##name();                                                                       \
            if (accel_g != 0)                                                                                          \
                accel_s = accel_c[accel_g];                                                                            \
            accel_join_of_##name(&accel_s, &((const V *)accel_p->groups)[accel_g]);                                    \
            accel_c[accel_g + 1] = accel_s;                                                                            \
        }                                                                                                              \
    }

/* The kernel of functions that make the total of a tile, scan a tile, and make what precedes each of 128 values. */
#define ACCEL_CPU_SCAN_STEPS_(name, args_type, T, kind)                                                                \
    ACCEL_CPU_SCAN_WHOLE_TILES_(name, accel_scan_tile_of_##name, accel_total_tile_of_##name, accel_total_of_##name,    \
                                accel_exclusive_of_##name, accel_inclusive_of_##name, accel_value_##name)              \
    ACCEL_CPU_SCAN_TILES_(name, accel_tiles_of_##name, accel_scan_tile_of_##name, accel_total_tile_of_##name,          \
                          accel_total_of_##name, accel_value_##name)                                                   \
    ACCEL_CPU_SCAN_GROUPS_(name, accel_group_of_##name, accel_carries_of_##name, accel_spread_of_##name,               \
                           accel_value_##name)                                                                         \
    ACCEL_CPU_SCAN_CHUNKS_(name, accel_value_##name)                                                                   \
    static void accel_run_##name(const accel_launch_context *accel_launch, const void *accel_args, size_t accel_first, \
                                 size_t accel_count)                                                                   \
    {                                                                                                                  \
        accel_cpu_prepare();                                                                                           \
        const accel_all_##name accel_all = *(const accel_all_##name *)accel_args;                                      \
        const size_t accel_each = accel_launch->elem_extent[0];                                                        \
        for (size_t accel_i = accel_first * accel_each; accel_i < (accel_first + accel_count) * accel_each;            \
             accel_i++) {                                                                                              \
            if (accel_all.places.step == ACCEL_SCAN_STEP_TILES)                                                        \
                accel_tiles_of_##name(&accel_all, accel_i);                                                            \
            else if (accel_all.places.step == ACCEL_SCAN_STEP_GROUPS)                                                  \
                accel_group_of_##name(&accel_all.places, accel_i);                                                     \
            else if (accel_all.places.step == ACCEL_SCAN_STEP_CARRIES)                                                 \
                accel_carries_of_##name(&accel_all.places);                                                            \
            else                                                                                                       \
                accel_chunk_step_of_##name(accel_launch, &accel_all, accel_i);                                         \
        }                                                                                                              \
        if ((accel_all.places.flags & ACCEL_SCAN_PLACES_STREAM) != 0)                                                  \
            accel_cpu_streamed();                                                                                      \
    }                                                                                                                  \
    ACCEL_EXTERN_ __attribute__((visibility("default"))) const accel_pattern_descriptor accel_descriptor_##name;       \
    const accel_pattern_descriptor accel_descriptor_##name =                                                           \
        ACCEL_PATTERN_DESCRIPTOR_(accel_all_##name, args_type, T, kind, 1, #name, accel_run_##name);

#define ACCEL_DEFINE_SCAN_(name, args_type, T, kind)                                                                   \
    ACCEL_CPU_SPREAD_(name, accel_spread_of_##name, accel_value_##name)                                                \
    ACCEL_CPU_SCAN_ARRAYS_(name)                                                                                       \
    ACCEL_CPU_SCAN_TOTAL_(name, accel_total_of_##name, accel_spread_of_##name, accel_value_##name)                     \
    ACCEL_CPU_SCAN_TILE_(name, accel_exclusive_of_##name, accel_value_##name, T, ACCEL_SCAN_TURNS_(name, kind), 0)     \
    ACCEL_CPU_SCAN_TILE_(name, accel_inclusive_of_##name, accel_value_##name, T, ACCEL_SCAN_TURNS_(name, kind), 1)     \
    ACCEL_CPU_SCAN_STEPS_(name, args_type, T, kind)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/unordered.h - reductions without an order (docs/semantics.md, P11) for host compilers.
 *
 * Lanes are as many as a vector has, and there are as many sets of them, at most eight, as stay in registers. With 32 lanes
 * structs do not, and rows seldom fill them. All tiles of a share are joined in the same lanes. What is left is joined a
 * vector at a time, and then one by one.
 *
 * Rows of two and three dimensions are visited in whole vectors, too. What is left of each row goes to a buffer, where it
 * makes vectors with what is left of the next ones.
 */
#ifndef ACCEL_KERNEL_CPU_UNORDERED_H
#define ACCEL_KERNEL_CPU_UNORDERED_H

/* Bytes of a vector, and how many hold sums: of 16, gcc keeps no more than half. */
#if defined(__AVX512F__)
#define ACCEL_VECTOR_BYTES_ 64
#define ACCEL_LOOSE_VECTORS_ 31
#else
#define ACCEL_VECTOR_BYTES_ (ACCEL_HAS_AVX_ ? 32 : 16)
#if defined(__clang__)
#define ACCEL_LOOSE_VECTORS_ 15
#else
#define ACCEL_LOOSE_VECTORS_ 8
#endif
#endif
#if defined(__AVX__)
#define ACCEL_HAS_AVX_ 1
#else
#define ACCEL_HAS_AVX_ 0
#endif
/* Lanes of a vector: a struct has one for each of its words. clang makes vectors of at most 8 lanes out of these loops. In one
 * dimension it gets as many lanes as registers hold, in one set and a function of their own: beside other code it makes scalars
 * of integers' lanes. */
#define ACCEL_LANES_OF_VECTOR_(T) (ACCEL_VECTOR_BYTES_ / ACCEL_ALIGNOF_(T))
#if defined(__clang__)
#define ACCEL_LANES_FIT_(T, lanes) ((lanes) * sizeof(T) <= ACCEL_LOOSE_VECTORS_ * ACCEL_VECTOR_BYTES_)
#define ACCEL_LOOSE_LANES_(T, dims)                                                                                    \
    ((dims) > 1 ? (ACCEL_LANES_OF_VECTOR_(T) < 8 ? ACCEL_LANES_OF_VECTOR_(T) : 8)                                      \
                : (ACCEL_LANES_FIT_(T, 32)   ? 32                                                                      \
                   : ACCEL_LANES_FIT_(T, 16) ? 16                                                                      \
                                             : 8))
#define ACCEL_LOOSE_ALONE_(dims) ((dims) == 1)
#else
#define ACCEL_LOOSE_LANES_(T, dims) ACCEL_LANES_OF_VECTOR_(T)
#define ACCEL_LOOSE_ALONE_(dims) 0
#endif
/* Sets of them; of rows at most 4, as they are short. */
#define ACCEL_LOOSE_FIT_(T, sets) ((sets) * sizeof(T) <= ACCEL_LOOSE_VECTORS_ * ACCEL_ALIGNOF_(T))
#define ACCEL_LOOSE_SETS_(T, dims)                                                                                     \
    (ACCEL_LOOSE_ALONE_(dims)                ? 1                                                                       \
     : (dims) == 1 && ACCEL_LOOSE_FIT_(T, 8) ? 8                                                                       \
     : ACCEL_LOOSE_FIT_(T, 4)                ? 4                                                                       \
     : ACCEL_LOOSE_FIT_(T, 2)                ? 2                                                                       \
                                             : 1)
/* With vectors of 16 bytes a struct is joined faster in order, and by clang rows of plain numbers are. */
#define ACCEL_LOOSE_NUMBER_(T) (sizeof(T) == ACCEL_ALIGNOF_(T))
#if defined(__clang__)
#define ACCEL_LOOSE_PAYS_(T, dims)                                                                                     \
    ((dims) > 1 ? !ACCEL_LOOSE_NUMBER_(T) && ACCEL_HAS_AVX_ : ACCEL_LOOSE_NUMBER_(T) || ACCEL_HAS_AVX_)
#else
#define ACCEL_LOOSE_PAYS_(T, dims) ((dims) > 1 || ACCEL_LOOSE_NUMBER_(T) || ACCEL_HAS_AVX_)
#endif
/* So are rows of fewer than 16 elements, and whole fours below 64, which need no buffer in order. */
#define ACCEL_LOOSE_ROWS_PAY_(dims, nk) ((dims) == 1 || (nk) >= 64 || ((nk) >= 16 && (nk) % 4 != 0))
#define ACCEL_LOOSE_BUFFER_ (size_t)256

#define ACCEL_LOOSE_LANE_(name, k) ACCEL_NOT_UNROLLED_ for (size_t k = 0; k < accel_loose_lanes_##name; k++)

#define ACCEL_JOIN_LOOSE_(name, lanes, k, value)                                                                       \
    do {                                                                                                               \
        __typeof__(accel_start_of_##name()) accel_a = accel_loose_##name##_get(lanes, k);                              \
        const __typeof__(accel_start_of_##name()) accel_b = (value);                                                   \
        accel_join_of_##name(&accel_a, &accel_b);                                                                      \
        accel_loose_##name##_set(lanes, k, accel_a);                                                                   \
    } while (0)

/* Joins a vector of values, from the x-th on, to set `set` of s, if there is one; value(name, all, from, x) is the x-th. */
#define ACCEL_LOOSE_VECTOR_(name, all, from, x, value, s, set)                                                         \
    ACCEL_LOOSE_LANE_(name, accel_k)                                                                                   \
    ACCEL_JOIN_LOOSE_(name, &s[set], accel_k, value(name, all, from, (x) + accel_k));
#define ACCEL_LOOSE_SET_(name, all, from, at, value, s, set)                                                           \
    if ((set) < accel_loose_sets_##name) {                                                                             \
        ACCEL_LOOSE_VECTOR_(name, all, from, (at) + (set)*accel_loose_lanes_##name, value, s, set)                     \
    }
/* From `at` on, as many whole vectors as there are in `count`: the last ones to a set of their own, which waits for no other. */
#define ACCEL_LOOSE_ROW_(name, all, from, at, count, value, s)                                                         \
    for (; at + accel_loose_sets_##name * accel_loose_lanes_##name <= count;                                           \
         at += accel_loose_sets_##name * accel_loose_lanes_##name) {                                                   \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 0)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 1)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 2)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 3)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 4)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 5)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 6)                                                             \
        ACCEL_LOOSE_SET_(name, all, from, at, value, s, 7)                                                             \
    }                                                                                                                  \
    for (; at + accel_loose_lanes_##name <= count; at += accel_loose_lanes_##name)                                     \
    ACCEL_LOOSE_VECTOR_(name, all, from, at, value, s, accel_loose_sets_##name)
#define ACCEL_LOOSE_KEPT_(name, all, from, x) accel_kept_##name##_get(&(from), x)

/* One set alone: rows of lanes from the cursor on. */
#define ACCEL_CPU_LOOSE_ROWS_(name, function, element)                                                                 \
    static __attribute__((noinline, unused)) void function(const accel_all_##name *accel_all, accel_cursor accel_from, \
                                                           size_t accel_rows, accel_loose_##name *accel_out)           \
    {                                                                                                                  \
        accel_loose_##name accel_s;                                                                                    \
        ACCEL_LOOSE_LANE_(name, accel_k) accel_loose_##name##_set(&accel_s, accel_k, accel_start_of_##name());         \
        ACCEL_ROW_AFTER_ROW_                                                                                           \
        for (size_t accel_at = 0; accel_rows != 0; accel_rows--, accel_at += accel_loose_lanes_##name)                 \
            ACCEL_LOOSE_LANE_(name, accel_k)                                                                           \
        ACCEL_JOIN_LOOSE_(name, &accel_s, accel_k, element(name, accel_all, accel_from, accel_at + accel_k));          \
        ACCEL_LOOSE_LANE_(name, accel_k)                                                                               \
        accel_loose_##name##_set(accel_out, accel_k, accel_loose_##name##_get(&accel_s, accel_k));                     \
    }

/* The elements from `begin` on, of any number of tiles. */
#define ACCEL_CPU_LOOSE_(name, function, rows, T, element, dims)                                                       \
    enum {                                                                                                             \
        accel_loose_lanes_##name = ACCEL_LOOSE_LANES_(T, dims),                                                        \
        accel_loose_sets_##name = ACCEL_LOOSE_SETS_(T, dims)                                                           \
    };                                                                                                                 \
    ACCEL_LANES_(accel_loose_##name, T, accel_loose_lanes_##name)                                                      \
    ACCEL_CPU_LOOSE_ROWS_(name, rows, element)                                                                         \
    ACCEL_LANES_(accel_kept_##name, T, ACCEL_LOOSE_BUFFER_)                                                            \
    static __attribute__((noinline, unused)) T function(const accel_all_##name *accel_all, size_t accel_begin,         \
                                                        size_t accel_count)                                            \
    {                                                                                                                  \
        accel_loose_##name accel_s[accel_loose_sets_##name + 1];                                                       \
        accel_kept_##name accel_kept, *const accel_keeps = &accel_kept; /* clang 21 warns of `&accel_kept` below */    \
        T accel_rest = accel_start_of_##name();                                                                        \
        accel_cursor accel_c = accel_cursor_at(&accel_all->places, dims, accel_begin);                                 \
        size_t accel_fill = 0, accel_at;                                                                               \
        ACCEL_HIDE_(accel_rest);                                                                                       \
        for (size_t accel_set = 0; accel_set <= accel_loose_sets_##name; accel_set++)                                  \
            ACCEL_LOOSE_LANE_(name, accel_k) accel_loose_##name##_set(&accel_s[accel_set], accel_k, accel_rest);       \
        while (accel_count != 0) {                                                                                     \
            const size_t accel_row = accel_c.nk - accel_c.k;                                                           \
            const size_t accel_m = (dims) == 1 || accel_count < accel_row ? accel_count : accel_row;                   \
            accel_at = 0;                                                                                              \
            if (ACCEL_LOOSE_ALONE_(dims)) {                                                                            \
                rows(accel_all, accel_c, accel_m / accel_loose_lanes_##name, &accel_s[0]);                             \
                accel_at = accel_m - accel_m % accel_loose_lanes_##name;                                               \
            } else {                                                                                                   \
                ACCEL_LOOSE_ROW_(name, accel_all, accel_c, accel_at, accel_m, element, accel_s)                        \
            }                                                                                                          \
            if ((dims) > 1 && accel_fill + accel_loose_lanes_##name > ACCEL_LOOSE_BUFFER_) {                           \
                size_t accel_from = 0;                                                                                 \
                ACCEL_LOOSE_ROW_(name, accel_all, accel_kept, accel_from, accel_fill, ACCEL_LOOSE_KEPT_, accel_s)      \
                for (; accel_from < accel_fill; accel_from++) {                                                        \
                    const T accel_b = accel_kept_##name##_get(accel_keeps, accel_from);                                \
                    accel_join_of_##name(&accel_rest, &accel_b);                                                       \
                }                                                                                                      \
                accel_fill = 0;                                                                                        \
            }                                                                                                          \
            for (; accel_at < accel_m; accel_at++) {                                                                   \
                ACCEL_NO_CALL_                                                                                         \
                const T accel_b = element(name, accel_all, accel_c, accel_at);                                         \
                if ((dims) == 1)                                                                                       \
                    accel_join_of_##name(&accel_rest, &accel_b);                                                       \
                else                                                                                                   \
                    accel_kept_##name##_set(accel_keeps, accel_fill++, accel_b);                                       \
            }                                                                                                          \
            accel_cursor_advance(&accel_c, dims, accel_m);                                                             \
            accel_count -= accel_m;                                                                                    \
        }                                                                                                              \
        for (accel_at = 0; accel_at < accel_fill; accel_at++) {                                                        \
            const T accel_b = accel_kept_##name##_get(accel_keeps, accel_at);                                          \
            accel_join_of_##name(&accel_rest, &accel_b);                                                               \
        }                                                                                                              \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t accel_set = 1; accel_set <= accel_loose_sets_##name; accel_set++)                                  \
            ACCEL_LOOSE_LANE_(name, accel_k)                                                                           \
        ACCEL_JOIN_LOOSE_(name, &accel_s[0], accel_k, accel_loose_##name##_get(&accel_s[accel_set], accel_k));         \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t accel_h = accel_loose_lanes_##name / 2; accel_h > 0; accel_h /= 2)                                 \
            for (size_t accel_k = 0; accel_k < accel_h; accel_k++)                                                     \
                ACCEL_JOIN_LOOSE_(name, &accel_s[0], accel_k,                                                          \
                                  accel_loose_##name##_get(&accel_s[0], accel_k + accel_h));                           \
        const T accel_all_lanes = accel_loose_##name##_get(&accel_s[0], 0);                                            \
        accel_join_of_##name(&accel_rest, &accel_all_lanes);                                                           \
        return accel_rest;                                                                                             \
    }

/* The tiles of a share, as one: the results of the others are what the reducer starts with. */
#define ACCEL_CPU_LOOSE_SHARE_(name, function, tile, T)                                                                \
    static __attribute__((noinline, unused)) void function(const accel_all_##name *accel_given,                        \
                                                           accel_tiles accel_share)                                    \
    {                                                                                                                  \
        const accel_all_##name accel_all = *accel_given;                                                               \
        T *const accel_out = (T *)accel_all.places.out;                                                                \
        const size_t accel_from = accel_share.index * ACCEL_TILE_ELEMS, accel_n = (size_t)accel_all.places.n;          \
        const size_t accel_to = accel_share.end * ACCEL_TILE_ELEMS;                                                    \
        if (accel_share.index >= accel_share.end)                                                                      \
            return;                                                                                                    \
        accel_out[accel_share.index] =                                                                                 \
            tile(&accel_all, accel_from, (accel_to < accel_n ? accel_to : accel_n) - accel_from);                      \
        while (++accel_share.index < accel_share.end)                                                                  \
            accel_out[accel_share.index] = accel_start_of_##name();                                                    \
    }

#endif

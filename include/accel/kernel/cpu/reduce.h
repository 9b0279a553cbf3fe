/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/reduce.h - reductions for host compilers. A tile is what 128 threads of a GPU make of it: the lanes of its
 * four pieces, joined in the same order (docs/semantics.md, P2).
 *
 * Lanes are only read and written in loops with constant bounds, which become vector instructions and keep them in
 * registers. A subscript that is not a constant would keep them in memory, so the last elements of a piece, which do not
 * fill the lanes, are joined to a copy.
 *
 * Tiles of one dimension all of whose elements are there, or whose elements are one piece, have code of their own (whole_tile.h).
 *
 * Most short reductions are one piece. The other pieces of their tile are what the reducer starts with; these values are
 * joined without being stored.
 *
 * In two and three dimensions the elements have the order of one. Long rows are visited like one dimension. Where fewer
 * elements are left in a row than there are lanes, elements of several rows are first written to a buffer: each row is a
 * loop along contiguous memory, and nothing is divided. Rows of whole fours need no buffer.
 */
#ifndef ACCEL_KERNEL_CPU_REDUCE_H
#define ACCEL_KERNEL_CPU_REDUCE_H

#include <accel/kernel/cpu/lanes.h>

#define ACCEL_BUFFER_LANES_ ((size_t)8 * ACCEL_TILE_LANES)

/* Structs of three words of 8 bytes and more. */
#define ACCEL_OF_WORDS_(T) (sizeof(ACCEL_LANE_WORD_(T)) == 8 && sizeof(T) > 16)

/* Elements of a long row. Shorter ones that are no whole fours fill lanes through the buffer, which long ones do at both ends:
 * that is dear, so some longer ones count as short. How long these are was measured: with AVX2 for all types together, with
 * AVX-512 (Zen 4) for each size. */
#if !defined(__AVX__)
#define ACCEL_LONG_UNEVEN_ROW_(T) 64
#elif defined(__AVX512F__) && defined(__clang__)
#define ACCEL_LONG_UNEVEN_ROW_(T) (sizeof(T) <= 4 ? 120 : sizeof(T) <= 8 ? 80 : 64)
#elif defined(__AVX512F__)
#define ACCEL_LONG_UNEVEN_ROW_(T) (sizeof(T) <= 4 || ACCEL_OF_WORDS_(T) ? 160 : sizeof(T) <= 8 ? 88 : 64)
#elif defined(__clang__)
#define ACCEL_LONG_UNEVEN_ROW_(T) 80
#else
#define ACCEL_LONG_UNEVEN_ROW_(T) 88
#endif
#define ACCEL_LONG_ROW_(T, nk) ((size_t)((nk) % 4 == 0 ? 64 : ACCEL_LONG_UNEVEN_ROW_(T)))

/* Such structs are dear to write to the buffer and to read. By gcc only those fours of elements are written down that cross
 * the end of a row. By clang some structs lose more than others gain. */
#if defined(__clang__)
#define ACCEL_ROW_BY_FOURS_(T, nk) 0
#else
#if defined(__AVX512F__)
#define ACCEL_LEAST_BY_FOURS_ 36
#else
#define ACCEL_LEAST_BY_FOURS_ 24
#endif
#define ACCEL_ROW_BY_FOURS_(T, nk)                                                                                     \
    (ACCEL_OF_WORDS_(T) && (nk) >= ACCEL_LEAST_BY_FOURS_ && (nk) < ACCEL_LONG_ROW_(T, nk))
#endif
#define ACCEL_TILE_LANE_(k) for (size_t k = 0; k < ACCEL_TILE_LANES; k++)

/* Where a row ends: clang would select the next indices each time, which takes as long as several vectors, and gcc would put
 * the last elements of rows far from the others. */
#if defined(__clang__)
#define ACCEL_ROW_ENDS_(condition) __builtin_expect(condition, 0)
#define ACCEL_ROW_HAS_(condition) (condition)
#else
#define ACCEL_ROW_ENDS_(condition) (condition)
#define ACCEL_ROW_HAS_(condition) __builtin_expect(condition, 1)
#endif

/* gcc would make loops that store a constant to all lanes string instructions, which take longer than a short piece. */
#if defined(__clang__)
#define ACCEL_HIDE_(value)
#else
#define ACCEL_HIDE_(value) __asm__("" : "+m"(value))
#endif

/* Lanes that vector registers do not hold beside elements are joined in parts, each by some rows at a time, which the first
 * level holds. That changes no lane's order. Measured for AVX2, whose 16 registers hold little; elsewhere all are one part.
 *
 * gcc unrolls loops over a part's lanes that are short and have few instructions before it makes vectors, and is up to nine times
 * slower then: two parts of structs of two words, four of three to five. And it gains nothing by parts of ten words. */
#if !defined(__AVX__) || defined(__AVX512F__)
#define ACCEL_LANE_PARTS_(T) 1
#elif defined(__clang__)
#define ACCEL_LANE_PARTS_(T)                                                                                           \
    (sizeof(T) * ACCEL_TILE_LANES <= 12 * 32 ? 1 : sizeof(T) * ACCEL_TILE_LANES <= 24 * 32 ? 2 : 4)
#else
#define ACCEL_WORDS_OF_(T) (sizeof(T) / sizeof(ACCEL_LANE_WORD_(T)))
#define ACCEL_LANE_PARTS_(T)                                                                                           \
    (sizeof(ACCEL_LANE_WORD_(T)) < 4 || ACCEL_WORDS_OF_(T) > 9                                  ? 1                    \
     : ACCEL_WORDS_OF_(T) >= (sizeof(ACCEL_LANE_WORD_(T)) == 4 ? 7 : 6)                         ? 4                    \
     : sizeof(ACCEL_LANE_WORD_(T)) == 8 && (ACCEL_WORDS_OF_(T) == 3 || ACCEL_WORDS_OF_(T) == 4) ? 2                    \
                                                                                                : 1)
#endif
/* Two parts read every other pair of cache lines first, and the rest later. From the third-level cache and from memory that
 * costs more than the registers gain, so long reductions join all lanes at once. */
#define ACCEL_IN_PARTS_(T, n) (ACCEL_LANE_PARTS_(T) > 2 || (ACCEL_LANE_PARTS_(T) == 2 && (n) < (UINT64_C(1) << 18)))
#define ACCEL_PART_LANES_(T) (ACCEL_TILE_LANES / ACCEL_LANE_PARTS_(T))
#define ACCEL_PART_ROWS_ 16

/* An element's indices: k is the fastest. One dimension is a row without an end. */
typedef struct accel_cursor {
    size_t i, j, k;
    size_t nj, nk;
} accel_cursor;

ACCEL_INLINE_ accel_cursor accel_cursor_at(const accel_pattern_places *places, size_t dims, size_t at)
{
    accel_cursor cursor = {0, 0, at, 1, (size_t)-1};
    if (dims > 1 && places->n != 0) {
        cursor.nk = (size_t)places->extent[2];
        cursor.nj = (size_t)places->extent[1];
        cursor.j = at / cursor.nk;
        cursor.k = at % cursor.nk;
        if (dims > 2) {
            cursor.i = cursor.j / cursor.nj;
            cursor.j = cursor.j % cursor.nj;
        }
    }
    return cursor;
}

/* By at most as many elements as are left in the row. */
ACCEL_INLINE_ void accel_cursor_advance(accel_cursor *cursor, size_t dims, size_t count)
{
    cursor->k += count;
    if (dims > 1 && ACCEL_ROW_ENDS_(cursor->k == cursor->nk)) {
        cursor->k = 0;
        cursor->j++;
        if (dims > 2 && cursor->j == cursor->nj) {
            cursor->j = 0;
            cursor->i++;
        }
    }
}

/* The x-th element from the cursor, in the same row. */
#define ACCEL_ELEMENT_1_(name, all, cursor, x) accel_element_##name((all)->args, (cursor).k + (x))
#define ACCEL_ELEMENT_2_(name, all, cursor, x) accel_element_##name((all)->args, (cursor).j, (cursor).k + (x))
#define ACCEL_ELEMENT_3_(name, all, cursor, x)                                                                         \
    accel_element_##name((all)->args, (cursor).i, (cursor).j, (cursor).k + (x))

#define ACCEL_JOIN_LANE_(name, lanes, k, value) ACCEL_JOIN_LANE_OF_(name, accel_lanes_##name, lanes, k, value)
#define ACCEL_JOIN_LANE_OF_(name, type, lanes, k, value)                                                               \
    do {                                                                                                               \
        __typeof__(accel_start_of_##name()) accel_a = type##_get(lanes, k);                                            \
        const __typeof__(accel_start_of_##name()) accel_b = (value);                                                   \
        accel_join_of_##name(&accel_a, &accel_b);                                                                      \
        type##_set(lanes, k, accel_a);                                                                                 \
    } while (0)

/* Sanitizers check each access, which nothing vectorises, and compile minutes for the above: there a tile is made one
 * element after the other, in the same order. */
#if defined(ACCEL_ONE_BY_ONE_)
#define ACCEL_CPU_TILE_(name, function, T, dims)                                                                       \
    typedef struct {                                                                                                   \
        T lane[ACCEL_TILE_LANES] __attribute__((aligned(64)));                                                         \
    } accel_lanes_##name;                                                                                              \
    ACCEL_INLINE_ void accel_piece_of_##name(const accel_all_##name *accel_all, accel_cursor *accel_c,                 \
                                             size_t accel_count, accel_lanes_##name *accel_out)                        \
    {                                                                                                                  \
        for (size_t accel_k = 0; accel_k < ACCEL_TILE_LANES; accel_k++)                                                \
            accel_out->lane[accel_k] = accel_start_of_##name();                                                        \
        for (size_t accel_e = 0; accel_e < accel_count; accel_e++) {                                                   \
            const T accel_b = ACCEL_ELEMENT_##dims##_(name, accel_all, *accel_c, (size_t)0);                           \
            accel_join_of_##name(&accel_out->lane[accel_e % ACCEL_TILE_LANES], &accel_b);                              \
            accel_cursor_advance(accel_c, dims, 1);                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_joined_pieces_##name(accel_lanes_##name *accel_p, size_t accel_q)                            \
    {                                                                                                                  \
        T accel_all_lanes[ACCEL_TILE_PIECES * ACCEL_TILE_LANES];                                                       \
        for (size_t accel_k = 0; accel_k < ACCEL_TILE_PIECES * ACCEL_TILE_LANES; accel_k++)                            \
            accel_all_lanes[accel_k] = accel_k / ACCEL_TILE_LANES < accel_q                                            \
                                           ? accel_p[accel_k / ACCEL_TILE_LANES].lane[accel_k % ACCEL_TILE_LANES]      \
                                           : accel_start_of_##name();                                                  \
        return accel_joined_##name(accel_all_lanes);                                                                   \
    }                                                                                                                  \
    static __attribute__((noinline)) T function(const accel_all_##name *accel_all, size_t accel_begin,                 \
                                                size_t accel_count)                                                    \
    {                                                                                                                  \
        accel_lanes_##name accel_p[ACCEL_TILE_PIECES];                                                                 \
        accel_cursor accel_c = accel_cursor_at(&accel_all->places, dims, accel_begin);                                 \
        size_t accel_q = 0;                                                                                            \
        do {                                                                                                           \
            const size_t accel_m = accel_count < ACCEL_PIECE_ELEMS ? accel_count : ACCEL_PIECE_ELEMS;                  \
            accel_piece_of_##name(accel_all, &accel_c, accel_m, &accel_p[accel_q++]);                                  \
            accel_count -= accel_m;                                                                                    \
        } while (accel_count != 0);                                                                                    \
        return accel_joined_pieces_##name(accel_p, accel_q);                                                           \
    }
#else
/* Rows of the buffer are written in steps of constant length: a loop to the row's end would be a call of memcpy where elements
 * are values of an array, and so would be a loop over such steps, but for this. */
#define ACCEL_NO_CALL_ __asm__ volatile("");
#define ACCEL_PUT_ELEMENTS_(name, element, count)                                                                      \
    ACCEL_NOT_UNROLLED_                                                                                                \
    for (size_t accel_k = 0; accel_k < (count); accel_k++)                                                             \
        accel_buffer_##name##_set(&accel_rows, accel_at + accel_x + accel_k,                                           \
                                  element(name, accel_all, *accel_c, accel_x + accel_k));

/* Functions of a reduction: rows of lanes from the buffer; a piece of the elements from the cursor on; a tile. */
#define ACCEL_CPU_SHORT_ROWS_(name, function, element, dims)                                                           \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor *accel_c, size_t accel_count,          \
                                accel_lanes_##name *accel_s)                                                           \
    {                                                                                                                  \
        accel_buffer_##name accel_rows;                                                                                \
        for (size_t accel_at = 0; accel_at < accel_count;) {                                                           \
            const size_t accel_row = accel_c->nk - accel_c->k, accel_left = accel_count - accel_at;                    \
            const size_t accel_m = accel_row < accel_left ? accel_row : accel_left;                                    \
            size_t accel_x = 0;                                                                                        \
            for (; accel_m - accel_x >= 8; accel_x += 8) {                                                             \
                ACCEL_NO_CALL_                                                                                         \
                ACCEL_PUT_ELEMENTS_(name, element, 8)                                                                  \
            }                                                                                                          \
            if (ACCEL_ROW_HAS_((accel_m & 4) != 0)) {                                                                  \
                ACCEL_PUT_ELEMENTS_(name, element, 4)                                                                  \
                accel_x += 4;                                                                                          \
            }                                                                                                          \
            if (ACCEL_ROW_HAS_((accel_m & 2) != 0)) {                                                                  \
                ACCEL_PUT_ELEMENTS_(name, element, 2)                                                                  \
                accel_x += 2;                                                                                          \
            }                                                                                                          \
            if (ACCEL_ROW_HAS_((accel_m & 1) != 0)) {                                                                  \
                ACCEL_PUT_ELEMENTS_(name, element, 1)                                                                  \
            }                                                                                                          \
            accel_cursor_advance(accel_c, dims, accel_m);                                                              \
            accel_at += accel_m;                                                                                       \
        }                                                                                                              \
        for (size_t accel_at = 0; accel_at < accel_count; accel_at += ACCEL_TILE_LANES)                                \
            ACCEL_TILE_LANE_(accel_k)                                                                                  \
        ACCEL_JOIN_LANE_(name, accel_s, accel_k, accel_buffer_##name##_get(&accel_rows, accel_at + accel_k));          \
    }

/* Joins `count` values, of which value is the k-th, to the lanes from `from` on. */
#define ACCEL_JOIN_GROUP_(name, lanes, from, k, count, value)                                                          \
    ACCEL_NOT_UNROLLED_                                                                                                \
    for (size_t k = 0; k < (count); k++)                                                                               \
        ACCEL_JOIN_LANE_(name, lanes, (from) + k, value);

/* Rows of lanes where each `group` lanes are contiguous elements: the row's extent is a multiple of `group`, 4 or 8, and so is
 * where the cursor stands. */
#define ACCEL_CPU_GROUPS_(name, function, element, dims, group)                                                        \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor *accel_c, size_t accel_rows,           \
                                accel_lanes_##name *accel_s)                                                           \
    {                                                                                                                  \
        accel_cursor accel_from = *accel_c;                                                                            \
        for (; accel_rows != 0; accel_rows--) {                                                                        \
            ACCEL_ALL_UNROLLED_                                                                                        \
            for (size_t accel_l = 0; accel_l < ACCEL_TILE_LANES; accel_l += (group)) {                                 \
                ACCEL_JOIN_GROUP_(name, accel_s, accel_l, accel_k, group,                                              \
                                  element(name, accel_all, accel_from, accel_k))                                       \
                accel_cursor_advance(&accel_from, dims, group);                                                        \
            }                                                                                                          \
        }                                                                                                              \
        *accel_c = accel_from;                                                                                         \
    }

/* Rows of lanes where the row's extent is no multiple of 4: each four lanes are contiguous elements, or cross the end of a row. */
#define ACCEL_CPU_UNEVEN_(name, function, element, dims)                                                               \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor *accel_c, size_t accel_rows,           \
                                accel_lanes_##name *accel_s)                                                           \
    {                                                                                                                  \
        accel_cursor accel_from = *accel_c;                                                                            \
        for (; accel_rows != 0; accel_rows--) {                                                                        \
            ACCEL_ALL_UNROLLED_                                                                                        \
            for (size_t accel_l = 0; accel_l < ACCEL_TILE_LANES; accel_l += 4)                                         \
                if (accel_from.nk - accel_from.k >= 4) {                                                               \
                    ACCEL_JOIN_GROUP_(name, accel_s, accel_l, accel_k, 4,                                              \
                                      element(name, accel_all, accel_from, accel_k))                                   \
                    accel_cursor_advance(&accel_from, dims, 4);                                                        \
                } else {                                                                                               \
                    accel_four_##name accel_f;                                                                         \
                    for (size_t accel_k = 0; accel_k < 4; accel_k++) {                                                 \
                        accel_four_##name##_set(&accel_f, accel_k, element(name, accel_all, accel_from, (size_t)0));   \
                        accel_cursor_advance(&accel_from, dims, 1);                                                    \
                    }                                                                                                  \
                    ACCEL_JOIN_GROUP_(name, accel_s, accel_l, accel_k, 4, accel_four_##name##_get(&accel_f, accel_k))  \
                }                                                                                                      \
        }                                                                                                              \
        *accel_c = accel_from;                                                                                         \
    }

/* Rows of lanes from the cursor on, part after part. */
#define ACCEL_CPU_PARTS_(name, function, part, element, T)                                                             \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor accel_from, size_t accel_rows,         \
                                accel_lanes_##name *accel_s)                                                           \
    {                                                                                                                  \
        for (size_t accel_r = 0; accel_r < accel_rows; accel_r += ACCEL_PART_ROWS_)                                    \
            for (size_t accel_l = 0; accel_l < ACCEL_TILE_LANES; accel_l += ACCEL_PART_LANES_(T)) {                    \
                const size_t accel_m = accel_rows - accel_r;                                                           \
                const size_t accel_end = accel_r + (accel_m < ACCEL_PART_ROWS_ ? accel_m : ACCEL_PART_ROWS_);          \
                part accel_p;                                                                                          \
                for (size_t accel_k = 0; accel_k < ACCEL_PART_LANES_(T); accel_k++)                                    \
                    part##_set(&accel_p, accel_k, accel_lanes_##name##_get(accel_s, accel_l + accel_k));               \
                ACCEL_ROW_AFTER_ROW_                                                                                   \
                for (size_t accel_at = accel_r; accel_at < accel_end; accel_at++)                                      \
                    for (size_t accel_k = 0; accel_k < ACCEL_PART_LANES_(T); accel_k++)                                \
                        ACCEL_JOIN_LANE_OF_(                                                                           \
                            name, part, &accel_p, accel_k,                                                             \
                            element(name, accel_all, accel_from, accel_at *ACCEL_TILE_LANES + accel_l + accel_k));     \
                for (size_t accel_k = 0; accel_k < ACCEL_PART_LANES_(T); accel_k++)                                    \
                    accel_lanes_##name##_set(accel_s, accel_l + accel_k, part##_get(&accel_p, accel_k));               \
            }                                                                                                          \
    }

#define ACCEL_CPU_PIECE_(name, function, short_rows, eights, fours, uneven, parts, element, T, dims)                   \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor *accel_c, size_t accel_count,          \
                                accel_lanes_##name *accel_out)                                                         \
    {                                                                                                                  \
        accel_lanes_##name accel_s;                                                                                    \
        __typeof__(accel_start_of_##name()) accel_start = accel_start_of_##name();                                     \
        ACCEL_HIDE_(accel_start);                                                                                      \
        ACCEL_TILE_LANE_(accel_k) accel_lanes_##name##_set(&accel_s, accel_k, accel_start);                            \
        while (accel_count >= ACCEL_TILE_LANES) {                                                                      \
            const size_t accel_row = accel_c->nk - accel_c->k;                                                         \
            if ((dims) == 1 || (accel_row >= ACCEL_TILE_LANES && accel_c->nk >= ACCEL_LONG_ROW_(T, accel_c->nk))) {    \
                size_t accel_rows =                                                                                    \
                    ((dims) == 1 || accel_count < accel_row ? accel_count : accel_row) / ACCEL_TILE_LANES;             \
                const accel_cursor accel_from = *accel_c;                                                              \
                accel_count -= accel_rows * ACCEL_TILE_LANES;                                                          \
                accel_cursor_advance(accel_c, dims, accel_rows *ACCEL_TILE_LANES);                                     \
                if (ACCEL_IN_PARTS_(T, accel_all->places.n))                                                           \
                    parts(accel_all, accel_from, accel_rows, &accel_s);                                                \
                else                                                                                                   \
                    ACCEL_ROW_AFTER_ROW_                                                                               \
                for (size_t accel_at = 0; accel_rows != 0; accel_rows--, accel_at += ACCEL_TILE_LANES)                 \
                    ACCEL_TILE_LANE_(accel_k)                                                                          \
                ACCEL_JOIN_LANE_(name, &accel_s, accel_k, element(name, accel_all, accel_from, accel_at + accel_k));   \
            } else {                                                                                                   \
                const size_t accel_most =                                                                              \
                    accel_c->nk < ACCEL_LONG_ROW_(T, accel_c->nk) ? ACCEL_BUFFER_LANES_ : (size_t)ACCEL_TILE_LANES;    \
                const size_t accel_whole = accel_count / ACCEL_TILE_LANES * ACCEL_TILE_LANES;                          \
                const size_t accel_m = accel_whole < accel_most ? accel_whole : accel_most;                            \
                if (accel_c->nk % 8 == 0)                                                                              \
                    eights(accel_all, accel_c, accel_m / ACCEL_TILE_LANES, &accel_s);                                  \
                else if (accel_c->nk % 4 == 0)                                                                         \
                    fours(accel_all, accel_c, accel_m / ACCEL_TILE_LANES, &accel_s);                                   \
                else if (ACCEL_ROW_BY_FOURS_(T, accel_c->nk))                                                          \
                    uneven(accel_all, accel_c, accel_m / ACCEL_TILE_LANES, &accel_s);                                  \
                else                                                                                                   \
                    short_rows(accel_all, accel_c, accel_m, &accel_s);                                                 \
                accel_count -= accel_m;                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        *accel_out = accel_s;                                                                                          \
        for (size_t accel_k = 0; accel_k < accel_count; accel_k++) {                                                   \
            ACCEL_JOIN_LANE_(name, accel_out, accel_k, element(name, accel_all, *accel_c, (size_t)0));                 \
            accel_cursor_advance(accel_c, dims, 1);                                                                    \
        }                                                                                                              \
    }

/* Lanes of a tile, joined by halves. */
#define ACCEL_CPU_JOINED_LANES_(name, function, T)                                                                     \
    ACCEL_INLINE_ T function(accel_lanes_##name *accel_s)                                                              \
    {                                                                                                                  \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t accel_h = ACCEL_TILE_LANES / 2; accel_h > 0; accel_h /= 2)                                         \
            for (size_t accel_k = 0; accel_k < accel_h; accel_k++)                                                     \
                ACCEL_JOIN_LANE_(name, accel_s, accel_k, accel_lanes_##name##_get(accel_s, accel_k + accel_h));        \
        return accel_lanes_##name##_get(accel_s, 0);                                                                   \
    }

/* The first q pieces of a tile, the others of which are what the reducer starts with. */
#define ACCEL_CPU_JOINED_PIECES_(name, function, T)                                                                    \
    ACCEL_INLINE_ T function(accel_lanes_##name *accel_p, size_t accel_q)                                              \
    {                                                                                                                  \
        if (accel_q == 1) {                                                                                            \
            ACCEL_TILE_LANE_(accel_k)                                                                                  \
            {                                                                                                          \
                T accel_a = accel_lanes_##name##_get(&accel_p[0], accel_k);                                            \
                T accel_b = accel_start_of_##name();                                                                   \
                const T accel_start = accel_start_of_##name();                                                         \
                accel_join_of_##name(&accel_a, &accel_start);                                                          \
                accel_join_of_##name(&accel_b, &accel_start);                                                          \
                accel_join_of_##name(&accel_a, &accel_b);                                                              \
                accel_lanes_##name##_set(&accel_p[0], accel_k, accel_a);                                               \
            }                                                                                                          \
        } else {                                                                                                       \
            for (; accel_q < ACCEL_TILE_PIECES; accel_q++)                                                             \
                ACCEL_TILE_LANE_(accel_k)                                                                              \
            accel_lanes_##name##_set(&accel_p[accel_q], accel_k, accel_start_of_##name());                             \
            for (size_t accel_h = ACCEL_TILE_PIECES / 2; accel_h > 0; accel_h /= 2)                                    \
                for (accel_q = 0; accel_q < accel_h; accel_q++)                                                        \
                    ACCEL_TILE_LANE_(accel_k)                                                                          \
            ACCEL_JOIN_LANE_(name, &accel_p[accel_q], accel_k,                                                         \
                             accel_lanes_##name##_get(&accel_p[accel_q + accel_h], accel_k));                          \
        }                                                                                                              \
        return accel_joined_lanes_##name(accel_p);                                                                     \
    }

#include <accel/kernel/cpu/whole_tile.h>

#define ACCEL_CPU_VECTOR_TILE_(name, function, piece, T, dims)                                                         \
    ACCEL_INLINE_ T function(const accel_all_##name *accel_all, size_t accel_begin, size_t accel_count)                \
    {                                                                                                                  \
        accel_lanes_##name accel_p[ACCEL_TILE_PIECES];                                                                 \
        accel_cursor accel_c = accel_cursor_at(&accel_all->places, dims, accel_begin);                                 \
        size_t accel_q = 0;                                                                                            \
        if (ACCEL_WHOLE_TILE_PAYS_(T, dims) && accel_count == ACCEL_TILE_ELEMS)                                        \
            return accel_whole_tile_of_##name(accel_all, accel_begin);                                                 \
        if (ACCEL_SHORT_TILE_PAYS_(T, dims) && accel_count >= ACCEL_LEAST_SHORT_TILE_ &&                               \
            accel_count <= ACCEL_PIECE_ELEMS)                                                                          \
            return accel_short_tile_of_##name(accel_all, accel_begin, accel_count);                                    \
        do {                                                                                                           \
            const size_t accel_m = accel_count < ACCEL_PIECE_ELEMS ? accel_count : ACCEL_PIECE_ELEMS;                  \
            piece(accel_all, &accel_c, accel_m, &accel_p[accel_q++]);                                                  \
            accel_count -= accel_m;                                                                                    \
        } while (accel_count != 0);                                                                                    \
        return accel_joined_pieces_##name(accel_p, accel_q);                                                           \
    }

#define ACCEL_CPU_TILE_(name, function, T, dims)                                                                       \
    ACCEL_LANES_(accel_lanes_##name, T, ACCEL_TILE_LANES)                                                              \
    ACCEL_LANES_(accel_buffer_##name, T, ACCEL_BUFFER_LANES_)                                                          \
    ACCEL_CPU_SHORT_ROWS_(name, accel_rows_of_##name, ACCEL_ELEMENT_##dims##_, dims)                                   \
    ACCEL_LANES_(accel_part_##name, T, ACCEL_PART_LANES_(T))                                                           \
    ACCEL_CPU_PARTS_(name, accel_parts_of_##name, accel_part_##name, ACCEL_ELEMENT_##dims##_, T)                       \
    ACCEL_CPU_GROUPS_(name, accel_eights_of_##name, ACCEL_ELEMENT_##dims##_, dims, 8)                                  \
    ACCEL_CPU_GROUPS_(name, accel_fours_of_##name, ACCEL_ELEMENT_##dims##_, dims, 4)                                   \
    ACCEL_LANES_(accel_four_##name, T, 4)                                                                              \
    ACCEL_CPU_UNEVEN_(name, accel_uneven_of_##name, ACCEL_ELEMENT_##dims##_, dims)                                     \
    ACCEL_CPU_PIECE_(name, accel_piece_of_##name, accel_rows_of_##name, accel_eights_of_##name, accel_fours_of_##name, \
                     accel_uneven_of_##name, accel_parts_of_##name, ACCEL_ELEMENT_##dims##_, T, dims)                  \
    ACCEL_CPU_JOINED_LANES_(name, accel_joined_lanes_##name, T)                                                        \
    ACCEL_CPU_JOINED_PIECES_(name, accel_joined_pieces_##name, T)                                                      \
    ACCEL_CPU_WHOLE_PIECE_(name, accel_whole_piece_of_##name, ACCEL_ELEMENT_##dims##_, T)                              \
    ACCEL_CPU_WHOLE_TILE_(name, accel_whole_tile_of_##name, accel_whole_piece_of_##name, T)                            \
    ACCEL_CPU_SHORT_TILE_(name, accel_short_tile_of_##name, accel_whole_piece_of_##name, ACCEL_ELEMENT_##dims##_, T)   \
    ACCEL_CPU_VECTOR_TILE_(name, function, accel_piece_of_##name, T, dims)
#endif

/* The tiles of some blocks. */
typedef struct accel_tiles {
    size_t index, end;
} accel_tiles;

#include <accel/kernel/cpu/split_tile.h>

/* Without an order, where that is faster: not one by one. */
#if defined(ACCEL_ONE_BY_ONE_)
#define ACCEL_DEFINE_UNORDERED_(name, T, dims)
#define ACCEL_CPU_UNORDERED_(name, T, dims, share, all)
#else
#include <accel/kernel/cpu/unordered.h>
#define ACCEL_DEFINE_UNORDERED_(name, T, dims)                                                                         \
    ACCEL_CPU_LOOSE_(name, accel_loose_of_##name, accel_loose_rows_of_##name, T, ACCEL_ELEMENT_##dims##_, dims)        \
    ACCEL_CPU_LOOSE_SHARE_(name, accel_unordered_of_##name, accel_loose_of_##name, T)
#define ACCEL_CPU_UNORDERED_(name, T, dims, share, all)                                                                \
    if (ACCEL_LOOSE_PAYS_(T, dims) && ((all)->places.flags & ACCEL_PLACES_UNORDERED) != 0 &&                           \
        ACCEL_LOOSE_ROWS_PAY_(dims, (all)->places.extent[2])) {                                                        \
        accel_unordered_of_##name(all, share);                                                                         \
        return;                                                                                                        \
    }
#endif

/* One value of each lane of each piece, joined as a tile is. */
#define ACCEL_LANE_OF_(e) ((e) / ACCEL_PIECE_ELEMS * ACCEL_TILE_LANES + (e) % ACCEL_TILE_LANES)
#define ACCEL_CPU_JOINED_(name, function, T)                                                                           \
    ACCEL_INLINE_ T function(T *accel_p)                                                                               \
    {                                                                                                                  \
        for (size_t accel_h = ACCEL_TILE_PIECES * ACCEL_TILE_LANES / 2; accel_h > 0; accel_h /= 2)                     \
            for (size_t accel_k = 0; accel_k < accel_h; accel_k++)                                                     \
                accel_join_of_##name(&accel_p[accel_k], &accel_p[accel_k + accel_h]);                                  \
        return accel_p[0];                                                                                             \
    }

/* A tile of results of a launch before, of which there are few: one after the other. */
#define ACCEL_CPU_RESULTS_(name, function, T)                                                                          \
    static __attribute__((noinline)) T function(const T *accel_in, size_t accel_count)                                 \
    {                                                                                                                  \
        T accel_p[ACCEL_TILE_PIECES * ACCEL_TILE_LANES];                                                               \
        for (size_t accel_k = 0; accel_k < ACCEL_TILE_PIECES * ACCEL_TILE_LANES; accel_k++)                            \
            accel_p[accel_k] = accel_start_of_##name();                                                                \
        for (size_t accel_e = 0; accel_e < accel_count; accel_e++)                                                     \
            accel_join_of_##name(&accel_p[ACCEL_LANE_OF_(accel_e)], &accel_in[accel_e]);                               \
        return accel_joined_##name(accel_p);                                                                           \
    }

#define ACCEL_DEFINE_REDUCE_(name, args_type, T, dims)                                                                 \
    ACCEL_CPU_JOINED_(name, accel_joined_##name, T)                                                                    \
    ACCEL_CPU_TILE_(name, accel_tile_of_##name, T, dims)                                                               \
    ACCEL_CPU_RESULTS_(name, accel_results_of_##name, T)                                                               \
    ACCEL_CPU_SPLIT_TILE_(name, T, dims)                                                                               \
    ACCEL_DEFINE_UNORDERED_(name, T, dims)                                                                             \
    static __attribute__((flatten)) void accel_run_##name(                                                             \
        const accel_launch_context *accel_launch, const void *accel_args, size_t accel_first, size_t accel_count)      \
    {                                                                                                                  \
        accel_cpu_prepare();                                                                                           \
        const accel_all_##name accel_all = *(const accel_all_##name *)accel_args;                                      \
        const T *const accel_in = (const T *)accel_all.places.in;                                                      \
        accel_pieces accel_share = accel_pieces_of(accel_launch, &accel_all.places, accel_first, accel_count);         \
        ACCEL_CPU_UNORDERED_(name, T, dims, accel_tiles_of(&accel_share), (const accel_all_##name *)accel_args)        \
        if (accel_in != NULL && accel_all.places.pieces != 0)                                                          \
            accel_join_split_of_##name(&((const accel_all_##name *)accel_args)->places);                               \
        while (accel_share.at < accel_share.end) {                                                                     \
            const size_t accel_t = accel_share.at / ACCEL_TILE_PIECES, accel_begin = accel_t * ACCEL_TILE_ELEMS;       \
            const size_t accel_left = (size_t)accel_all.places.n - accel_begin;                                        \
            const size_t accel_m = accel_left < ACCEL_TILE_ELEMS ? accel_left : ACCEL_TILE_ELEMS;                      \
            if (accel_split_takes(&accel_share, accel_all.places.out, sizeof(T))) {                                    \
                accel_split_of_##name((const accel_all_##name *)accel_args, accel_share.at,                            \
                                      accel_split_end(&accel_share));                                                  \
                accel_share.at = accel_split_end(&accel_share);                                                        \
                continue;                                                                                              \
            }                                                                                                          \
            ((T *)accel_all.places.out)[accel_t] = accel_in == NULL                                                    \
                                                       ? accel_tile_of_##name(&accel_all, accel_begin, accel_m)        \
                                                       : accel_results_of_##name(accel_in + accel_begin, accel_m);     \
            accel_share.at = (accel_t + 1) * ACCEL_TILE_PIECES;                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_EXTERN_ __attribute__((visibility("default"))) const accel_pattern_descriptor accel_descriptor_##name;       \
    const accel_pattern_descriptor accel_descriptor_##name =                                                           \
        ACCEL_PATTERN_DESCRIPTOR_(accel_all_##name, args_type, T, ACCEL_KIND_REDUCE, dims, #name, accel_run_##name);

#endif

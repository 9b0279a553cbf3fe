/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/whole_tile.h - a tile of a reduction in one dimension, all of whose elements are there, and one of a single
 * piece, for host compilers.
 *
 * A piece is as long as the first-level cache, so its elements push lanes on the stack out of it. Each line of the stack that a
 * piece writes is read from the second level and written back there. So lanes stay in registers where the compiler can be
 * brought to that, and a piece writes its lanes once.
 */
#ifndef ACCEL_KERNEL_CPU_WHOLE_TILE_H
#define ACCEL_KERNEL_CPU_WHOLE_TILE_H

/* Whether registers hold the lanes beside elements: where they do not, this is no faster, and sometimes slower. */
#if defined(__AVX512F__)
#define ACCEL_BYTES_OF_LANES_ (28 * 64)
#elif defined(__AVX__)
#define ACCEL_BYTES_OF_LANES_ (12 * 32)
#elif defined(__aarch64__)
#define ACCEL_BYTES_OF_LANES_ (28 * 16)
#else
#define ACCEL_BYTES_OF_LANES_ (12 * 16)
#endif
#define ACCEL_WHOLE_TILE_PAYS_(T, dims) ((dims) == 1 && sizeof(T) * ACCEL_TILE_LANES <= ACCEL_BYTES_OF_LANES_)

/* Where a piece ends, and how many of its rows are joined there. gcc would make a call of memcpy of a copy, which needs the lanes
 * in memory, so the last row writes them to their place. And it keeps them in registers if it does not know how many rows
 * there are. With clang a plain copy is faster, and so is the code for any tile where the number of rows is no constant. */
#if defined(__clang__)
#define ACCEL_ROWS_AT_END_ 0
#define ACCEL_SHORT_TILE_PAYS_(T, dims) 0
#define ACCEL_HIDE_ROWS_(rows)
#define ACCEL_END_PIECE_(name, to, lanes, value)                                                                       \
    ACCEL_TILE_LANE_(accel_k) accel_lanes_##name##_set(to, accel_k, accel_lanes_##name##_get(lanes, accel_k));
#else
#define ACCEL_ROWS_AT_END_ 1
#define ACCEL_SHORT_TILE_PAYS_(T, dims) ACCEL_WHOLE_TILE_PAYS_(T, dims)
#define ACCEL_HIDE_ROWS_(rows) __asm__("" : "+r"(rows))
#define ACCEL_END_PIECE_(name, to, lanes, value)                                                                       \
    ACCEL_TILE_LANE_(accel_k)                                                                                          \
    {                                                                                                                  \
        __typeof__(accel_start_of_##name()) accel_a = accel_lanes_##name##_get(lanes, accel_k);                        \
        const __typeof__(accel_start_of_##name()) accel_b = (value);                                                   \
        accel_join_of_##name(&accel_a, &accel_b);                                                                      \
        accel_lanes_##name##_set(to, accel_k, accel_a);                                                                \
    }
#endif

/* The whole rows of `count` elements, of which there are at least three. */
#define ACCEL_CPU_WHOLE_PIECE_(name, function, element, T)                                                             \
    ACCEL_INLINE_ void function(const accel_all_##name *accel_all, accel_cursor accel_from, size_t accel_count,        \
                                accel_lanes_##name *accel_out)                                                         \
    {                                                                                                                  \
        accel_lanes_##name accel_s;                                                                                    \
        size_t accel_at = ACCEL_TILE_LANES;                                                                            \
        size_t accel_rows = accel_count / ACCEL_TILE_LANES - 1 - ACCEL_ROWS_AT_END_;                                   \
        ACCEL_HIDE_ROWS_(accel_rows);                                                                                  \
        ACCEL_TILE_LANE_(accel_k)                                                                                      \
        {                                                                                                              \
            T accel_a = accel_start_of_##name();                                                                       \
            const T accel_b = element(name, accel_all, accel_from, accel_k);                                           \
            accel_join_of_##name(&accel_a, &accel_b);                                                                  \
            accel_lanes_##name##_set(&accel_s, accel_k, accel_a);                                                      \
        }                                                                                                              \
        ACCEL_ROW_AFTER_ROW_                                                                                           \
        do {                                                                                                           \
            ACCEL_TILE_LANE_(accel_k)                                                                                  \
            ACCEL_JOIN_LANE_(name, &accel_s, accel_k, element(name, accel_all, accel_from, accel_at + accel_k));       \
            accel_at += ACCEL_TILE_LANES;                                                                              \
        } while (--accel_rows != 0);                                                                                   \
        ACCEL_END_PIECE_(name, accel_out, &accel_s, element(name, accel_all, accel_from, accel_at + accel_k))          \
    }

/* The q-th piece of the tile that begins at `begin`. */
#define ACCEL_PIECE_AT_(piece, all, begin, pieces, q)                                                                  \
    do {                                                                                                               \
        const accel_cursor accel_c = {0, 0, (begin) + (size_t)(q)*ACCEL_PIECE_ELEMS, 1, (size_t)-1};                   \
        piece(all, accel_c, ACCEL_PIECE_ELEMS, &(pieces)[q]);                                                          \
    } while (0)

/* gcc keeps the lanes of all four pieces in registers, if there are enough, where each has code of its own: worth it for plain
 * numbers. Of structs a loop is as fast, and with clang of all. */
#if defined(__clang__)
#define ACCEL_PIECES_APART_(T) 0
#else
#define ACCEL_PIECES_APART_(T) (sizeof(T) == ACCEL_ALIGNOF_(T))
#endif

/* A tile of one piece, of three rows and more. */
#define ACCEL_LEAST_SHORT_TILE_ ((size_t)3 * ACCEL_TILE_LANES)
#define ACCEL_CPU_SHORT_TILE_(name, function, piece, element, T)                                                       \
    ACCEL_INLINE_ T function(const accel_all_##name *accel_all, size_t accel_begin, size_t accel_count)                \
    {                                                                                                                  \
        accel_lanes_##name accel_p;                                                                                    \
        const accel_cursor accel_c = {0, 0, accel_begin, 1, (size_t)-1};                                               \
        const size_t accel_left = accel_count % ACCEL_TILE_LANES, accel_at = accel_count - accel_left;                 \
        piece(accel_all, accel_c, accel_count, &accel_p);                                                              \
        for (size_t accel_k = 0; accel_k < accel_left; accel_k++)                                                      \
            ACCEL_JOIN_LANE_(name, &accel_p, accel_k, element(name, accel_all, accel_c, accel_at + accel_k));          \
        return accel_joined_pieces_##name(&accel_p, 1);                                                                \
    }

#define ACCEL_CPU_WHOLE_TILE_(name, function, piece, T)                                                                \
    ACCEL_INLINE_ T function(const accel_all_##name *accel_all, size_t accel_begin)                                    \
    {                                                                                                                  \
        accel_lanes_##name accel_p[ACCEL_TILE_PIECES];                                                                 \
        if (ACCEL_PIECES_APART_(T)) {                                                                                  \
            ACCEL_PIECE_AT_(piece, accel_all, accel_begin, accel_p, 0);                                                \
            ACCEL_PIECE_AT_(piece, accel_all, accel_begin, accel_p, 1);                                                \
            ACCEL_PIECE_AT_(piece, accel_all, accel_begin, accel_p, 2);                                                \
            ACCEL_PIECE_AT_(piece, accel_all, accel_begin, accel_p, 3);                                                \
        } else {                                                                                                       \
            for (size_t accel_q = 0; accel_q < ACCEL_TILE_PIECES; accel_q++)                                           \
                ACCEL_PIECE_AT_(piece, accel_all, accel_begin, accel_p, accel_q);                                      \
        }                                                                                                              \
        ACCEL_TILE_LANE_(accel_k)                                                                                      \
        ACCEL_JOIN_LANE_(name, &accel_p[0], accel_k, accel_lanes_##name##_get(&accel_p[2], accel_k));                  \
        ACCEL_TILE_LANE_(accel_k)                                                                                      \
        ACCEL_JOIN_LANE_(name, &accel_p[1], accel_k, accel_lanes_##name##_get(&accel_p[3], accel_k));                  \
        ACCEL_TILE_LANE_(accel_k)                                                                                      \
        ACCEL_JOIN_LANE_(name, &accel_p[0], accel_k, accel_lanes_##name##_get(&accel_p[1], accel_k));                  \
        return accel_joined_lanes_##name(&accel_p[0]);                                                                 \
    }

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/split_tile.h - tiles of a reduction that more than one thread makes, for host compilers.
 *
 * Of few tiles threads would get unequal shares: of five tiles one has three. So a launch of few tiles has a block for each piece.
 * A thread that has all pieces of a tile makes its result. Of another tile each thread writes down the lanes of its pieces,
 * and the launch that joins the results joins these first. The order is that of P2 in both cases.
 *
 * Behind the results lie a mark of each tile, which says whether there are lanes of its pieces, and room for the lanes of all pieces.
 * The thread that has a tile's first piece writes its mark.
 */
#ifndef ACCEL_KERNEL_CPU_SPLIT_TILE_H
#define ACCEL_KERNEL_CPU_SPLIT_TILE_H

/* The pieces of some blocks, from `at` on. */
typedef struct accel_pieces {
    size_t at, end, all; /* of the launch; a launch without elements has one */
    bool apart;          /* a block is a piece */
} accel_pieces;

ACCEL_INLINE_ accel_pieces accel_pieces_of(const accel_launch_context *launch, const accel_pattern_places *places,
                                           size_t first, size_t count)
{
    const size_t n = (size_t)places->n, all = n / ACCEL_PIECE_ELEMS + (n % ACCEL_PIECE_ELEMS != 0 || n == 0);
    const bool apart = launch->block_extent[0] == ACCEL_TILE_LANES;
    const size_t each = apart ? 1 : launch->elem_extent[0] * ACCEL_TILE_PIECES;
    accel_pieces pieces = {first * each, (first + count) * each, all, apart};
    if (pieces.end > all)
        pieces.end = all;
    return pieces;
}

ACCEL_INLINE_ size_t accel_tiles_of_pieces(size_t pieces)
{
    return (pieces + ACCEL_TILE_PIECES - 1) / ACCEL_TILE_PIECES;
}

/* They are whole tiles, unless a block is a piece. */
ACCEL_INLINE_ accel_tiles accel_tiles_of(const accel_pieces *pieces)
{
    const accel_tiles tiles = {pieces->at / ACCEL_TILE_PIECES, accel_tiles_of_pieces(pieces->end)};
    return tiles;
}

/* The end of those pieces of the first one's tile that are in the share. */
ACCEL_INLINE_ size_t accel_split_end(const accel_pieces *pieces)
{
    const size_t end = (pieces->at / ACCEL_TILE_PIECES + 1) * ACCEL_TILE_PIECES;
    return end < pieces->end ? end : pieces->end;
}

ACCEL_INLINE_ unsigned char *accel_split_marks(void *results, size_t tiles, size_t element_size)
{
    return (unsigned char *)results + tiles * element_size;
}

ACCEL_INLINE_ void *accel_split_lanes(void *results, size_t tiles, size_t element_size)
{
    return (unsigned char *)results + ACCEL_LANES_AT(tiles, element_size);
}

/* Does another share have a piece of the next tile? */
ACCEL_INLINE_ bool accel_split_takes(const accel_pieces *pieces, void *results, size_t element_size)
{
    if (!pieces->apart)
        return false;
    const size_t tile = pieces->at / ACCEL_TILE_PIECES, first = tile * ACCEL_TILE_PIECES;
    const size_t end = first + ACCEL_TILE_PIECES < pieces->all ? first + ACCEL_TILE_PIECES : pieces->all;
    const bool splits = pieces->at != first || pieces->end < end;
    if (pieces->at == first)
        accel_split_marks(results, accel_tiles_of_pieces(pieces->all), element_size)[tile] = splits;
    return splits;
}

#define ACCEL_CPU_SPLIT_TILE_(name, T, dims)                                                                           \
    static __attribute__((noinline)) void accel_split_of_##name(const accel_all_##name *accel_all, size_t accel_at,    \
                                                                size_t accel_end)                                      \
    {                                                                                                                  \
        const size_t accel_n = (size_t)accel_all->places.n;                                                            \
        const size_t accel_tiles_ = (accel_n - 1) / ACCEL_TILE_ELEMS + 1;                                              \
        accel_lanes_##name *const accel_lanes =                                                                        \
            (accel_lanes_##name *)accel_split_lanes(accel_all->places.out, accel_tiles_, sizeof(T));                   \
        accel_cursor accel_c = accel_cursor_at(&accel_all->places, dims, accel_at * ACCEL_PIECE_ELEMS);                \
        for (; accel_at < accel_end; accel_at++) {                                                                     \
            const size_t accel_left = accel_n - accel_at * ACCEL_PIECE_ELEMS;                                          \
            accel_piece_of_##name(accel_all, &accel_c,                                                                 \
                                  accel_left < ACCEL_PIECE_ELEMS ? accel_left : ACCEL_PIECE_ELEMS,                     \
                                  &accel_lanes[accel_at]);                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) void accel_join_split_of_##name(const accel_pattern_places *accel_places)         \
    {                                                                                                                  \
        T *const accel_in = (T *)(uintptr_t)accel_places->in;                                                          \
        const size_t accel_all = (size_t)accel_places->pieces, accel_n = (size_t)accel_places->n;                      \
        const unsigned char *const accel_marks = accel_split_marks(accel_in, accel_n, sizeof(T));                      \
        accel_lanes_##name *const accel_lanes = (accel_lanes_##name *)accel_split_lanes(accel_in, accel_n, sizeof(T)); \
        for (size_t accel_t = 0; accel_t < accel_n; accel_t++) {                                                       \
            const size_t accel_left = accel_all - accel_t * ACCEL_TILE_PIECES;                                         \
            if (accel_marks[accel_t])                                                                                  \
                accel_in[accel_t] =                                                                                    \
                    accel_joined_pieces_##name(&accel_lanes[accel_t * ACCEL_TILE_PIECES],                              \
                                               accel_left < ACCEL_TILE_PIECES ? accel_left : ACCEL_TILE_PIECES);       \
        }                                                                                                              \
    }

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/range.h - ACCEL_FOR_EACH_RANGE_1D to _6D and _2D_ORDERED to _6D_ORDERED, for every target.
 *
 * Tiles are numbered, the last dimension the fastest, LEFT the first, and the grid's blocks divide the numbers as those of
 * accel/kernel/tile.h. ACCEL_FOR_EACH_RANGE_3D(acc, args.range, i, j, k) expands on CPUs to
 *
 *     for (accel_range_tile tile = first of the share; tile.index < tile.end; accel_range_next(..., &tile))
 *         for (size_t i = tile.from[0]; i < tile.to[0]; i++)
 *             for (size_t j = tile.from[1]; j < tile.to[1]; j++)
 *                 for (size_t k = tile.from[2]; k < tile.to[2]; k++)      // #pragma GCC ivdep
 *
 * and on GPUs the inner loops are one over the tile's elements, e = thread; e += threads of the block. LEFT has the inner loops the other way
 * round: i is the innermost.
 */
#ifndef ACCEL_KERNEL_RANGE_H
#define ACCEL_KERNEL_RANGE_H

/* One tile, and the end of the share of tiles. */
typedef struct accel_range_tile {
    size_t index, end;
    size_t from[6], to[6];
} accel_range_tile;

/* Elements of a tile. Of a range that accel_range_divide has not seen, a tile of 0 is the whole extent. */
ACCEL_INLINE_ size_t accel_range_width(const accel_range *range, size_t d)
{
    const size_t extent = range->end[d] - range->begin[d];
    return range->tile[d] != 0 ? range->tile[d] : extent + (extent == 0);
}

ACCEL_INLINE_ size_t accel_range_tiles(const accel_range *range, size_t d)
{
    const size_t extent = range->end[d] - range->begin[d], width = accel_range_width(range, d);
    return extent / width + (extent % width != 0);
}

/* From tile->index to its indices. */
ACCEL_INLINE_ void accel_range_place(accel_range_tile *tile, const accel_range *range, size_t dims, int left)
{
    size_t row = tile->index;
    ACCEL_UNROLL(6)
    for (size_t k = 0; k < dims; k++) {
        const size_t d = left ? k : dims - 1 - k, tiles = accel_range_tiles(range, d),
                     width = accel_range_width(range, d);
        tile->from[d] = range->begin[d] + (k == dims - 1 ? row : row % tiles) * width;
        row /= tiles;
        const size_t rest = range->end[d] - tile->from[d];
        tile->to[d] = tile->from[d] + (rest < width ? rest : width);
    }
}

/* Of a range of another number of dimensions there is none. */
ACCEL_INLINE_ accel_range_tile accel_range_first(const accel_core core, const accel_range *range, size_t dims, int left)
{
    accel_range_tile tile;
    tile.end = range->dims == dims;
    if (tile.end != 0) {
        ACCEL_UNROLL(6)
        for (size_t d = 0; d < dims; d++)
            tile.end *= accel_range_tiles(range, d);
    }
#if defined(ACCEL_OBSERVED_)
    uint64_t kind = 2 * dims + (left != 0), elements = 1;
    for (size_t d = 0; d < dims; d++) {
        kind = (((kind * 31 + range->begin[d]) * 31 + range->end[d]) * 31 + range->tile[d]) * 31;
        elements *= accel_range_width(range, d);
    }
    (void)accel_check_loop(core.launch, tile.end, kind, elements, ACCEL_CHECK_TILES);
#endif
    tile.index = accel_tile_share(core, &tile.end);
    if (tile.index < tile.end)
        accel_range_place(&tile, range, dims, left);
    return tile;
}

ACCEL_INLINE_ void accel_range_next(const accel_core core, accel_range_tile *tile, const accel_range *range,
                                    size_t dims, int left)
{
    tile->index += accel_tile_step(core);
    if (tile->index < tile->end)
        accel_range_place(tile, range, dims, left);
}

#define ACCEL_RANGE_TILES_(acc, range, i, dims, left)                                                                  \
    for (accel_range_tile accel_tile_##i = accel_range_first((acc).core, &(range), dims, left);                        \
         accel_tile_##i.index < accel_tile_##i.end;                                                                    \
         accel_range_next((acc).core, &accel_tile_##i, &(range), dims, left))

/* The loops over a tile, the slowest index first, each with its dimension. */
#if defined(ACCEL_KERNEL_CPU_H)
#define ACCEL_RANGE_1_(acc, t, a, da) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, a, da)
#define ACCEL_RANGE_2_(acc, t, a, da, b, db) ACCEL_ELEMENTS_(t, a, da) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, b, db)
#define ACCEL_RANGE_3_(acc, t, a, da, b, db, c, dc)                                                                    \
    ACCEL_ELEMENTS_(t, a, da) ACCEL_ELEMENTS_(t, b, db) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, c, dc)
#define ACCEL_RANGE_4_(acc, t, a, da, b, db, c, dc, d, dd)                                                             \
    ACCEL_ELEMENTS_(t, a, da)                                                                                          \
    ACCEL_ELEMENTS_(t, b, db) ACCEL_ELEMENTS_(t, c, dc) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, d, dd)
#define ACCEL_RANGE_5_(acc, t, a, da, b, db, c, dc, d, dd, e, de)                                                      \
    ACCEL_ELEMENTS_(t, a, da)                                                                                          \
    ACCEL_ELEMENTS_(t, b, db)                                                                                          \
    ACCEL_ELEMENTS_(t, c, dc) ACCEL_ELEMENTS_(t, d, dd) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, e, de)
#define ACCEL_RANGE_6_(acc, t, a, da, b, db, c, dc, d, dd, e, de, f, df)                                               \
    ACCEL_ELEMENTS_(t, a, da)                                                                                          \
    ACCEL_ELEMENTS_(t, b, db)                                                                                          \
    ACCEL_ELEMENTS_(t, c, dc)                                                                                          \
    ACCEL_ELEMENTS_(t, d, dd) ACCEL_ELEMENTS_(t, e, de) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(t, f, df)
#else
/* Index d of element e of the tile; what is left of e goes on to the next slower dimension. */
ACCEL_INLINE_ size_t accel_range_index(const accel_range_tile &tile, size_t &element, size_t d)
{
    const size_t width = tile.to[d] - tile.from[d], index = tile.from[d] + element % width;
    element /= width;
    return index;
}
ACCEL_INLINE_ size_t accel_range_elements(const accel_range_tile &tile, size_t dims)
{
    size_t elements = 1;
    for (size_t d = 0; d < dims; d++)
        elements *= tile.to[d] - tile.from[d];
    return elements;
}
#define ACCEL_RANGE_IN_(acc, t, dims)                                                                                  \
    for (size_t accel_element_##t = accel_gpu_thread_linear((acc).core),                                               \
                accel_elements_##t = accel_range_elements(accel_tile_##t, dims);                                       \
         accel_element_##t < accel_elements_##t; accel_element_##t += accel_gpu_threads((acc).core))
#define ACCEL_RANGE_ONCE_(t) size_t accel_left_##t = accel_element_##t, accel_trip_##t = 1
#define ACCEL_RANGE_AT_(t, a, d) a = accel_range_index(accel_tile_##t, accel_left_##t, d)
#define ACCEL_RANGE_1_(acc, t, a, da)                                                                                  \
    ACCEL_RANGE_IN_(acc, t, 1)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, a, da); accel_trip_##t != 0; accel_trip_##t = 0)
#define ACCEL_RANGE_2_(acc, t, a, da, b, db)                                                                           \
    ACCEL_RANGE_IN_(acc, t, 2)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, b, db), ACCEL_RANGE_AT_(t, a, da); accel_trip_##t != 0;              \
         accel_trip_##t = 0)
#define ACCEL_RANGE_3_(acc, t, a, da, b, db, c, dc)                                                                    \
    ACCEL_RANGE_IN_(acc, t, 3)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, c, dc), ACCEL_RANGE_AT_(t, b, db), ACCEL_RANGE_AT_(t, a, da);        \
         accel_trip_##t != 0; accel_trip_##t = 0)
#define ACCEL_RANGE_4_(acc, t, a, da, b, db, c, dc, d, dd)                                                             \
    ACCEL_RANGE_IN_(acc, t, 4)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, d, dd), ACCEL_RANGE_AT_(t, c, dc), ACCEL_RANGE_AT_(t, b, db),        \
         ACCEL_RANGE_AT_(t, a, da);                                                                                    \
         accel_trip_##t != 0; accel_trip_##t = 0)
#define ACCEL_RANGE_5_(acc, t, a, da, b, db, c, dc, d, dd, e, de)                                                      \
    ACCEL_RANGE_IN_(acc, t, 5)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, e, de), ACCEL_RANGE_AT_(t, d, dd), ACCEL_RANGE_AT_(t, c, dc),        \
         ACCEL_RANGE_AT_(t, b, db), ACCEL_RANGE_AT_(t, a, da);                                                         \
         accel_trip_##t != 0; accel_trip_##t = 0)
#define ACCEL_RANGE_6_(acc, t, a, da, b, db, c, dc, d, dd, e, de, f, df)                                               \
    ACCEL_RANGE_IN_(acc, t, 6)                                                                                         \
    for (ACCEL_RANGE_ONCE_(t), ACCEL_RANGE_AT_(t, f, df), ACCEL_RANGE_AT_(t, e, de), ACCEL_RANGE_AT_(t, d, dd),        \
         ACCEL_RANGE_AT_(t, c, dc), ACCEL_RANGE_AT_(t, b, db), ACCEL_RANGE_AT_(t, a, da);                              \
         accel_trip_##t != 0; accel_trip_##t = 0)
#endif

#define ACCEL_RANGE_RIGHT_ 0
#define ACCEL_RANGE_LEFT_ 1
#define ACCEL_RANGE_2_RIGHT_(acc, t, i, j) ACCEL_RANGE_2_(acc, t, i, 0, j, 1)
#define ACCEL_RANGE_2_LEFT_(acc, t, i, j) ACCEL_RANGE_2_(acc, t, j, 1, i, 0)
#define ACCEL_RANGE_3_RIGHT_(acc, t, i, j, k) ACCEL_RANGE_3_(acc, t, i, 0, j, 1, k, 2)
#define ACCEL_RANGE_3_LEFT_(acc, t, i, j, k) ACCEL_RANGE_3_(acc, t, k, 2, j, 1, i, 0)
#define ACCEL_RANGE_4_RIGHT_(acc, t, i, j, k, l) ACCEL_RANGE_4_(acc, t, i, 0, j, 1, k, 2, l, 3)
#define ACCEL_RANGE_4_LEFT_(acc, t, i, j, k, l) ACCEL_RANGE_4_(acc, t, l, 3, k, 2, j, 1, i, 0)
#define ACCEL_RANGE_5_RIGHT_(acc, t, i, j, k, l, m) ACCEL_RANGE_5_(acc, t, i, 0, j, 1, k, 2, l, 3, m, 4)
#define ACCEL_RANGE_5_LEFT_(acc, t, i, j, k, l, m) ACCEL_RANGE_5_(acc, t, m, 4, l, 3, k, 2, j, 1, i, 0)
#define ACCEL_RANGE_6_RIGHT_(acc, t, i, j, k, l, m, n) ACCEL_RANGE_6_(acc, t, i, 0, j, 1, k, 2, l, 3, m, 4, n, 5)
#define ACCEL_RANGE_6_LEFT_(acc, t, i, j, k, l, m, n) ACCEL_RANGE_6_(acc, t, n, 5, m, 4, l, 3, k, 2, j, 1, i, 0)
#define ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, order, range, i, j)                                                       \
    ACCEL_RANGE_TILES_(acc, range, i, 2, ACCEL_RANGE_##order##_) ACCEL_RANGE_2_##order##_(acc, i, i, j)
#define ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, order, range, i, j, k)                                                    \
    ACCEL_RANGE_TILES_(acc, range, i, 3, ACCEL_RANGE_##order##_) ACCEL_RANGE_3_##order##_(acc, i, i, j, k)
#define ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, order, range, i, j, k, l)                                                 \
    ACCEL_RANGE_TILES_(acc, range, i, 4, ACCEL_RANGE_##order##_) ACCEL_RANGE_4_##order##_(acc, i, i, j, k, l)
#define ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, order, range, i, j, k, l, m)                                              \
    ACCEL_RANGE_TILES_(acc, range, i, 5, ACCEL_RANGE_##order##_) ACCEL_RANGE_5_##order##_(acc, i, i, j, k, l, m)
#define ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, order, range, i, j, k, l, m, n)                                           \
    ACCEL_RANGE_TILES_(acc, range, i, 6, ACCEL_RANGE_##order##_) ACCEL_RANGE_6_##order##_(acc, i, i, j, k, l, m, n)

/* The device's order: RIGHT on all of today's. */
#define ACCEL_FOR_EACH_RANGE_1D(acc, range, i)                                                                         \
    ACCEL_RANGE_TILES_(acc, range, i, 1, ACCEL_RANGE_RIGHT_) ACCEL_RANGE_1_(acc, i, i, 0)
#define ACCEL_FOR_EACH_RANGE_2D(acc, range, i, j) ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, RIGHT, range, i, j)
#define ACCEL_FOR_EACH_RANGE_3D(acc, range, i, j, k) ACCEL_FOR_EACH_RANGE_3D_ORDERED(acc, RIGHT, range, i, j, k)
#define ACCEL_FOR_EACH_RANGE_4D(acc, range, i, j, k, l) ACCEL_FOR_EACH_RANGE_4D_ORDERED(acc, RIGHT, range, i, j, k, l)
#define ACCEL_FOR_EACH_RANGE_5D(acc, range, i, j, k, l, m)                                                             \
    ACCEL_FOR_EACH_RANGE_5D_ORDERED(acc, RIGHT, range, i, j, k, l, m)
#define ACCEL_FOR_EACH_RANGE_6D(acc, range, i, j, k, l, m, n)                                                          \
    ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, RIGHT, range, i, j, k, l, m, n)

#endif

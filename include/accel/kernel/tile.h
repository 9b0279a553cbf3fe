/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/tile.h - ACCEL_FOR_EACH_2D_TILED and _3D_TILED, for every target.
 *
 * Tiles are numbered in the order of tiles, and the grid's blocks divide the numbers. A target says which numbers
 * belong to a thread (accel_tile_share, accel_tile_step) and how the elements of a tile are visited (ACCEL_ELEMENTS_).
 *
 * ACCEL_FOR_EACH_3D_TILED(acc, RIGHT, i, j, k, ni, nj, nk, ti, tj, tk) expands on CPUs to
 *
 *     for (accel_tile tile = first of the share; tile.index < tile.end; accel_tile_next(&tile))
 *         for (size_t i = tile.from[0]; i < tile.to[0]; i++)
 *             for (size_t j = tile.from[1]; j < tile.to[1]; j++)
 *                 for (size_t k = tile.from[2]; k < tile.to[2]; k++)      // #pragma GCC ivdep
 *
 * and on GPUs the three inner loops are one over the tile's elements, e = thread; e += threads of the block.
 */
#ifndef ACCEL_KERNEL_TILE_H
#define ACCEL_KERNEL_TILE_H

#define ACCEL_FOR_EACH_2D_TILED(acc, order, i, j, ni, nj, ti, tj)                                                      \
    ACCEL_TILES_(acc, i, ACCEL_TILES_##order##_, 1, ni, nj, 1, ti, tj) ACCEL_ELEMENTS_2D_##order##_(acc, i, i, j)
#define ACCEL_FOR_EACH_3D_TILED(acc, order, i, j, k, ni, nj, nk, ti, tj, tk)                                           \
    ACCEL_TILES_(acc, i, ACCEL_TILES_##order##_, ni, nj, nk, ti, tj, tk) ACCEL_ELEMENTS_3D_##order##_(acc, i, i, j, k)

/* The first word is the order of the tiles. */
#define ACCEL_TILES_RIGHT_ 2u
#define ACCEL_TILES_LEFT_ 0u
#define ACCEL_TILES_RIGHT_LEFT_ 2u
#define ACCEL_TILES_LEFT_RIGHT_ 0u

/* The last word is the order of a tile's elements: the fastest is named last. */
#define ACCEL_ELEMENTS_2D_RIGHT_(acc, tile, i, j) ACCEL_ELEMENTS_2D_(acc, tile, i, 1, j, 2)
#define ACCEL_ELEMENTS_2D_LEFT_(acc, tile, i, j) ACCEL_ELEMENTS_2D_(acc, tile, j, 2, i, 1)
#define ACCEL_ELEMENTS_2D_RIGHT_LEFT_(acc, tile, i, j) ACCEL_ELEMENTS_2D_(acc, tile, j, 2, i, 1)
#define ACCEL_ELEMENTS_2D_LEFT_RIGHT_(acc, tile, i, j) ACCEL_ELEMENTS_2D_(acc, tile, i, 1, j, 2)
#define ACCEL_ELEMENTS_3D_RIGHT_(acc, tile, i, j, k) ACCEL_ELEMENTS_3D_(acc, tile, i, 0, j, k, 2)
#define ACCEL_ELEMENTS_3D_LEFT_(acc, tile, i, j, k) ACCEL_ELEMENTS_3D_(acc, tile, k, 2, j, i, 0)
#define ACCEL_ELEMENTS_3D_RIGHT_LEFT_(acc, tile, i, j, k) ACCEL_ELEMENTS_3D_(acc, tile, k, 2, j, i, 0)
#define ACCEL_ELEMENTS_3D_LEFT_RIGHT_(acc, tile, i, j, k) ACCEL_ELEMENTS_3D_(acc, tile, i, 0, j, k, 2)

/* One tile, and the end of the share of tiles. Dimension 0 is the first index; two dimensions are 1 and 2. */
typedef struct accel_tile {
    size_t index, end;
    size_t from[3], to[3];
    size_t extent[3], size[3], count[3];
} accel_tile;

#define ACCEL_TILES_(acc, i, fastest, n0, n1, n2, t0, t1, t2)                                                          \
    for (accel_tile accel_tile_##i = accel_tile_first((acc).core, fastest, n0, n1, n2, t0, t1, t2);                    \
         accel_tile_##i.index < accel_tile_##i.end; accel_tile_next((acc).core, fastest, &accel_tile_##i))

ACCEL_INLINE_ void accel_tile_measure(accel_tile *tile, size_t d, size_t extent, size_t size)
{
    tile->extent[d] = extent;
    tile->size[d] = size == 0 || size > extent ? extent : size;
    tile->count[d] = extent == 0 ? 0 : extent / tile->size[d] + (extent % tile->size[d] != 0);
}

ACCEL_INLINE_ void accel_tile_bound(accel_tile *tile, size_t d)
{
    const size_t left = tile->extent[d] - tile->from[d];
    tile->to[d] = tile->from[d] + (left < tile->size[d] ? left : tile->size[d]);
}

/* From tile->index to its range of elements. */
ACCEL_INLINE_ void accel_tile_place(accel_tile *tile, unsigned int fastest)
{
    const size_t slowest = 2 - fastest;
    const size_t row = tile->index / tile->count[fastest];
    tile->from[fastest] = tile->index % tile->count[fastest] * tile->size[fastest];
    tile->from[1] = row % tile->count[1] * tile->size[1];
    tile->from[slowest] = row / tile->count[1] * tile->size[slowest];
    accel_tile_bound(tile, 0);
    accel_tile_bound(tile, 1);
    accel_tile_bound(tile, 2);
}

ACCEL_INLINE_ accel_tile accel_tile_first(const accel_core core, unsigned int fastest, size_t n0, size_t n1, size_t n2,
                                          size_t t0, size_t t1, size_t t2)
{
    accel_tile tile;
    accel_tile_measure(&tile, 0, n0, t0);
    accel_tile_measure(&tile, 1, n1, t1);
    accel_tile_measure(&tile, 2, n2, t2);
    tile.end = tile.count[0] * tile.count[1] * tile.count[2];
#if defined(ACCEL_OBSERVED_)
    (void)accel_check_loop(core.launch, tile.end, ((fastest * 31 + n0) * 31 + n1) * 31 + n2,
                           tile.size[0] * tile.size[1] * tile.size[2], ACCEL_CHECK_TILES);
#endif
    tile.index = accel_tile_share(core, &tile.end);
    if (tile.index < tile.end)
        accel_tile_place(&tile, fastest);
    return tile;
}

ACCEL_INLINE_ void accel_tile_next(const accel_core core, unsigned int fastest, accel_tile *tile)
{
    tile->index += accel_tile_step(core);
    if (tile->index < tile->end)
        accel_tile_place(tile, fastest);
}

#endif

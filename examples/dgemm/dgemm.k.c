/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "dgemm.h"

/* One thread for each number of C. The block copies a tile of A and a tile of B into shared memory, all threads use both,
 * and then the next tiles come. What is behind the edge of a matrix is 0 in its tile. */
ACCEL_KERNEL_BLOCK(tiles, dgemm_args, args, TILE, TILE)
{
    enum { STEP = 4 }; /* terms that a region adds: a CPU keeps as many rows of b in its vector registers */
    ACCEL_SHARED(acc, double, a[TILE][TILE]);
    ACCEL_SHARED(acc, double, b[TILE][TILE]);
    ACCEL_PRIVATE(acc, double, sum);
    const size_t n = args.n, pitch = args.pitch;
    const size_t row = accel_block_index(acc).y * TILE, column = accel_block_index(acc).x * TILE;

    ACCEL_THREADS(acc, t)
        ACCEL_MY(sum, t) = 0;
    for (size_t k = 0; k < n; k += TILE) {
        ACCEL_THREADS_2D(acc, i, j) {
            a[i][j] = row + i < n && k + j < n ? args.a[(row + i) * pitch + k + j] : 0;
            b[i][j] = k + i < n && column + j < n ? args.b[(k + i) * pitch + column + j] : 0;
        }
        for (size_t first = 0; first < TILE; first += STEP) {
            ACCEL_THREADS_2D(acc, i, j) {
                double s = ACCEL_MY(sum, i * TILE + j);
                for (size_t l = 0; l < STEP; ++l)
                    s += a[i][first + l] * b[first + l][j];
                ACCEL_MY(sum, i * TILE + j) = s;
            }
        }
    }
    ACCEL_THREADS_2D(acc, i, j) {
        if (row + i < n && column + j < n)
            args.c[(row + i) * pitch + column + j] = ACCEL_MY(sum, i * TILE + j);
    }
}

/* The same with packs: ROWS x PACKS packs of C stay in registers, while DEPTH terms are added to each of their numbers. */
enum {
    ROWS = ACCEL_PACK_REGISTERS < 32 ? 4 : 8,
    PACKS = 2,
    COLUMNS = PACKS * ACCEL_PACK_DOUBLES,
    DEPTH = 256,
    BAND = 128 /* rows of C that a block computes with one copy of B's numbers */
};

/* A part of C, of ROWS x COLUMNS numbers. b is in shared memory. */
ACCEL_FN void add_whole(const double *a, const double (*b)[COLUMNS], size_t depth, double *c, size_t pitch)
{
    accel_pack_double sum[ROWS][PACKS], of_b[PACKS];
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < PACKS; ++j)
            sum[i][j] = accel_pack_load(&c[i * pitch + j * ACCEL_PACK_DOUBLES]);
    for (size_t k = 0; k < depth; ++k) {
        for (size_t j = 0; j < PACKS; ++j)
            of_b[j] = accel_pack_load(&b[k][j * ACCEL_PACK_DOUBLES]);
        for (size_t i = 0; i < ROWS; ++i)
            for (size_t j = 0; j < PACKS; ++j)
                sum[i][j] += a[i * pitch + k] * of_b[j];
    }
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < PACKS; ++j)
            accel_pack_store(&c[i * pitch + j * ACCEL_PACK_DOUBLES], sum[i][j]);
}

/* At the edges of C, where a part has fewer rows or columns: without packs. */
ACCEL_FN void add_edge(const double *a, const double (*b)[COLUMNS], size_t depth, double *c, size_t pitch, size_t rows,
                       size_t columns)
{
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j) {
            double sum = c[i * pitch + j];
            for (size_t k = 0; k < depth; ++k)
                sum += a[i * pitch + k] * b[k][j];
            c[i * pitch + j] = sum;
        }
}

ACCEL_FN size_t least_of(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* C is 0 at first. Blocks take bands of C in turns, BAND x COLUMNS numbers each, so any number of blocks will do. */
ACCEL_KERNEL(packs, dgemm_args, args)
{
    ACCEL_SHARED(acc, double, b[DEPTH][COLUMNS]);
    const size_t n = args.n, pitch = args.pitch, threads = accel_block_extent(acc).x;
    const size_t down = (n + BAND - 1) / BAND, across = (n + COLUMNS - 1) / COLUMNS;

    for (size_t band = accel_block_index(acc).x; band < down * across; band += accel_grid_extent(acc).x) {
        const size_t row = band % down * BAND, rows = least_of(BAND, n - row);
        const size_t column = band / down * COLUMNS, columns = least_of(COLUMNS, n - column);
        for (size_t first = 0; first < n; first += DEPTH) {
            const size_t depth = least_of(DEPTH, n - first);
            ACCEL_THREADS(acc, t)
                for (size_t k = t; k < depth; k += threads)
                    for (size_t j = 0; j < columns; ++j)
                        b[k][j] = args.b[(first + k) * pitch + column + j];
            ACCEL_THREADS(acc, t)
                for (size_t i = t * ROWS; i < rows; i += threads * ROWS) {
                    const double *a = &args.a[(row + i) * pitch + first];
                    double *c = &args.c[(row + i) * pitch + column];
                    if (rows - i >= ROWS && columns == COLUMNS)
                        add_whole(a, (const double(*)[COLUMNS])b, depth, c, pitch);
                    else
                        add_edge(a, (const double(*)[COLUMNS])b, depth, c, pitch, least_of(ROWS, rows - i), columns);
                }
        }
    }
}

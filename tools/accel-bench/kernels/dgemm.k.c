/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory, as block and as thread kernel. Each thread computes one element of
 * C. */
#include <accel/kernel.h>
#include "bench_kernels.h"

enum {
    TILE = DGEMM_BLOCK_TILE,
    STEP = 4,   /* products that a region adds up: as many rows of b as stay in a CPU's vector registers */
    LINE = 8,   /* numbers in a line of a CPU's cache */
    PANEL = 16, /* tiles side by side whose rows of b lie in one page of memory each */
    CHAINS = 8  /* sums per thread of dgemm_thread; a single sum would wait for each addition in turn */
};

/* The tile of C that a block computes: down one panel after the other, so that a CPU finds some of b in its cache. */
ACCEL_FN accel_index place(accel_index block, accel_index grid)
{
    const size_t linear = block.y * grid.x + block.x;
    const size_t first = linear / (PANEL * grid.y) * PANEL;
    const size_t width = grid.x - first < PANEL ? grid.x - first : (size_t)PANEL;
    const size_t inside = linear - first * grid.y;
    const accel_index tile = {first + inside % width, inside / width, 0};
    return tile;
}

/* docs/notebook/dgemm.md says what each peculiarity of this kernel gains. */
ACCEL_KERNEL_BLOCK(dgemm_block, dgemm_args, args, DGEMM_BLOCK_TILE, DGEMM_BLOCK_TILE)
{
    ACCEL_SHARED(acc, double, a[TILE][TILE]);
    ACCEL_SHARED(acc, double, b[TILE][TILE]);
    ACCEL_PRIVATE(acc, double, sum);
    const accel_index tile = place(accel_block_index(acc), accel_grid_extent(acc));
    const size_t row = tile.y * TILE, column = tile.x * TILE;
    const size_t stride = tile.y % 2 == 0 ? (size_t)TILE : 0 - (size_t)TILE; /* back where the tile above came down */

    ACCEL_THREADS_NOSYNC(acc, t)
        ACCEL_MY(sum, t) = 0;
    size_t next = tile.y % 2 == 0 ? 0 : args.n - TILE;
    for (size_t left = args.n / TILE; left != 0; --left) {
        const size_t k = next;
        next = left > 1 ? k + stride : k;
        const double *of_a = &args.a[row * args.n + next], *of_b = &args.b[next * args.n + column];
        ACCEL_THREADS_2D(acc, ty, tx) {
            a[ty][tx] = args.a[(row + ty) * args.n + k + tx];
            b[ty][tx] = args.b[(k + ty) * args.n + column + tx];
        }
        ACCEL_UNROLL(8)
        for (size_t step = 0; step < TILE; step += STEP) {
            double(*rows)[TILE] = &b[step];
            for (size_t i = 0; i < STEP; ++i, of_b += args.n)
                for (size_t j = 0; j < TILE; j += LINE)
                    accel_prefetch(acc, of_b + j);
            if (tile.x % PANEL == 0) /* the others of this row and panel find a in the cache */
                for (size_t i = 0; i < STEP; ++i, of_a += args.n)
                    for (size_t j = 0; j < TILE; j += LINE)
                        accel_prefetch(acc, of_a + j);
            ACCEL_THREADS_2D(acc, ty, tx) {
                double s = ACCEL_MY(sum, ty * TILE + tx);
                for (size_t i = 0; i < STEP; ++i)
                    s += a[ty][step + i] * rows[i][tx];
                ACCEL_MY(sum, ty * TILE + tx) = s;
            }
        }
    }
    ACCEL_THREADS_2D(acc, ty, tx)
        args.c[(row + ty) * args.n + column + tx] = ACCEL_MY(sum, ty * TILE + tx);
}

/* Two tiles in turns, so that one barrier per tile is enough: a thread reaches the next barrier only when it is done
 * with this tile, and the tile before is free from this barrier on. b is stored by columns, each on its own banks on a
 * GPU, so that what a thread multiplies lies in two rows. */
ACCEL_THREAD_KERNEL_BLOCK(dgemm_thread, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
{
    ACCEL_SHARED(acc, double, a[2][DGEMM_TILE][DGEMM_TILE]);
    ACCEL_SHARED(acc, double, b[2][DGEMM_TILE][DGEMM_TILE + 1]);
    const size_t ty = accel_thread_index(acc).y, tx = accel_thread_index(acc).x;
    const size_t row = accel_block_index(acc).y * DGEMM_TILE + ty, column = accel_block_index(acc).x * DGEMM_TILE + tx;

    double sum[CHAINS] = {0};
    for (size_t k = 0; k < args.n; k += DGEMM_TILE) {
        const size_t turn = k / DGEMM_TILE % 2;
        a[turn][ty][tx] = args.a[row * args.n + k + tx];
        b[turn][tx][ty] = args.b[(k + ty) * args.n + column];
        accel_sync_block(acc);
        for (size_t i = 0; i < DGEMM_TILE; i += CHAINS)
            for (size_t j = 0; j < CHAINS; ++j)
                sum[j] += a[turn][ty][i + j] * b[turn][tx][i + j];
    }
    double total = 0;
    for (size_t j = 0; j < CHAINS; ++j)
        total += sum[j];
    args.c[row * args.n + column] = total;
}

/* The fast product in portable source: what is multiplied is copied into the order in which it is read, and sums of
 * ROWS x PACKS packs stay in registers. A block's threads take these tiles of registers in turns; on a CPU the one thread
 * takes all. */
enum {
    ROWS = ACCEL_PACK_REGISTERS < 32 ? 6 : DGEMM_PACKS_ROWS,
    PACKS = ACCEL_PACK_REGISTERS == 32 ? 3 : 2, /* 28 of 32 registers, or 15 of 16 */
    COLUMNS = PACKS * ACCEL_PACK_DOUBLES,
    SIDE = ACCEL_PACK_DOUBLES /* of the squares that a is copied in */
};

/* c, `height` rows of `packs` packs in a matrix whose rows are n long, gets or adds the products of `depth` columns of a and
 * rows of b. */
ACCEL_FN void multiply_tile(const double *a, const double *b, size_t depth, double *c, size_t n, size_t height,
                            size_t packs, int first)
{
    accel_pack_double sum[ROWS][PACKS], row[PACKS];
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < PACKS; ++j)
            sum[i][j] = first || i >= height || j >= packs ? accel_pack_all(0.0)
                                                           : accel_pack_load(&c[i * n + j * ACCEL_PACK_DOUBLES]);
    ACCEL_UNROLL(2)
    for (size_t k = 0; k < depth; ++k, a += ROWS, b += COLUMNS) {
        for (size_t j = 0; j < PACKS; ++j)
            row[j] = accel_pack_load(&b[j * ACCEL_PACK_DOUBLES]);
        for (size_t i = 0; i < ROWS; ++i)
            for (size_t j = 0; j < PACKS; ++j)
                sum[i][j] += a[i] * row[j];
    }
    for (size_t i = 0; i < ROWS && i < height; ++i)
        for (size_t j = 0; j < PACKS && j < packs; ++j)
            accel_pack_store(&c[i * n + j * ACCEL_PACK_DOUBLES], sum[i][j]);
}

/* The lines at `from` of ROWS rows, n numbers apart, become columns: of `height` rows, 0 below them. Whole squares are turned
 * in registers. */
ACCEL_FN void put_columns(double *to, const double *from, size_t n, size_t height)
{
    for (size_t top = 0; top < ROWS; top += SIDE)
        for (size_t k = 0; k < LINE; k += SIDE)
            if (top + SIDE <= ROWS && top + SIDE <= height) {
                accel_pack_double square[SIDE];
                ACCEL_UNROLL(8)
                for (size_t i = 0; i < SIDE; ++i)
                    square[i] = accel_pack_load(&from[(top + i) * n + k]);
                accel_pack_transpose(square);
                ACCEL_UNROLL(8)
                for (size_t i = 0; i < SIDE; ++i)
                    accel_pack_store(&to[(k + i) * ROWS + top], square[i]);
            } else {
                for (size_t i = top; i < ROWS && i < top + SIDE; ++i)
                    for (size_t q = k; q < k + SIDE; ++q)
                        to[q * ROWS + i] = i < height ? from[i * n + q] : 0;
            }
}

/* A part of c, whose rows are n long: the p-th of those with ROWS rows, `down` of them below each other. */
ACCEL_FN double *registers_at(double *c, size_t n, size_t down, size_t p)
{
    return &c[p % down * ROWS * n + p / down * COLUMNS];
}

ACCEL_FN size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Dynamic shared memory: (part + DGEMM_PACKS_ROWS + columns + DGEMM_PACKS_COLUMNS) * depth numbers. What is copied of b
 * serves all rows of the block, what is copied of a `part` of them. */
ACCEL_KERNEL(dgemm_packs, dgemm_packs_args, args)
{
    const size_t threads = accel_block_extent(acc).x, n = args.n, depth = args.depth, lines = depth / LINE;
    const size_t row = accel_block_index(acc).y * args.rows, column = accel_block_index(acc).x * args.columns;
    const size_t columns = least_of(args.columns, n - column), across = (columns + COLUMNS - 1) / COLUMNS;
    double *const b = (double *)accel_shared_dynamic(acc), *const a = b + across * COLUMNS * depth;

    for (size_t step = 0; step < n; step += depth) {
        ACCEL_THREADS_NOSYNC(acc, t)
            for (size_t k = t; k < depth; k += threads)
                for (size_t j = 0; j < across * COLUMNS; j += ACCEL_PACK_DOUBLES)
                    accel_pack_store(&b[(j / COLUMNS * depth + k) * COLUMNS + j % COLUMNS],
                                     j < columns ? accel_pack_load(&args.b[(step + k) * n + column + j])
                                                 : accel_pack_all(0.0));
        for (size_t top = row; top < row + args.rows; top += args.part) {
            const size_t rows = least_of(args.part, row + args.rows - top);
            const size_t down = (rows + ROWS - 1) / ROWS, tiles = down * across;
            double *const c = &args.c[top * n + column];
            ACCEL_THREADS(acc, t)
                for (size_t p = t; p < down * lines; p += threads) {
                    const size_t first = p / lines * ROWS, k = p % lines * LINE;
                    put_columns(&a[first * depth + k * ROWS], &args.a[(top + first) * n + step + k], n, rows - first);
                }
            ACCEL_THREADS(acc, t)
                for (size_t p = t; p < tiles; p += threads) {
                    const size_t first = p % down * ROWS, left = p / down * COLUMNS;
                    const double *next = registers_at(c, n, down, p + threads < tiles ? p + threads : p);
                    for (size_t i = 0; i < ROWS; ++i) /* comes meanwhile */
                        for (size_t j = 0; j < COLUMNS; j += LINE)
                            accel_prefetch_write(acc, &next[i * n + j]);
                    multiply_tile(&a[first * depth], &b[left * depth], depth, registers_at(c, n, down, p), n,
                                  least_of(ROWS, rows - first), (columns - left) / ACCEL_PACK_DOUBLES, step == 0);
                }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory, as block and as thread kernel. Each thread computes one element of
 * C. */
#include <accel/kernel.h>
#include "bench_kernels.h"

enum {
    TILE = DGEMM_TILE,
    STEP = 8,   /* products that a region adds up: as many rows of b as stay in a CPU's vector registers */
    LINE = 8,   /* numbers in a line of a CPU's cache */
    PANEL = 32, /* tiles side by side whose rows of b lie in one page of memory each */
    CHAINS = 8  /* sums per thread; a single sum would wait for each addition in turn */
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
ACCEL_KERNEL_BLOCK(dgemm_block, dgemm_args, args, DGEMM_TILE, DGEMM_TILE)
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
        ACCEL_UNROLL(2)
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
    ACCEL_SHARED(acc, double, a[2][TILE][TILE]);
    ACCEL_SHARED(acc, double, b[2][TILE][TILE + 1]);
    const size_t ty = accel_thread_index(acc).y, tx = accel_thread_index(acc).x;
    const size_t row = accel_block_index(acc).y * TILE + ty, column = accel_block_index(acc).x * TILE + tx;

    double sum[CHAINS] = {0};
    for (size_t k = 0; k < args.n; k += TILE) {
        const size_t turn = k / TILE % 2;
        a[turn][ty][tx] = args.a[row * args.n + k + tx];
        b[turn][tx][ty] = args.b[(k + ty) * args.n + column];
        accel_sync_block(acc);
        for (size_t i = 0; i < TILE; i += CHAINS)
            for (size_t j = 0; j < CHAINS; ++j)
                sum[j] += a[turn][ty][i + j] * b[turn][tx][i + j];
    }
    double total = 0;
    for (size_t j = 0; j < CHAINS; ++j)
        total += sum[j];
    args.c[row * args.n + column] = total;
}

/* The fast product in portable source. Tiles of a and b are copied into the order in which they are read, and sums of
 * ROWS x PACKS packs stay in registers. A block computes args.rows x args.columns of C, depth products at a time. Its
 * threads take register tiles in turns; on a CPU the one thread takes all. */
enum { ROWS = ACCEL_PACK_REGISTERS < 32 ? 4 : 8, PACKS = 2, COLUMNS = PACKS * ACCEL_PACK_DOUBLES };

/* c (rows of length n) gets or adds ROWS x COLUMNS products of `depth` columns of a and rows of b. */
ACCEL_FN void multiply_tile(const double *a, const double *b, size_t depth, double *c, size_t n, int first)
{
    accel_pack_double sum[ROWS][PACKS], row[PACKS];
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < PACKS; ++j)
            sum[i][j] = accel_pack_all(0.0);
    for (size_t k = 0; k < depth; ++k, a += ROWS, b += COLUMNS) {
        for (size_t j = 0; j < PACKS; ++j)
            row[j] = accel_pack_load(&b[j * ACCEL_PACK_DOUBLES]);
        for (size_t i = 0; i < ROWS; ++i)
            for (size_t j = 0; j < PACKS; ++j)
                sum[i][j] += a[i] * row[j];
    }
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < PACKS; ++j) {
            double *to = &c[i * n + j * ACCEL_PACK_DOUBLES];
            accel_pack_store(to, first ? sum[i][j] : accel_pack_load(to) + sum[i][j]);
        }
}

/* Dynamic shared memory: (rows + columns) * depth numbers. */
ACCEL_KERNEL(dgemm_packs, dgemm_packs_args, args)
{
    const size_t threads = accel_block_extent(acc).x, n = args.n, depth = args.depth;
    const size_t row = accel_block_index(acc).y * args.rows, column = accel_block_index(acc).x * args.columns;
    const size_t down = args.rows / ROWS, across = args.columns / COLUMNS;
    double *const a = (double *)accel_shared_dynamic(acc), *const b = a + args.rows * depth;

    for (size_t step = 0; step < n; step += depth) {
        ACCEL_THREADS_NOSYNC(acc, t)
            for (size_t p = t; p < down * (depth / LINE); p += threads) { /* ROWS rows, a line of each: transposed */
                const size_t panel = p / (depth / LINE), k = p % (depth / LINE) * LINE;
                const double *from = &args.a[(row + panel * ROWS) * n + step + k];
                double *to = &a[(panel * depth + k) * ROWS];
                for (size_t i = 0; i < ROWS; ++i)
                    for (size_t q = 0; q < LINE; ++q)
                        to[q * ROWS + i] = from[i * n + q];
            }
        ACCEL_THREADS(acc, t)
            for (size_t k = t; k < depth; k += threads)
                for (size_t panel = 0; panel < across; ++panel)
                    for (size_t j = 0; j < COLUMNS; j += ACCEL_PACK_DOUBLES)
                        accel_pack_store(&b[(panel * depth + k) * COLUMNS + j],
                                         accel_pack_load(&args.b[(step + k) * n + column + panel * COLUMNS + j]));
        ACCEL_THREADS(acc, t)
            for (size_t p = t; p < down * across; p += threads)
                multiply_tile(&a[p % down * depth * ROWS], &b[p / down * depth * COLUMNS], depth,
                              &args.c[(row + p % down * ROWS) * n + column + p / down * COLUMNS], n, step == 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix products. A block computes a tile of C. Every element of C is one chain of fused multiplications and additions, in
 * the order of the terms: so its bits depend neither on tiles nor on the device. CPUs without such an instruction round
 * each product first. The object for target check is for all CPUs and calls fma, as the results of others are compared with
 * what it gives.
 *
 * On CPUs parts of A and B are copied into shared memory in the order in which they are read; a few packs of C stay in
 * registers meanwhile. On GPUs a thread has 4 x 4 elements of C in registers.
 */
#include <accel/kernel.h>
#include <accel/kernel/rounding.h>
#include "kernels/gemm.h"

/* The first row and column of a tile of C, and how many there are. */
typedef struct gemm_tile {
    size_t row, column, rows, columns;
} gemm_tile;

ACCEL_FN size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

ACCEL_FN size_t parts_of(size_t extent, size_t part)
{
    return extent / part + (extent % part != 0);
}

/* Tiles that follow each other have the same columns, so what they need of B is in a cache. */
ACCEL_FN gemm_tile tile_at(const gemm_args args, size_t index)
{
    const size_t down = parts_of(args.rows, args.tile_rows);
    gemm_tile tile;
    tile.row = index % down * args.tile_rows;
    tile.column = index / down * args.tile_columns;
    tile.rows = least_of(args.tile_rows, args.rows - tile.row);
    tile.columns = least_of(args.tile_columns, args.columns - tile.column);
    return tile;
}

#if defined(ACCEL_KERNEL_CPU_H)

#include <accel/kernel/cpu/square.h>

/* Rows of C in registers, and packs of each. With packs of B and a number of A they take 28 of 32 registers, or 15 of 16;
 * without AVX each product needs a register, too. */
#if ACCEL_PACK_REGISTERS == 32
enum { ROWS = 8, PACKS = 3 };
#elif defined(__AVX__)
enum { ROWS = 6, PACKS = 2 };
#else
enum { ROWS = 4, PACKS = 2 };
#endif
/* Rows of the squares that are turned on the way there; bytes of a line of the caches. */
enum { SIDE = ACCEL_SQUARE_BYTES_ == 64 ? 8 : 4, LINE = 64 };

/* A function that is called, so that it keeps all sums in registers. gcc's scheduler has to count them: else it loads what
 * it has no register for. */
#if defined(__clang__)
#define GEMM_CALLED static __attribute__((noinline))
#else
#define GEMM_CALLED static __attribute__((noinline, optimize("sched-pressure")))
#endif

#if defined(ACCEL_TARGET_CHECK)
#define GEMM_ADD(sum, number, pack) accel_pack_fma(accel_pack_all(number), pack, sum)
#else
#define GEMM_ADD(sum, number, pack) ((sum) + (number) * (pack))
#endif

/* A square of SIDE x SIDE numbers: its rows become columns. In registers where vectors have a way to. */
#if ACCEL_SQUARE_BYTES_ != 0
#if ACCEL_SQUARE_BYTES_ == 64
#define GEMM_TURN(vector, rows) ACCEL_TRANSPOSE_8_(vector, rows)
#else
#define GEMM_TURN(vector, rows) ACCEL_TRANSPOSE_4_(vector, rows)
#endif
#define GEMM_SQUARE(T, word)                                                                                           \
    typedef T numbers_##T __attribute__((vector_size(SIDE * sizeof(T))));                                              \
    typedef word words_##T __attribute__((vector_size(SIDE * sizeof(T))));                                             \
    ACCEL_FN void put_square_##T(T *to, size_t width, const T *from, size_t pitch, T factor)                           \
    {                                                                                                                  \
        words_##T rows[SIDE];                                                                                          \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t i = 0; i < SIDE; i++) {                                                                            \
            numbers_##T row;                                                                                           \
            __builtin_memcpy(&row, &from[i * pitch], sizeof row);                                                      \
            rows[i] = (words_##T)(row * factor);                                                                       \
        }                                                                                                              \
        GEMM_TURN(words_##T, rows);                                                                                    \
        ACCEL_ALL_UNROLLED_                                                                                            \
        for (size_t i = 0; i < SIDE; i++)                                                                              \
            __builtin_memcpy(&to[i * width], &rows[i], sizeof rows[i]);                                                \
    }
#else
#define GEMM_SQUARE(T, word)                                                                                           \
    ACCEL_FN void put_square_##T(T *to, size_t width, const T *from, size_t pitch, T factor)                           \
    {                                                                                                                  \
        for (size_t i = 0; i < SIDE; i++)                                                                              \
            for (size_t k = 0; k < SIDE; k++)                                                                          \
                to[k * width + i] = factor * from[i * pitch + k];                                                      \
    }
#endif
GEMM_SQUARE(float, uint32_t)
GEMM_SQUARE(double, uint64_t)

/* Numbers for the registers, in panels of `width` rows (of A) or columns (of B): of each panel `depth` times as many
 * numbers. What is behind the last one is 0. In put_across those that lie side by side in memory do so in a panel. */
#define GEMM_PANELS(T, LANES)                                                                                          \
    ACCEL_FN void put_across_##T(T *to, const T *from, size_t pitch, size_t extent, size_t depth, size_t width,        \
                                 T factor)                                                                             \
    {                                                                                                                  \
        for (size_t k = 0; k < depth; k++, from += pitch, to += width) {                                               \
            size_t j = 0;                                                                                              \
            if (width % LANES == 0)                                                                                    \
                for (; j + width <= extent; j += width)                                                                \
                    for (size_t i = 0; i < width; i += LANES)                                                          \
                        accel_pack_store(&to[j * depth + i], accel_pack_load(&from[j + i]) * factor);                  \
            for (; j < extent; j += width)                                                                             \
                for (size_t i = 0; i < width; i++)                                                                     \
                    to[j * depth + i] = j + i < extent ? factor * from[j + i] : 0;                                     \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_FN void put_along_##T(T *to, const T *from, size_t pitch, size_t extent, size_t depth, size_t width,         \
                                T factor)                                                                              \
    {                                                                                                                  \
        const size_t line = LINE / sizeof(T);                                                                          \
        for (size_t j = 0; j < extent; j += width, from += width * pitch, to += width * depth) {                       \
            const size_t rows = least_of(width, extent - j), squares = rows == width ? depth / SIDE * SIDE : 0;        \
            for (size_t k = 0; k < squares; k += SIDE) {                                                               \
                for (size_t i = 0; i < width && k % line == 0; i++)                                                    \
                    __builtin_prefetch(&from[i * pitch + k + 3 * line]);                                               \
                for (size_t i = 0; i < width; i += SIDE) {                                                             \
                    const size_t first = least_of(i, width - SIDE); /* of 6 rows two are turned twice */               \
                    put_square_##T(&to[k * width + first], width, &from[first * pitch + k], pitch, factor);            \
                }                                                                                                      \
            }                                                                                                          \
            for (size_t i = 0; i < width; i++)                                                                         \
                for (size_t k = squares; k < depth; k++)                                                               \
                    to[k * width + i] = i < rows ? factor * from[i * pitch + k] : 0;                                   \
        }                                                                                                              \
    }

#define GEMM_KERNEL(T, LANES)                                                                                          \
    GEMM_PANELS(T, LANES)                                                                                              \
    enum { COLUMNS_##T = PACKS * LANES };                                                                              \
    /* ROWS x COLUMNS of C get `depth` products more; if `fresh`, they begin at 0 and not at what is there. */         \
    /* Product and sum become one instruction where there is one. `next` is fetched for the next call. */              \
    GEMM_CALLED void add_products_##T(const T *a, const T *b, size_t depth, T *c, size_t pitch, int fresh,             \
                                      const T *next)                                                                   \
    {                                                                                                                  \
        accel_pack_##T sum[ROWS][PACKS], row[PACKS];                                                                   \
        for (size_t i = 0; i < ROWS; i++)                                                                              \
            for (size_t j = 0; j < PACKS; j++)                                                                         \
                __builtin_prefetch(&next[i * pitch + j * LANES], 1);                                                   \
        ACCEL_UNROLL(8)                                                                                                \
        for (size_t i = 0; i < ROWS; i++)                                                                              \
            ACCEL_UNROLL(3) for (size_t j = 0; j < PACKS; j++) sum[i][j] = accel_pack_all((T)0);                       \
        if (!fresh) {                                                                                                  \
            ACCEL_UNROLL(8)                                                                                            \
            for (size_t i = 0; i < ROWS; i++) {                                                                        \
                ACCEL_UNROLL(3)                                                                                        \
                for (size_t j = 0; j < PACKS; j++)                                                                     \
                    sum[i][j] = accel_pack_load(&c[i * pitch + j * LANES]);                                            \
            }                                                                                                          \
        }                                                                                                              \
        ACCEL_UNROLL(2)                                                                                                \
        for (size_t k = 0; k < depth; k++, a += ROWS, b += COLUMNS_##T) {                                              \
            ACCEL_UNROLL(3) for (size_t j = 0; j < PACKS; j++) row[j] = accel_pack_load(&b[j * LANES]);                \
            ACCEL_UNROLL(8)                                                                                            \
            for (size_t i = 0; i < ROWS; i++)                                                                          \
                ACCEL_UNROLL(3) for (size_t j = 0; j < PACKS; j++) sum[i][j] = GEMM_ADD(sum[i][j], a[i], row[j]);      \
        }                                                                                                              \
        ACCEL_UNROLL(8)                                                                                                \
        for (size_t i = 0; i < ROWS; i++)                                                                              \
            ACCEL_UNROLL(3) for (size_t j = 0; j < PACKS; j++) accel_pack_store(&c[i * pitch + j * LANES], sum[i][j]); \
    }                                                                                                                  \
    ACCEL_FN void scale_##T(T *c, size_t pitch, size_t rows, size_t columns, T beta)                                   \
    {                                                                                                                  \
        for (size_t i = 0; i < rows && beta != 1; i++)                                                                 \
            for (size_t j = 0; j < columns; j++)                                                                       \
                c[i * pitch + j] = beta == 0 ? 0 : beta * c[i * pitch + j];                                            \
    }                                                                                                                  \
    /* At the lower and the right edge of C, where fewer rows and columns are left, by a copy. */                      \
    ACCEL_FN void move_edge_##T(T *to, size_t to_pitch, const T *from, size_t from_pitch, size_t rows, size_t columns) \
    {                                                                                                                  \
        for (size_t i = 0; i < rows; i++)                                                                              \
            for (size_t j = 0; j < columns; j++)                                                                       \
                to[i * to_pitch + j] = from[i * from_pitch + j];                                                       \
    }                                                                                                                  \
    ACCEL_FN void multiply_panels_##T(const T *a, const T *b, size_t depth, T *c, size_t pitch, size_t rows,           \
                                      size_t columns, int fresh)                                                       \
    {                                                                                                                  \
        T edge[ROWS * COLUMNS_##T];                                                                                    \
        for (size_t j = 0; j < columns; j += COLUMNS_##T)                                                              \
            for (size_t i = 0; i < rows; i += ROWS) {                                                                  \
                const size_t down = least_of(ROWS, rows - i), across = least_of(COLUMNS_##T, columns - j);             \
                const int whole = down == ROWS && across == COLUMNS_##T;                                               \
                T *const part = &c[i * pitch + j];                                                                     \
                if (!whole) {                                                                                          \
                    for (size_t k = 0; k < ROWS * COLUMNS_##T; k++)                                                    \
                        edge[k] = 0;                                                                                   \
                    if (!fresh)                                                                                        \
                        move_edge_##T(edge, COLUMNS_##T, part, pitch, down, across);                                   \
                }                                                                                                      \
                add_products_##T(&a[i * depth], &b[j * depth], depth, whole ? part : edge,                             \
                                 whole ? pitch : (size_t)COLUMNS_##T, fresh,                                           \
                                 i + ROWS < rows ? part + ROWS * pitch : &c[j + COLUMNS_##T]);                         \
                if (!whole)                                                                                            \
                    move_edge_##T(part, pitch, edge, COLUMNS_##T, down, across);                                       \
            }                                                                                                          \
    }                                                                                                                  \
    ACCEL_FN void put_a_##T(const gemm_args args, T *to, size_t row, size_t rows, size_t k, size_t depth)              \
    {                                                                                                                  \
        const T *const from = (const T *)args.a;                                                                       \
        if (args.a_transposed != 0)                                                                                    \
            put_across_##T(to, &from[k * args.a_pitch + row], args.a_pitch, rows, depth, ROWS, (T)args.alpha);         \
        else                                                                                                           \
            put_along_##T(to, &from[row * args.a_pitch + k], args.a_pitch, rows, depth, ROWS, (T)args.alpha);          \
    }                                                                                                                  \
    ACCEL_FN void put_b_##T(const gemm_args args, T *to, size_t column, size_t columns, size_t k, size_t depth)        \
    {                                                                                                                  \
        const T *const from = (const T *)args.b;                                                                       \
        if (args.b_transposed != 0)                                                                                    \
            put_along_##T(to, &from[column * args.b_pitch + k], args.b_pitch, columns, depth, COLUMNS_##T, 1);         \
        else                                                                                                           \
            put_across_##T(to, &from[k * args.b_pitch + column], args.b_pitch, columns, depth, COLUMNS_##T, 1);        \
    }                                                                                                                  \
    /* B is copied once for all rows of the tile, A for a few of them at a time. */                                    \
    ACCEL_FN void multiply_tile_##T(const gemm_args args, const gemm_tile tile, T *a, T *b)                            \
    {                                                                                                                  \
        T *const c = (T *)args.c + tile.row * args.c_pitch + tile.column;                                              \
        const int replaces = (T)args.beta == 0 && args.depth != 0;                                                     \
        if (!replaces)                                                                                                 \
            scale_##T(c, args.c_pitch, tile.rows, tile.columns, (T)args.beta);                                         \
        for (size_t k = 0; k < args.depth; k += args.part_depth) {                                                     \
            const size_t depth = least_of(args.part_depth, args.depth - k);                                            \
            const int fresh = k == 0 && replaces;                                                                      \
            put_b_##T(args, b, tile.column, tile.columns, k, depth);                                                   \
            for (size_t i = 0; i < tile.rows; i += args.part_rows) {                                                   \
                const size_t rows = least_of(args.part_rows, tile.rows - i);                                           \
                put_a_##T(args, a, tile.row + i, rows, k, depth);                                                      \
                multiply_panels_##T(a, b, depth, &c[i * args.c_pitch], args.c_pitch, rows, tile.columns, fresh);       \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_KERNEL_BLOCK(gemm_##T, gemm_args, args, GEMM_THREADS)                                                        \
    {                                                                                                                  \
        ACCEL_ONCE(acc) {                                                                                              \
            T *const a = (T *)accel_shared_dynamic(acc), *const b = a + args.part_rows * args.part_depth;              \
            const size_t tiles = parts_of(args.rows, args.tile_rows) * parts_of(args.columns, args.tile_columns);      \
            for (size_t k = accel_block_index(acc).x; k < tiles; k += accel_grid_extent(acc).x)                        \
                multiply_tile_##T(args, tile_at(args, k), a, b);                                                       \
        }                                                                                                              \
    }

GEMM_KERNEL(float, ACCEL_PACK_FLOATS)
GEMM_KERNEL(double, ACCEL_PACK_DOUBLES)

#else

/* The instruction itself: the functions of mathematics are not there for each GPU. */
ACCEL_FN float multiply_add(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
ACCEL_FN double multiply_add(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

enum { SIDE = GEMM_SIDE, STEP = GEMM_STEP, PART = 4, ACROSS = GEMM_SIDE / PART };

/* Thread t has the elements of the tile whose rows are t / ACROSS plus multiples of ACROSS, and whose columns are t % ACROSS
 * plus such. In shared memory terms are rows, one longer than what they hold, so that columns of it lie in all banks. */
#define GEMM_KERNEL(T)                                                                                                 \
    typedef struct gemm_sums_##T {                                                                                     \
        T of[PART][PART];                                                                                              \
    } gemm_sums_##T;                                                                                                   \
    /* STEP terms of SIDE rows of A or columns of B, which are `pitch` apart. */                                       \
    ACCEL_FN void fetch_##T(T(*to)[SIDE + 1], size_t t, const T *from, size_t pitch, size_t extent, size_t depth,      \
                            int across, T factor)                                                                      \
    {                                                                                                                  \
        for (size_t e = t; e < SIDE * STEP; e += GEMM_THREADS) {                                                       \
            const size_t i = across ? e % SIDE : e / STEP, k = across ? e / SIDE : e % STEP;                           \
            if (i < extent && k < depth)                                                                               \
                to[k][i] = factor * from[across ? k * pitch + i : i * pitch + k];                                      \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_FN void add_products_##T(gemm_sums_##T *sums, T(*a)[SIDE + 1], T(*b)[SIDE + 1], size_t depth, size_t ty,     \
                                   size_t tx)                                                                          \
    {                                                                                                                  \
        for (size_t k = 0; k < depth; k++) {                                                                           \
            T column[PART], row[PART];                                                                                 \
            ACCEL_UNROLL(4) for (size_t i = 0; i < PART; i++)                                                          \
            {                                                                                                          \
                column[i] = a[k][ty + i * ACROSS];                                                                     \
                row[i] = b[k][tx + i * ACROSS];                                                                        \
            }                                                                                                          \
            ACCEL_UNROLL(4) for (size_t i = 0; i < PART; i++)                                                          \
            {                                                                                                          \
                ACCEL_UNROLL(4)                                                                                        \
                for (size_t j = 0; j < PART; j++)                                                                      \
                    sums->of[i][j] = multiply_add(column[i], row[j], sums->of[i][j]);                                  \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_KERNEL_BLOCK(gemm_##T, gemm_args, args, GEMM_THREADS)                                                        \
    {                                                                                                                  \
        ACCEL_SHARED(acc, T, a[STEP][SIDE + 1]);                                                                       \
        ACCEL_SHARED(acc, T, b[STEP][SIDE + 1]);                                                                       \
        ACCEL_PRIVATE(acc, gemm_sums_##T, sums);                                                                       \
        const T alpha = (T)args.alpha, beta = (T)args.beta;                                                            \
        const size_t tiles = parts_of(args.rows, SIDE) * parts_of(args.columns, SIDE);                                 \
        for (size_t index = accel_block_index(acc).x; index < tiles; index += accel_grid_extent(acc).x) {              \
            const gemm_tile tile = tile_at(args, index);                                                               \
            const T *const from_a = (const T *)args.a + tile.row * (args.a_transposed != 0 ? 1 : args.a_pitch);        \
            const T *const from_b = (const T *)args.b + tile.column * (args.b_transposed != 0 ? args.b_pitch : 1);     \
            T *const c = (T *)args.c + tile.row * args.c_pitch + tile.column;                                          \
            ACCEL_THREADS_NOSYNC(acc, t) {                                                                             \
                const size_t ty = t / ACROSS, tx = t % ACROSS;                                                         \
                ACCEL_UNROLL(4) for (size_t i = 0; i < PART; i++)                                                      \
                {                                                                                                      \
                    ACCEL_UNROLL(4) for (size_t j = 0; j < PART; j++)                                                  \
                    {                                                                                                  \
                        const size_t row = ty + i * ACROSS, column = tx + j * ACROSS;                                  \
                        ACCEL_MY(sums, t).of[i][j] = beta != 0 && row < tile.rows && column < tile.columns             \
                                                         ? beta * c[row * args.c_pitch + column]                       \
                                                         : 0;                                                          \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            for (size_t k = 0; k < args.depth; k += STEP) {                                                            \
                const size_t depth = least_of(STEP, args.depth - k);                                                   \
                ACCEL_THREADS(acc, t) {                                                                                \
                    fetch_##T(a, t, from_a + k * (args.a_transposed != 0 ? args.a_pitch : 1), args.a_pitch, tile.rows, \
                              depth, args.a_transposed != 0, alpha);                                                   \
                    fetch_##T(b, t, from_b + k * (args.b_transposed != 0 ? 1 : args.b_pitch), args.b_pitch,            \
                              tile.columns, depth, args.b_transposed == 0, 1);                                         \
                }                                                                                                      \
                ACCEL_THREADS(acc, t) {                                                                                \
                    if (depth == STEP)                                                                                 \
                        add_products_##T(&ACCEL_MY(sums, t), a, b, STEP, t / ACROSS, t % ACROSS);                      \
                    else                                                                                               \
                        add_products_##T(&ACCEL_MY(sums, t), a, b, depth, t / ACROSS, t % ACROSS);                     \
                }                                                                                                      \
            }                                                                                                          \
            ACCEL_THREADS(acc, t) {                                                                                    \
                const size_t ty = t / ACROSS, tx = t % ACROSS;                                                         \
                ACCEL_UNROLL(4) for (size_t i = 0; i < PART; i++)                                                      \
                {                                                                                                      \
                    ACCEL_UNROLL(4) for (size_t j = 0; j < PART; j++)                                                  \
                    {                                                                                                  \
                        const size_t row = ty + i * ACROSS, column = tx + j * ACROSS;                                  \
                        if (row < tile.rows && column < tile.columns)                                                  \
                            c[row * args.c_pitch + column] = ACCEL_MY(sums, t).of[i][j];                               \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

GEMM_KERNEL(float)
GEMM_KERNEL(double)

#endif

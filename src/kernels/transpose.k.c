/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transposed matrix, tile by tile. On CPUs a tile is divided into squares whose rows are one cache line in both matrices.
 * A square's lines are all read, then all written, each once. So it does not matter that rows whose pitch is a power of 2
 * meet in the same few places of a cache. On GPUs a tile goes through shared memory, whose rows are longer by one element,
 * so that a column of it lies in all banks.
 */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "kernels/transpose.h"

/* The first row and column of a tile, and those behind its last. */
typedef struct transpose_tile {
    size_t row, column, end_row, end_column;
} transpose_tile;

ACCEL_FN size_t tiles_of(size_t extent, size_t side)
{
    return extent / side + (extent % side != 0);
}

ACCEL_FN transpose_tile tile_at(const transpose_args args, size_t index)
{
    const size_t across = tiles_of(args.columns, args.side);
    transpose_tile tile;
    tile.row = index / across * args.side;
    tile.column = index % across * args.side;
    tile.end_row = args.rows - tile.row < args.side ? args.rows : tile.row + args.side;
    tile.end_column = args.columns - tile.column < args.side ? args.columns : tile.column + args.side;
    return tile;
}

#if defined(ACCEL_KERNEL_CPU_H)

/* Vectors have one lane of 16 bytes, or two where one instruction unpacks the halves of both. Small elements have so many
 * rows in a lane that registers do not hold two. Where registers hold a whole square, a vector is a line. Then each line is
 * read once, also if the first level keeps fewer lines of rows a power of 2 apart than a square has. */
#if defined(__AVX2__)
#define LANES 2
#else
#define LANES 1
#endif
#define LANES_8 1
#define LANES_16 1
#if ACCEL_SQUARE_BYTES_ == 64
#define LANES_32 4
#define LANES_64 4
#else
#define LANES_32 LANES
#define LANES_64 LANES
#endif
#define LANES_128 LANES

enum {
    LINE = 64,
    LANE = 16,
    SECOND_LEVEL = 2, /* of the caches, for __builtin_prefetch */
    AHEAD = 8         /* squares, past the caches: a core alone reads so many rows at a time too slowly */
};

/* Squares that are taken together past the caches: what they write lies side by side. One of small elements has as many rows
 * as the second level keeps lines of, where their pitch is a power of 2. */
#define GROUP_8 1
#define GROUP_16 1
#if ACCEL_SQUARE_BYTES_ == 64
#define GROUP_32 2
#define GROUP_64 8
#else
#define GROUP_32 4
#define GROUP_64 4
#endif
#define GROUP_128 4

#define VECTOR_OF(name, T, lanes) typedef T name __attribute__((vector_size(16 * (lanes))));
VECTOR_OF(bytes_8, uint8_t, LANES_8)
VECTOR_OF(bytes_16, uint16_t, LANES_16)
VECTOR_OF(bytes_32, uint32_t, LANES_32)
VECTOR_OF(bytes_64, uint64_t, LANES_64)
VECTOR_OF(bytes_128, uint64_t, LANES_128)

/* Elements of the lower halves of each lane of a and b in turns, and of the upper ones. */
#define LOW_8(a, b) ACCEL_SHUFFLED_(bytes_8, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_8(a, b) ACCEL_SHUFFLED_(bytes_8, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_16(a, b) ACCEL_SHUFFLED_(bytes_16, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_16(a, b) ACCEL_SHUFFLED_(bytes_16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#if LANES == 2
#define LOW_32(a, b) ACCEL_SHUFFLED_(bytes_32, a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_32(a, b) ACCEL_SHUFFLED_(bytes_32, a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_64(a, b) ACCEL_SHUFFLED_(bytes_64, a, b, 0, 4, 2, 6)
#define HIGH_64(a, b) ACCEL_SHUFFLED_(bytes_64, a, b, 1, 5, 3, 7)
#else
#define LOW_32(a, b) ACCEL_SHUFFLED_(bytes_32, a, b, 0, 4, 1, 5)
#define HIGH_32(a, b) ACCEL_SHUFFLED_(bytes_32, a, b, 2, 6, 3, 7)
#define LOW_64(a, b) ACCEL_SHUFFLED_(bytes_64, a, b, 0, 2)
#define HIGH_64(a, b) ACCEL_SHUFFLED_(bytes_64, a, b, 1, 3)
#endif
/* Elements of 16 bytes are lanes of their own. */
#define LOW_128(a, b) (a)
#define HIGH_128(a, b) (b)

/* Where an element is read, and where it is written. */
ACCEL_FN const unsigned char *source(const transpose_args args, size_t i, size_t j, size_t size)
{
    return args.from + i * args.from_pitch + j * size;
}

ACCEL_FN unsigned char *target(const transpose_args args, size_t i, size_t j, size_t size)
{
    return args.to + j * args.to_pitch + i * size;
}

/* Rows of a lane become columns by taking turns with the ones half a square further, as often as their number can be halved.
 * Then lanes change places. */
#define LANES_ARE_TURNED(bits, unrolled)                                                                               \
    ACCEL_FN void turn_lanes_##bits(bytes_##bits *rows)                                                                \
    {                                                                                                                  \
        const size_t side = LANE * 8 / bits;                                                                           \
        unrolled for (size_t width = side; width > 1; width /= 2)                                                      \
        {                                                                                                              \
            bytes_##bits turned[LANE * 8 / bits];                                                                      \
            unrolled for (size_t k = 0; 2 * k + 1 < side; k++)                                                         \
            {                                                                                                          \
                turned[2 * k] = LOW_##bits(rows[k], rows[k + side / 2]);                                               \
                turned[2 * k + 1] = HIGH_##bits(rows[k], rows[k + side / 2]);                                          \
            }                                                                                                          \
            unrolled for (size_t k = 0; k < side; k++) rows[k] = turned[k];                                            \
        }                                                                                                              \
    }
#define TURN_LANE(bits, rows) turn_lanes_##bits(rows)
#if LANES == 2
#define CHANGE_LANES(a, b)                                                                                             \
    do {                                                                                                               \
        const bytes_128 above = (bytes_128)(a), below = (bytes_128)(b);                                                \
        (a) = (__typeof__(a))ACCEL_SHUFFLED_(bytes_128, above, below, 0, 1, 4, 5);                                     \
        (b) = (__typeof__(a))ACCEL_SHUFFLED_(bytes_128, above, below, 2, 3, 6, 7);                                     \
    } while (0)
#define TURN_LANES(bits, rows)                                                                                         \
    do {                                                                                                               \
        turn_lanes_##bits(rows);                                                                                       \
        turn_lanes_##bits(rows + LANE * 8 / bits);                                                                     \
        ACCEL_ALL_UNROLLED_ for (size_t k = 0; k < LANE * 8 / bits; k++)                                               \
            CHANGE_LANES(rows[k], rows[LANE * 8 / bits + k]);                                                          \
    } while (0)
#else
#define TURN_LANES TURN_LANE
#endif

LANES_ARE_TURNED(8, )
LANES_ARE_TURNED(16, )
LANES_ARE_TURNED(128, ACCEL_ALL_UNROLLED_)
#if LANES_32 == LANES
LANES_ARE_TURNED(32, ACCEL_ALL_UNROLLED_)
LANES_ARE_TURNED(64, ACCEL_ALL_UNROLLED_)
#define TURN_32 TURN_LANES
#define TURN_64 TURN_LANES
#else
#define TURN_32(bits, rows) ACCEL_TRANSPOSE_16_(bytes_32, rows)
#define TURN_64(bits, rows) ACCEL_TRANSPOSE_8_(bytes_64, rows)
#endif

#define IN_CACHES(to, from, bytes) __builtin_memcpy(to, from, bytes)
#define PAST_CACHES(to, from, bytes) accel_cpu_stream(__builtin_assume_aligned(to, bytes), from, bytes)

/* A square of lines: a square of vectors for each vector of a line, and as many beside each other. Where all loops are
 * unrolled, rows stay in registers. from_pitch and to_pitch are variables around it. */
#define SQUARE_IS_WRITTEN(bits, unrolled, turn, from, to, write)                                                       \
    for (size_t across = 0; across < LINE / sizeof(bytes_##bits); across++) {                                          \
        const size_t side = sizeof(bytes_##bits) * 8 / bits;                                                           \
        bytes_##bits rows[LINE / sizeof(bytes_##bits)][sizeof(bytes_##bits) * 8 / bits];                               \
        const unsigned char *row = (from) + across * sizeof(bytes_##bits);                                             \
        unsigned char *line = (to) + across * side * to_pitch;                                                         \
        unrolled for (size_t down = 0; down < LINE / sizeof(bytes_##bits); down++)                                     \
        {                                                                                                              \
            unrolled for (size_t k = 0; k < side; k++)                                                                 \
            {                                                                                                          \
                __builtin_memcpy(&rows[down][k], row, sizeof(bytes_##bits));                                           \
                row += from_pitch;                                                                                     \
            }                                                                                                          \
            turn(bits, rows[down]);                                                                                    \
        }                                                                                                              \
        unrolled for (size_t k = 0; k < side; k++)                                                                     \
        {                                                                                                              \
            unrolled for (size_t down = 0; down < LINE / sizeof(bytes_##bits); down++)                                 \
                write(line + down * sizeof(bytes_##bits), &rows[down][k], sizeof(bytes_##bits));                       \
            line += to_pitch;                                                                                          \
        }                                                                                                              \
    }

/* Elements of one word: squares of lines, and at the edges of a matrix, where squares are not whole, elements. What goes past the
 * caches has a function of its own, where registers hold all addresses: on the stack they took a sixth of the time. */
#define TRANSPOSE_WORDS(bits, unrolled, fetched, turn)                                                                 \
    ACCEL_FN void squares_of_##bits(const transpose_args args, const transpose_tile tile)                              \
    {                                                                                                                  \
        const size_t each = LINE * 8 / bits, from_pitch = args.from_pitch, to_pitch = args.to_pitch;                   \
        for (size_t i = tile.row; i < tile.end_row; i += each)                                                         \
            for (size_t j = tile.column; j < tile.end_column; j += each)                                               \
                SQUARE_IS_WRITTEN(bits, unrolled, turn, source(args, i, j, bits / 8), target(args, i, j, bits / 8),    \
                                  IN_CACHES)                                                                           \
    }                                                                                                                  \
    static __attribute__((noinline)) void past_caches_##bits(const transpose_args args, const transpose_tile tile)     \
    {                                                                                                                  \
        const size_t each = LINE * 8 / bits, from_pitch = args.from_pitch, to_pitch = args.to_pitch;                   \
        const size_t group = GROUP_##bits * each, columns = tile.end_column - tile.column;                             \
        for (size_t i = tile.row; i < tile.end_row; i += group)                                                        \
            for (size_t j = 0; j < columns; j += each) {                                                               \
                const size_t end = tile.end_row - i < group ? tile.end_row : i + group, here = (size_t)AHEAD * LINE;   \
                const size_t ahead =                                                                                   \
                    j + AHEAD * each < columns ? here : group * from_pitch + here - columns / each * LINE;             \
                const unsigned char *from = source(args, i, tile.column + j, bits / 8);                                \
                unsigned char *to = target(args, i, tile.column + j, bits / 8);                                        \
                for (size_t r = i; r < end; r += each, from += each * from_pitch, to += LINE) {                        \
                    const unsigned char *next = from + ahead;                                                          \
                    fetched for (size_t k = 0; k < each; k++, next += from_pitch)                                      \
                        __builtin_prefetch(next, 0, SECOND_LEVEL);                                                     \
                    SQUARE_IS_WRITTEN(bits, unrolled, turn, from, to, PAST_CACHES)                                     \
                }                                                                                                      \
            }                                                                                                          \
    }                                                                                                                  \
    ACCEL_FN void elements_##bits(const transpose_args args, size_t row, size_t end_row, size_t column,                \
                                  size_t end_column)                                                                   \
    {                                                                                                                  \
        for (size_t j = column; j < end_column; j++)                                                                   \
            for (size_t i = row; i < end_row; i++)                                                                     \
                __builtin_memcpy(target(args, i, j, bits / 8), source(args, i, j, bits / 8), bits / 8);                \
    }                                                                                                                  \
    ACCEL_FN void tile_of_##bits(const transpose_args args, const transpose_tile tile)                                 \
    {                                                                                                                  \
        const size_t each = LINE * 8 / bits;                                                                           \
        transpose_tile whole = tile;                                                                                   \
        whole.end_row -= (tile.end_row - tile.row) % each;                                                             \
        whole.end_column -= (tile.end_column - tile.column) % each;                                                    \
        if (args.past_caches != 0)                                                                                     \
            past_caches_##bits(args, whole);                                                                           \
        else                                                                                                           \
            squares_of_##bits(args, whole);                                                                            \
        elements_##bits(args, tile.row, whole.end_row, whole.end_column, tile.end_column);                             \
        elements_##bits(args, whole.end_row, tile.end_row, tile.column, tile.end_column);                              \
    }

/* Lines are asked for in a loop: unrolled, it is faster with AVX-512, and slower by a sixth with AVX2. */
#if ACCEL_SQUARE_BYTES_ == 64
#define FETCHED ACCEL_ALL_UNROLLED_
#else
#define FETCHED ACCEL_NOT_UNROLLED_
#endif

TRANSPOSE_WORDS(8, , , TURN_LANE)
TRANSPOSE_WORDS(16, , , TURN_LANE)
TRANSPOSE_WORDS(32, ACCEL_ALL_UNROLLED_, FETCHED, TURN_32)
TRANSPOSE_WORDS(64, ACCEL_ALL_UNROLLED_, FETCHED, TURN_64)
TRANSPOSE_WORDS(128, ACCEL_ALL_UNROLLED_, FETCHED, TURN_LANES)

#define TRANSPOSE_UNITS(T)                                                                                             \
    for (size_t u = 0; u < args.units; u++)                                                                            \
        ((T *)(void *)to)[u] = ((const T *)(const void *)from)[u];                                                     \
    break

/* Elements of any other size. */
ACCEL_FN void tile_of_units(const transpose_args args, const transpose_tile tile)
{
    const size_t size = args.unit * args.units, side = 8;
    for (size_t i = tile.row; i < tile.end_row; i += side)
        for (size_t j = tile.column; j < tile.end_column; j++)
            for (size_t r = i; r < i + side && r < tile.end_row; r++) {
                const unsigned char *const from = source(args, r, j, size);
                unsigned char *const to = target(args, r, j, size);
                switch (args.unit) {
                case 8:
                    TRANSPOSE_UNITS(uint64_t);
                case 4:
                    TRANSPOSE_UNITS(uint32_t);
                case 2:
                    TRANSPOSE_UNITS(uint16_t);
                default:
                    TRANSPOSE_UNITS(uint8_t);
                }
            }
}

ACCEL_FN void transpose_tile_of(const transpose_args args, const transpose_tile tile)
{
    if (args.units == 2 && args.unit == 8)
        tile_of_128(args, tile);
    else if (args.units != 1)
        tile_of_units(args, tile);
    else if (args.unit == 8)
        tile_of_64(args, tile);
    else if (args.unit == 4)
        tile_of_32(args, tile);
    else if (args.unit == 2)
        tile_of_16(args, tile);
    else
        tile_of_8(args, tile);
}

ACCEL_KERNEL_BLOCK(transpose, transpose_args, args, TRANSPOSE_THREADS)
{
    ACCEL_ONCE(acc) {
        const size_t tiles = tiles_of(args.rows, args.side) * tiles_of(args.columns, args.side);
        for (size_t k = accel_block_index(acc).x; k < tiles; k += accel_grid_extent(acc).x)
            transpose_tile_of(args, tile_at(args, k));
        if (args.past_caches != 0)
            accel_cpu_streamed();
    }
}

#else

ACCEL_FN uint64_t unit_at(const unsigned char *from, uint32_t unit)
{
    switch (unit) {
    case 8:
        return *(const uint64_t *)(const void *)from;
    case 4:
        return *(const uint32_t *)(const void *)from;
    case 2:
        return *(const uint16_t *)(const void *)from;
    default:
        return *from;
    }
}

ACCEL_FN void put_unit(unsigned char *to, uint32_t unit, uint64_t value)
{
    switch (unit) {
    case 8:
        *(uint64_t *)(void *)to = value;
        break;
    case 4:
        *(uint32_t *)(void *)to = (uint32_t)value;
        break;
    case 2:
        *(uint16_t *)(void *)to = (uint16_t)value;
        break;
    default:
        *to = (unsigned char)value;
    }
}

/* Elements of several units take the way once for each. */
ACCEL_KERNEL_BLOCK(transpose, transpose_args, args, TRANSPOSE_THREADS)
{
    ACCEL_SHARED(acc, uint64_t, units[TRANSPOSE_SIDE][TRANSPOSE_SIDE + 1]);
    const size_t tiles = tiles_of(args.rows, args.side) * tiles_of(args.columns, args.side);
    const size_t size = args.unit * args.units, step = TRANSPOSE_THREADS / TRANSPOSE_SIDE;
    for (size_t k = accel_block_index(acc).x; k < tiles; k += accel_grid_extent(acc).x) {
        const transpose_tile tile = tile_at(args, k);
        for (size_t at = 0; at < size; at += args.unit) {
            ACCEL_THREADS(acc, t) {
                const size_t c = t % TRANSPOSE_SIDE;
                if (tile.column + c < tile.end_column)
                    for (size_t r = t / TRANSPOSE_SIDE; tile.row + r < tile.end_row; r += step)
                        units[r][c] = unit_at(
                            args.from + (tile.row + r) * args.from_pitch + (tile.column + c) * size + at, args.unit);
            }
            ACCEL_THREADS(acc, t) {
                const size_t r = t % TRANSPOSE_SIDE;
                if (tile.row + r < tile.end_row)
                    for (size_t c = t / TRANSPOSE_SIDE; tile.column + c < tile.end_column; c += step)
                        put_unit(args.to + (tile.column + c) * args.to_pitch + (tile.row + r) * size + at, args.unit,
                                 units[r][c]);
            }
        }
    }
}

#endif

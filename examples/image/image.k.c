/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "image.h"

/* How bright a colour is: 0.299 red, 0.587 green, 0.114 blue. */
ACCEL_KERNEL(grey, image_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.rows * args.columns) {
        const uint32_t red = args.colours[3 * i], green = args.colours[3 * i + 1], blue = args.colours[3 * i + 2];
        args.grey[i] = (uint8_t)((77 * red + 150 * green + 29 * blue + 128) / 256);
    }
}

/* How often each level occurs. A block counts in its shared memory, and adds its counts to those of all at its end. */
ACCEL_KERNEL(histogram, image_args, args)
{
    ACCEL_SHARED(acc, uint32_t, counts[LEVELS]);
    const size_t threads = accel_block_extent(acc).x;
    ACCEL_THREADS(acc, t)
        for (size_t level = t; level < LEVELS; level += threads)
            counts[level] = 0;
    ACCEL_FOR_EACH_THREAD(acc, t, i, args.rows * args.columns)
        accel_atomic_add_block(acc, &counts[args.grey[i]], 1);
    ACCEL_THREADS(acc, t)
        for (size_t level = t; level < LEVELS; level += threads)
            if (counts[level] != 0)
                accel_atomic_add(acc, &args.counts[level], counts[level]);
}

/* at - radius, as far as that is in the picture: outside, pixels are those of the edge. */
ACCEL_FN size_t inside(size_t at, size_t radius, size_t extent)
{
    return at < radius ? 0 : at - radius < extent ? at - radius : extent - 1;
}

/* A block copies its tile with a margin of `radius` pixels into shared memory. Then it takes the mean along rows, and that
 * along columns. So each pixel is read from memory once for its tile, and used 2 * (2 * radius + 1) times. */
ACCEL_KERNEL_BLOCK(blur, image_args, args, TILE_ROWS, TILE_COLUMNS)
{
    ACCEL_SHARED(acc, uint32_t, tile[TILE_ROWS + 2 * RADIUS_MOST][TILE_COLUMNS + 2 * RADIUS_MOST]);
    ACCEL_SHARED(acc, uint32_t, along[TILE_ROWS + 2 * RADIUS_MOST][TILE_COLUMNS]);
    const size_t row = accel_block_index(acc).y * TILE_ROWS, column = accel_block_index(acc).x * TILE_COLUMNS;
    const size_t rows = args.rows, columns = args.columns, radius = args.radius;

    ACCEL_THREADS_2D(acc, i, j) {
        for (size_t y = i; y < TILE_ROWS + 2 * radius; y += TILE_ROWS)
            for (size_t x = j; x < TILE_COLUMNS + 2 * radius; x += TILE_COLUMNS)
                tile[y][x] = args.grey[inside(row + y, radius, rows) * columns + inside(column + x, radius, columns)];
    }
    ACCEL_THREADS_2D(acc, i, j) {
        for (size_t y = i; y < TILE_ROWS + 2 * radius; y += TILE_ROWS) {
            uint32_t sum = args.weights[0] * tile[y][j + radius];
            for (size_t k = 1; k <= radius; ++k)
                sum += args.weights[k] * (tile[y][j + radius - k] + tile[y][j + radius + k]);
            along[y][j] = (sum + 128) / 256; /* 8 bits before the point, and 8 behind it */
        }
    }
    ACCEL_THREADS_2D(acc, i, j) {
        if (row + i < rows && column + j < columns) {
            uint32_t sum = args.weights[0] * along[i + radius][j];
            for (size_t k = 1; k <= radius; ++k)
                sum += args.weights[k] * (along[i + radius - k][j] + along[i + radius + k][j]);
            args.blurred[(row + i) * columns + column + j] = (uint8_t)((sum + (1u << 23)) >> 24);
        }
    }
}

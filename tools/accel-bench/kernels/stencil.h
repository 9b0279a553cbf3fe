/* SPDX-License-Identifier: Apache-2.0 */
/* A stencil of five points in tiles, each of which is one element of a launch: what codes with tiles of their own do. Shared by
 * kernel, host and native way. Values are small whole numbers, so results are exact. */
#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include <stddef.h>

/* The grid has a border of one point around its STENCIL_ROWS x STENCIL_COLUMNS tiles. */
#define STENCIL_EDGE 32 /* points of a tile */
#define STENCIL_ROWS 16
#define STENCIL_COLUMNS 32
#define STENCIL_TILES (STENCIL_ROWS * STENCIL_COLUMNS)
#define STENCIL_PITCH (STENCIL_COLUMNS * STENCIL_EDGE + 2)
#define STENCIL_POINTS ((STENCIL_ROWS * STENCIL_EDGE + 2) * STENCIL_PITCH)

typedef struct stencil_args {
    const double *from;
    double *to;
} stencil_args;

/* In kernels, for which accel/kernel.h comes first, and on the host. */
#if !defined(ACCEL_FN)
#define ACCEL_FN static inline
#endif

ACCEL_FN double stencil_start(size_t point)
{
    return (double)(point * 7919 % 1009);
}

/* Of points that are in no row of the border: does a tile have it? */
ACCEL_FN int stencil_is_inside(size_t point)
{
    return point % STENCIL_PITCH != 0 && point % STENCIL_PITCH != STENCIL_PITCH - 1;
}

ACCEL_FN double stencil_point(const double *at)
{
    return at[-STENCIL_PITCH] + at[-1] + at[1] + at[STENCIL_PITCH] - 4 * at[0];
}

ACCEL_FN void stencil_tile(size_t tile, const double *__restrict__ from, double *__restrict__ to)
{
    const size_t begin =
        (tile / STENCIL_COLUMNS * STENCIL_EDGE + 1) * STENCIL_PITCH + tile % STENCIL_COLUMNS * STENCIL_EDGE + 1;
    for (size_t row = 0; row < STENCIL_EDGE; ++row)
        for (size_t i = 0; i < STENCIL_EDGE; ++i)
            to[begin + row * STENCIL_PITCH + i] = stencil_point(from + begin + row * STENCIL_PITCH + i);
}

#endif

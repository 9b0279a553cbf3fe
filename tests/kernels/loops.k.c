/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over two and three dimensions: every element's count is 1 after, for every work division. */
#include <accel/kernel.h>
#include "loops.h"

/* ni * nj elements. */
ACCEL_KERNEL(loop_2d, loops_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] += 1;
}

/* The same in a thread kernel. */
ACCEL_THREAD_KERNEL(loop_2d_threads, loops_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] += 1;
}

/* ni * nj * nk elements. */
ACCEL_KERNEL(loop_3d, loops_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] += 1;
}

/* The same in a thread kernel without barriers. */
ACCEL_THREAD_KERNEL_NOSYNC(loop_3d_threads, loops_args, args)
{
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] += 1;
}

/* ni elements, those with odd index: the others are left by `continue`. Counts are 0, 1, 0, 1, ... */
ACCEL_KERNEL(loop_continue, loops_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.ni) {
        if (i % 2 == 0)
            continue;
        args.count[i] += 1;
    }
}

/* Which block runs, and in a thread kernel which of its threads: 1 and up. */
ACCEL_FN uint32_t block_mark(accel_block_handle acc)
{
    const accel_index block = accel_block_index(acc);
    const accel_index grid = accel_grid_extent(acc);
    return 1 + (uint32_t)((block.z * grid.y + block.y) * grid.x + block.x);
}
ACCEL_FN uint32_t thread_mark(accel_thread_handle acc)
{
    const accel_index at = accel_global_index(acc);
    const accel_index grid = accel_grid_extent(acc);
    const accel_index block = accel_block_extent(acc);
    return 1 + (uint32_t)((at.z * grid.y * block.y + at.y) * grid.x * block.x + at.x);
}

/* Two loops of equal bounds. The second finds at each index the mark that its own thread left; then the count is 1. */
ACCEL_KERNEL(twice_1d, loops_args, args)
{
    const uint32_t own = block_mark(acc);
    ACCEL_FOR_EACH(acc, i, args.ni * args.nj * args.nk)
        args.count[i] = own;
    ACCEL_FOR_EACH(acc, i, args.ni * args.nj * args.nk)
        args.count[i] = args.count[i] == own ? 1 : 2;
}
ACCEL_KERNEL(twice_2d, loops_args, args)
{
    const uint32_t own = block_mark(acc);
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] = own;
    ACCEL_FOR_EACH_2D(acc, i, j, args.ni, args.nj)
        args.count[i * args.nj + j] = args.count[i * args.nj + j] == own ? 1 : 2;
}
ACCEL_KERNEL(twice_3d, loops_args, args)
{
    const uint32_t own = block_mark(acc);
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] = own;
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] = args.count[(i * args.nj + j) * args.nk + k] == own ? 1 : 2;
}
ACCEL_THREAD_KERNEL_NOSYNC(twice_1d_threads, loops_args, args)
{
    const uint32_t own = thread_mark(acc);
    ACCEL_FOR_EACH(acc, i, args.ni * args.nj * args.nk)
        args.count[i] = own;
    ACCEL_FOR_EACH(acc, i, args.ni * args.nj * args.nk)
        args.count[i] = args.count[i] == own ? 1 : 2;
}
ACCEL_THREAD_KERNEL_NOSYNC(twice_3d_threads, loops_args, args)
{
    const uint32_t own = thread_mark(acc);
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] = own;
    ACCEL_FOR_EACH_3D(acc, i, j, k, args.ni, args.nj, args.nk)
        args.count[(i * args.nj + j) * args.nk + k] = args.count[(i * args.nj + j) * args.nk + k] == own ? 1 : 2;
}

ACCEL_FN void visit(accel_block_handle acc, const tiles_args *args, size_t i, size_t j, size_t k)
{
    const size_t at = (i * args->extent[1] + j) * args->extent[2] + k;
    args->visit[at] = accel_atomic_add(acc, args->visited, 1u);
    args->count[at] += 1;
}

/* Tiles of three dimensions in every order; of two dimensions extent[1] * extent[2]. */
#define TILES(order)                                                                                                   \
    ACCEL_FOR_EACH_3D_TILED(acc, order, i, j, k, args.extent[0], args.extent[1], args.extent[2], args.tile[0],         \
                            args.tile[1], args.tile[2])
#define FLAT_TILES(order)                                                                                              \
    ACCEL_FOR_EACH_2D_TILED(acc, order, j, k, args.extent[1], args.extent[2], args.tile[1], args.tile[2])

ACCEL_KERNEL(tiles_right, tiles_args, args)
{
    TILES(RIGHT)
    visit(acc, &args, i, j, k);
}
ACCEL_KERNEL(tiles_left, tiles_args, args)
{
    TILES(LEFT)
    visit(acc, &args, i, j, k);
}
ACCEL_KERNEL(tiles_right_left, tiles_args, args)
{
    TILES(RIGHT_LEFT)
    visit(acc, &args, i, j, k);
}
ACCEL_KERNEL(tiles_left_right, tiles_args, args)
{
    TILES(LEFT_RIGHT)
    visit(acc, &args, i, j, k);
}
ACCEL_KERNEL(flat_tiles_right, tiles_args, args)
{
    FLAT_TILES(RIGHT)
    visit(acc, &args, 0, j, k);
}
ACCEL_KERNEL(flat_tiles_left, tiles_args, args)
{
    FLAT_TILES(LEFT)
    visit(acc, &args, 0, j, k);
}
ACCEL_KERNEL(flat_tiles_right_left, tiles_args, args)
{
    FLAT_TILES(RIGHT_LEFT)
    visit(acc, &args, 0, j, k);
}
ACCEL_KERNEL(flat_tiles_left_right, tiles_args, args)
{
    FLAT_TILES(LEFT_RIGHT)
    visit(acc, &args, 0, j, k);
}

/* In thread kernels each thread takes tiles; `continue` skips one element. */
ACCEL_THREAD_KERNEL_NOSYNC(tiles_threads, tiles_args, args)
{
    TILES(RIGHT)
    {
        const size_t at = (i * args.extent[1] + j) * args.extent[2] + k;
        if (at % 3 == 1)
            continue;
        args.count[at] += 1;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that tell where they are. */
#include <accel/kernel.h>

#include "arguments.h"

ACCEL_FN void place_write(place_record *records, accel_index block, accel_index grid, accel_index extent,
                          accel_index elems, accel_index thread)
{
    const size_t linear_block = (block.z * grid.y + block.y) * grid.x + block.x;
    const size_t linear_thread = (thread.z * extent.y + thread.y) * extent.x + thread.x;
    place_record *record = &records[linear_block * extent.x * extent.y * extent.z + linear_thread];
    record->block[0] = block.x;
    record->block[1] = block.y;
    record->block[2] = block.z;
    record->thread[0] = thread.x;
    record->thread[1] = thread.y;
    record->thread[2] = thread.z;
    record->grid_extent[0] = grid.x;
    record->grid_extent[1] = grid.y;
    record->grid_extent[2] = grid.z;
    record->block_extent[0] = extent.x;
    record->block_extent[1] = extent.y;
    record->block_extent[2] = extent.z;
    record->elem_extent[0] = elems.x;
    record->elem_extent[1] = elems.y;
    record->elem_extent[2] = elems.z;
    record->visits += 1;
}

ACCEL_KERNEL(place, place_args, args)
{
    const accel_index extent = accel_block_extent(acc);
    ACCEL_THREADS(acc, t) {
        const accel_index thread = {t % extent.x, t / extent.x % extent.y, t / extent.x / extent.y};
        place_write(args.records, accel_block_index(acc), accel_grid_extent(acc), extent, accel_elem_extent(acc),
                    thread);
    }
}

ACCEL_THREAD_KERNEL(place_thread, place_args, args)
{
    place_write(args.records, accel_block_index(acc), accel_grid_extent(acc), accel_block_extent(acc),
                accel_elem_extent(acc), accel_thread_index(acc));
}

ACCEL_THREAD_KERNEL_NOSYNC(place_nosync, place_args, args)
{
    place_write(args.records, accel_block_index(acc), accel_grid_extent(acc), accel_block_extent(acc),
                accel_elem_extent(acc), accel_thread_index(acc));
}

ACCEL_KERNEL_BLOCK(fixed, place_args, args, 2, 4, 8)
{
    ACCEL_THREADS(acc, t) {
        const accel_index thread = {t % 8, t / 8 % 4, t / 32};
        place_write(args.records, accel_block_index(acc), accel_grid_extent(acc), accel_block_extent(acc),
                    accel_elem_extent(acc), thread);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What every thread knows of its place, for work divisions of one to six dimensions. */
#include <accel/kernel.h>
#include "coordinates.h"

#define STORE_INDEX(to, from)                                                                                          \
    do {                                                                                                               \
        const accel_index v = from;                                                                                    \
        (to)[0] = v.x;                                                                                                 \
        (to)[1] = v.y;                                                                                                 \
        (to)[2] = v.z;                                                                                                 \
    } while (0)

#define STORE_COMMON(acc, v)                                                                                           \
    do {                                                                                                               \
        STORE_INDEX((v)->block_index, accel_block_index(acc));                                                         \
        STORE_INDEX((v)->grid_extent, accel_grid_extent(acc));                                                         \
        STORE_INDEX((v)->block_extent, accel_block_extent(acc));                                                       \
        STORE_INDEX((v)->elem_extent, accel_elem_extent(acc));                                                         \
        (v)->dims = (uint32_t)accel_grid_dims(acc);                                                                    \
        (v)->reserved = 0;                                                                                             \
        for (size_t d = 0; d < 6; d++) {                                                                               \
            const int there = d < accel_grid_dims(acc);                                                                \
            (v)->block[d] = there ? accel_block_coordinate(acc, d) : 0;                                                \
            (v)->blocks[d] = there ? accel_grid_extent_at(acc, d) : 0;                                                 \
            (v)->threads[d] = there ? accel_block_extent_at(acc, d) : 0;                                               \
            (v)->elems[d] = there ? accel_elem_extent_at(acc, d) : 0;                                                  \
        }                                                                                                              \
    } while (0)

ACCEL_FN size_t linear(accel_index i, accel_index extent)
{
    return (i.z * extent.y + i.y) * extent.x + i.x;
}

ACCEL_THREAD_KERNEL(coordinates_thread, coordinates_args, args)
{
    const accel_index extent = accel_block_extent(acc);
    const size_t block = linear(accel_block_index(acc), accel_grid_extent(acc));
    const size_t t = linear(accel_thread_index(acc), extent);
    coordinates_view *view = &args.view[block * (extent.x * extent.y * extent.z) + t];
    STORE_COMMON(acc, view);
    STORE_INDEX(view->thread_index, accel_thread_index(acc));
    STORE_INDEX(view->global_index, accel_global_index(acc));
    for (size_t d = 0; d < 6; d++)
        view->thread[d] = d < accel_grid_dims(acc) ? accel_thread_coordinate(acc, d) : 0;
}

/* The same in a block kernel, where the thread is a region's index. */
ACCEL_KERNEL(coordinates_block, coordinates_args, args)
{
    const accel_index extent = accel_block_extent(acc);
    const accel_index at = accel_block_index(acc);
    const size_t block = linear(at, accel_grid_extent(acc));
    ACCEL_THREADS(acc, t) {
        coordinates_view *view = &args.view[block * (extent.x * extent.y * extent.z) + t];
        const accel_index thread = {t % extent.x, t / extent.x % extent.y, t / extent.x / extent.y};
        const accel_index global = {at.x * extent.x + thread.x, at.y * extent.y + thread.y, at.z * extent.z + thread.z};
        STORE_COMMON(acc, view);
        STORE_INDEX(view->thread_index, thread);
        STORE_INDEX(view->global_index, global);
        for (size_t d = 0; d < 6; d++)
            view->thread[d] = d < accel_grid_dims(acc) ? accel_thread_coordinate_of(acc, t, d) : 0;
    }
}

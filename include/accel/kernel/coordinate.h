/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/coordinate.h - dimensions as the host counts them, for every target.
 *
 * The host's dimension d, 0 the slowest, of a launch with `dims` dimensions is entry dims - 1 - d of the arrays
 * in accel_grid, whose entry 0 is x. Entries 2 and above are folded into z, entry 2 the fastest.
 */
#ifndef ACCEL_KERNEL_COORDINATE_H
#define ACCEL_KERNEL_COORDINATE_H

#define accel_grid_dims(acc) ((size_t)accel_core_grid((acc).core)->dims)

#define accel_block_coordinate(acc, d)                                                                                 \
    accel_unfold(accel_core_block_index((acc).core), accel_core_grid((acc).core)->blocks, accel_entry(acc, d))
#define accel_thread_coordinate(acc, d)                                                                                \
    accel_unfold(accel_thread_index(acc), accel_core_grid((acc).core)->threads, accel_entry(acc, d))
#define accel_thread_coordinate_of(acc, t, d)                                                                          \
    accel_unfold_linear((t), accel_core_grid((acc).core)->threads, accel_entry(acc, d))

#define accel_grid_extent_at(acc, d) ((size_t)accel_core_grid((acc).core)->blocks[accel_entry(acc, d)])
#define accel_block_extent_at(acc, d) ((size_t)accel_core_grid((acc).core)->threads[accel_entry(acc, d)])
#define accel_elem_extent_at(acc, d) ((size_t)accel_core_grid((acc).core)->elems[accel_entry(acc, d)])

#define accel_entry(acc, d) (accel_grid_dims(acc) - 1 - (size_t)(d))

/* Entry k of a linear index over extents of which entry `from` is the fastest. */
ACCEL_INLINE_ size_t accel_unfold_from(size_t linear, const uint32_t *extent, size_t from, size_t k)
{
    for (size_t e = from; e < k; e++)
        linear /= extent[e];
    return linear % extent[k];
}

ACCEL_INLINE_ size_t accel_unfold_linear(size_t linear, const uint32_t *extent, size_t k)
{
    return accel_unfold_from(linear, extent, 0, k);
}

ACCEL_INLINE_ size_t accel_unfold(accel_index folded, const uint32_t *extent, size_t k)
{
    return k == 0 ? folded.x : k == 1 ? folded.y : accel_unfold_from(folded.z, extent, 2, k);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions: the bytes that a copy or a fill addresses. A region is rows of bytes, arranged by up to five pitches; each
 * pitch is at least the span of what lies inside, as accel_extent_layout ensures.
 */
#ifndef ACCEL_CORE_REGION_H
#define ACCEL_CORE_REGION_H

#include <accel/plugin.h>

typedef struct accel_region {
    uint32_t dims;                 /* 1 to 6 */
    size_t extent[ACCEL_MAX_DIMS]; /* [dims - 1] in bytes; none is 0 */
    size_t pitch[ACCEL_MAX_DIMS];  /* bytes; [dims - 1] is 1 */
} accel_region;

/* The region of `extent` elements. None of the extents is 0. */
static inline void accel_region_make(accel_region *region, uint32_t dims, const size_t extent[], const size_t pitch[],
                                     size_t element_size)
{
    region->dims = dims; /* above it nothing is set: to clear all of it takes longer than a small copy */
    for (uint32_t d = 0; d + 1 < dims; ++d) {
        region->extent[d] = extent[d];
        region->pitch[d] = pitch[d];
    }
    region->extent[dims - 1] = extent[dims - 1] * element_size;
    region->pitch[dims - 1] = 1;
}
/* Drops dimensions of extent 1 and merges those that lie densely. */
void accel_region_merge_rows(accel_region *);
static inline void accel_region_merge(accel_region *region)
{
    if (region->dims > 1)
        accel_region_merge_rows(region);
}
/* The same for two regions of equal extents, where both allow it. */
void accel_region_merge_both(accel_region *, accel_region *);
/* Merges the two ends of a copy and writes them: extents and pitches. */
void accel_region_pair_rows(accel_region *dst, accel_region *src, accel_copy_params *);
static inline void accel_region_pair(accel_region *dst, accel_region *src, accel_copy_params *params)
{
    if (dst->dims > 1) {
        accel_region_pair_rows(dst, src, params);
        return;
    }
    params->dims = 1;
    params->extent[0] = dst->extent[0];
    params->dst_pitch[0] = params->src_pitch[0] = 1;
}
/* Do the regions share a byte? Exact, also for interleaved regions. Constant time if their spans do not meet or their
 * pitches agree; else at most about one step per row of the region that has fewer. */
bool accel_region_overlap_rows(uintptr_t a_address, const accel_region *a, uintptr_t b_address, const accel_region *b);
static inline bool accel_region_overlap(uintptr_t a_address, const accel_region *a, uintptr_t b_address,
                                        const accel_region *b)
{
    if (a->dims > 1 || b->dims > 1)
        return accel_region_overlap_rows(a_address, a, b_address, b);
    return a_address + a->extent[0] > b_address && b_address + b->extent[0] > a_address;
}

#endif

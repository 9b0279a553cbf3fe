/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory/region.h"

#include <string.h>

/* Merges in place from the innermost dimension outwards; `other` may be NULL, or has the same extents. */
static void merge(accel_region *region, accel_region *other)
{
    accel_region *regions[2] = {region, other};
    size_t extent[ACCEL_MAX_DIMS], pitch[2][ACCEL_MAX_DIMS];
    uint32_t count = other != NULL ? 2 : 1;
    uint32_t made = 0; /* dimensions kept so far, innermost first */

    for (uint32_t i = 0; i < region->dims; ++i) {
        uint32_t d = region->dims - 1 - i;
        bool joined = made != 0;

        if (made != 0 && region->extent[d] == 1)
            continue;
        for (uint32_t r = 0; r < count && joined; ++r)
            joined = regions[r]->pitch[d] == pitch[r][made - 1] * extent[made - 1];
        if (joined) {
            extent[made - 1] *= region->extent[d];
            continue;
        }
        extent[made] = region->extent[d];
        for (uint32_t r = 0; r < count; ++r)
            pitch[r][made] = regions[r]->pitch[d];
        ++made;
    }
    for (uint32_t r = 0; r < count; ++r) {
        regions[r]->dims = made;
        for (uint32_t i = 0; i < made; ++i) {
            regions[r]->extent[made - 1 - i] = extent[i];
            regions[r]->pitch[made - 1 - i] = pitch[r][i];
        }
    }
}

void accel_region_merge_rows(accel_region *region)
{
    merge(region, NULL);
}

void accel_region_merge_both(accel_region *a, accel_region *b)
{
    merge(a, b);
}

void accel_region_pair_rows(accel_region *dst, accel_region *src, accel_copy_params *params)
{
    accel_region_merge_both(dst, src);
    params->dims = dst->dims;
    if (dst->dims == 1) {
        params->extent[0] = dst->extent[0];
        params->dst_pitch[0] = params->src_pitch[0] = 1;
        return;
    }
    memcpy(params->extent, dst->extent, params->dims * sizeof(size_t));
    memcpy(params->dst_pitch, dst->pitch, params->dims * sizeof(size_t));
    memcpy(params->src_pitch, src->pitch, params->dims * sizeof(size_t));
}

/* A part of a region: `count` slices of dimension `d` and what lies inside them. */
typedef struct part {
    const accel_region *region;
    const size_t *inner; /* inner[d]: span of one index of dimension d */
    uint32_t d;
    uintptr_t address;
    size_t count;
} part;

static bool contiguous(const part *p)
{
    return p->d + 1 == p->region->dims;
}

static size_t pitch_of(const part *p)
{
    return p->region->pitch[p->d];
}

static size_t span_of(const part *p)
{
    return (p->count - 1) * pitch_of(p) + p->inner[p->d];
}

/* Keeps the slices that meet the bytes from `first` to `end`; false if there are none. */
static bool narrow(part *p, uintptr_t first, uintptr_t end)
{
    size_t pitch = pitch_of(p), inner = p->inner[p->d];
    size_t skip = 0, past = p->count;

    if (first > p->address) /* slice i ends at address + i * pitch + inner */
        skip = (first - p->address + (pitch - inner)) / pitch;
    if (end <= p->address)
        return false;
    if ((end - p->address - 1) / pitch + 1 < past) /* slice i begins at address + i * pitch */
        past = (end - p->address - 1) / pitch + 1;
    if (skip >= past)
        return false;
    p->address += skip * pitch;
    p->count = past - skip;
    return true;
}

static part slice(const part *p, size_t index)
{
    part inside = {p->region, p->inner, p->d + 1, p->address + index * pitch_of(p), p->region->extent[p->d + 1]};

    return inside;
}

static bool meet(part a, part b);

/* Outer pitches agree: only how far a slice of one lies from a slice of the other matters, and of those distances only
 * the two next to 0 can meet, since a slice is no longer than the pitch. */
static bool meet_in_step(const part *a, const part *b)
{
    size_t pitch = pitch_of(a);
    const part *low = a->address <= b->address ? a : b;
    const part *high = low == a ? b : a;
    size_t step = (high->address - low->address) / pitch;

    for (size_t i = 0; i < 2; ++i) { /* slice step + i of low beside slice 0 of high: all later pairs lie alike */
        if (step + i < low->count && meet(slice(low, step + i), slice(high, 0)))
            return true;
    }
    return false;
}

static bool meet(part a, part b)
{
    if (!narrow(&a, b.address, b.address + span_of(&b)) || !narrow(&b, a.address, a.address + span_of(&a)))
        return false;
    if (contiguous(&a) && contiguous(&b))
        return true;
    if (!contiguous(&a) && !contiguous(&b) && pitch_of(&a) == pitch_of(&b))
        return meet_in_step(&a, &b);
    /* Slice by slice of the coarser one. Two slices of the other within one contiguous row are found at once. */
    if (contiguous(&a) || (!contiguous(&b) && pitch_of(&b) > pitch_of(&a))) {
        part swap = a;
        a = b;
        b = swap;
    }
    for (size_t i = 0; i < a.count; ++i) {
        if (meet(slice(&a, i), b))
            return true;
    }
    return false;
}

static part whole(uintptr_t address, const accel_region *region, size_t inner[ACCEL_MAX_DIMS])
{
    part all = {region, inner, 0, address, region->extent[0]};
    uint32_t d = region->dims - 1;

    inner[d] = 1;
    for (; d > 0; --d)
        inner[d - 1] = (region->extent[d] - 1) * region->pitch[d] + inner[d];
    return all;
}

/* From the first byte to behind the last one. */
static size_t all_of(const accel_region *region)
{
    size_t span = 1;

    for (uint32_t d = 0; d < region->dims; ++d)
        span += (region->extent[d] - 1) * region->pitch[d];
    return span;
}

static __attribute__((noinline)) bool interleaved_overlap(uintptr_t a_address, const accel_region *a,
                                                          uintptr_t b_address, const accel_region *b)
{
    accel_region merged_a = *a, merged_b = *b;
    size_t inner_a[ACCEL_MAX_DIMS], inner_b[ACCEL_MAX_DIMS];

    accel_region_merge(&merged_a);
    accel_region_merge(&merged_b);
    return meet(whole(a_address, &merged_a, inner_a), whole(b_address, &merged_b, inner_b));
}

bool accel_region_overlap_rows(uintptr_t a_address, const accel_region *a, uintptr_t b_address, const accel_region *b)
{
    if (a_address + all_of(a) <= b_address || b_address + all_of(b) <= a_address)
        return false;
    return (a->dims == 1 && b->dims == 1) || interleaved_overlap(a_address, a, b_address, b);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: the overlap of a copy's ends (M5) and merged dimensions, against brute force on small memories. */
#include "core/memory/region.h"
#include "core/memory/extent.h"
#include "run.h"

#include <string.h>

#define MEMORY 4096u

static uint32_t state = 2463534242u;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

/* Rows of 1 to 4 bytes, up to four pitches, each at least what lies inside. */
static accel_region random_region(void)
{
    accel_region region = {.dims = 1 + draw(4)};
    size_t inner = 1;

    for (uint32_t i = 0; i < region.dims; ++i) {
        uint32_t d = region.dims - 1 - i;
        region.extent[d] = 1 + draw(4);
        region.pitch[d] = i == 0 ? 1 : inner + (draw(2) == 0 ? 0 : draw(5));
        inner += (region.extent[d] - 1) * region.pitch[d];
    }
    return region;
}

static void mark(const accel_region *region, uint32_t d, size_t at, unsigned char *memory, unsigned char value)
{
    for (size_t i = 0; i < region->extent[d]; ++i) {
        size_t here = at + i * region->pitch[d];
        if (d + 1 < region->dims && d + 1 < ACCEL_MAX_DIMS)
            mark(region, d + 1, here, memory, value);
        else
            memory[here] |= value;
    }
}

static bool share_bytes(size_t a_at, const accel_region *a, size_t b_at, const accel_region *b)
{
    unsigned char memory[MEMORY] = {0};

    mark(a, 0, a_at, memory, 1);
    mark(b, 0, b_at, memory, 2);
    return memchr(memory, 3, sizeof(memory)) != NULL;
}

START_TEST(m5_overlap_is_exact)
{
    size_t shared = 0, total = 400000;

    for (size_t i = 0; i < total; ++i) {
        accel_region a = random_region(), b = draw(3) == 0 ? a : random_region();
        size_t a_at = draw(200), b_at = draw(200);
        bool expected = share_bytes(a_at, &a, b_at, &b);
        ck_assert_msg(accel_region_overlap(0x1000 + a_at, &a, 0x1000 + b_at, &b) == expected, "round %zu", i);
        ck_assert_msg(accel_region_overlap(0x1000 + b_at, &b, 0x1000 + a_at, &a) == expected, "round %zu, swapped", i);
        shared += expected;
    }
    ck_assert_msg(shared > total / 10 && shared < total * 9 / 10, "%zu of %zu rounds share bytes", shared, total);
}
END_TEST

START_TEST(m5_interleaved_columns_do_not_overlap)
{
    const size_t n = 1u << 20, extent[2] = {n, 4}, pitch[2] = {8 * sizeof(double), sizeof(double)};
    accel_region left, right;
    accel_region_make(&left, 2, extent, pitch, sizeof(double));
    right = left;

    ck_assert(!accel_region_overlap(4096, &left, 4096 + 4 * sizeof(double), &right));
    ck_assert(accel_region_overlap(4096, &left, 4096 + 3 * sizeof(double), &right));
    ck_assert(!accel_region_overlap(4096, &left, 4096 + 12 * sizeof(double), &right)); /* a row further */
}
END_TEST

START_TEST(m5_different_pitches_are_compared_row_by_row)
{
    const size_t many[2] = {1000, 1}, few[2] = {3, 1}, narrow[2] = {16, 1}, wide[2] = {4000, 1};
    accel_region a, b;
    accel_region_make(&a, 2, many, narrow, 1);
    accel_region_make(&b, 2, few, wide, 1);

    ck_assert(!accel_region_overlap(0x10000, &a, 0x10001, &b)); /* 4000 is a multiple of 16 */
    ck_assert(accel_region_overlap(0x10000, &a, 0x10000 + 32, &b));
}
END_TEST

START_TEST(merging_addresses_the_same_bytes_in_the_same_order)
{
    for (size_t i = 0; i < 100000; ++i) {
        accel_region region = random_region(), merged = region;
        unsigned char before[MEMORY] = {0}, after[MEMORY] = {0};
        accel_region_merge(&merged);
        mark(&region, 0, 0, before, 1);
        mark(&merged, 0, 0, after, 1);
        ck_assert(memcmp(before, after, sizeof(before)) == 0);
        ck_assert_uint_le(merged.dims, region.dims);
        ck_assert_uint_eq(merged.pitch[merged.dims - 1], 1);
        ck_assert_uint_eq(accel_extent_dense(region.dims, region.extent, region.pitch, 1),
                          merged.dims == 1 ? merged.extent[0] : 0);
        for (uint32_t d = 0; d + 1 < merged.dims; ++d)
            ck_assert(merged.pitch[d] != merged.pitch[d + 1] * merged.extent[d + 1]);
    }
}
END_TEST

START_TEST(dense_regions_merge_into_one_row)
{
    const size_t extent[3] = {4, 5, 6}, pitch[3] = {240, 48, 8}, other_pitch[3] = {320, 64, 8};
    accel_region region, dense, padded;
    accel_region_make(&region, 3, extent, pitch, 8);
    accel_region_make(&padded, 3, extent, other_pitch, 8);
    dense = region;

    accel_region_merge(&region);
    ck_assert_uint_eq(region.dims, 1);
    ck_assert_uint_eq(region.extent[0], 960);
    accel_region_merge_both(&dense, &padded); /* only as far as both allow: planes are dense in both, rows are not */
    ck_assert_uint_eq(dense.dims, 2);
    ck_assert_uint_eq(padded.dims, 2);
    ck_assert_uint_eq(dense.extent[0], 20);
    ck_assert_uint_eq(dense.pitch[0], 48);
    ck_assert_uint_eq(padded.pitch[0], 64);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("region");

    add(suite, m5_overlap_is_exact);
    add(suite, m5_interleaved_columns_do_not_overlap);
    add(suite, m5_different_pitches_are_compared_row_by_row);
    add(suite, merging_addresses_the_same_bytes_in_the_same_order);
    add(suite, dense_regions_merge_into_one_row);
    return suite;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of regions against a naive reference that has a list of bytes: merged dimensions and overlaps in core, parts of
 * a copy for a GPU's driver, chunks of a copy for CPUs.
 */
#include "target.h"

#include "core/memory/region.h"
#include "plugins/cpu/transfer/chunks.h"
#include "plugins/gpu/transfer/decomposition.h"

#include <stdbool.h>
#include <string.h>

enum { SPACE = 1 << 11, NOWHERE = 0xffff };

/* For each byte of the destination, the byte of the source that comes there. */
typedef struct map {
    uint16_t from[SPACE];
} map;

static unsigned char dst_memory[SPACE], src_memory[SPACE]; /* addresses only */

static void map_byte(map *m, size_t dst, size_t src)
{
    MUST(dst < SPACE && src < SPACE && m->from[dst] == NOWHERE); /* each byte once */
    m->from[dst] = (uint16_t)src;
}

static void map_row(map *m, size_t dst, size_t src, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        map_byte(m, dst + i, src + i);
}

static void map_regions(map *m, const accel_region *dst, const accel_region *src, uint32_t d, size_t to, size_t from)
{
    MUST(d < ACCEL_MAX_DIMS);
    for (size_t i = 0; i < dst->extent[d]; ++i) {
        size_t dst_at = to + i * dst->pitch[d], src_at = from + i * src->pitch[d];
        if (d + 1 < dst->dims)
            map_regions(m, dst, src, d + 1, dst_at, src_at);
        else
            map_byte(m, dst_at, src_at);
    }
}

static const map *naive(const accel_region *dst, const accel_region *src)
{
    static map made;

    memset(&made, 0xff, sizeof(made));
    map_regions(&made, dst, src, 0, 0, 0);
    return &made;
}

static map found;

static gpu_result map_chunk(void *user, const gpu_copy_3d *part)
{
    (void)user;
    for (size_t z = 0; z < part->depth; ++z) {
        for (size_t y = 0; y < part->height; ++y)
            map_row(
                &found, (size_t)((unsigned char *)part->dst - dst_memory) + (z * part->dst_rows + y) * part->dst_pitch,
                (size_t)((const unsigned char *)part->src - src_memory) + (z * part->src_rows + y) * part->src_pitch,
                part->width);
    }
    return 0;
}

/* Parts have what the driver asks of them; they are cut once more. */
static gpu_result cut_part(void *user, const gpu_copy_3d *part)
{
    const size_t *limits = user; /* the greatest pitch, the bytes of a chunk */

    MUST(part->dst_pitch >= part->width && part->src_pitch >= part->width);
    MUST(part->height == 1 || (part->dst_pitch <= limits[0] && part->src_pitch <= limits[0]));
    MUST(part->dst_rows >= part->height && part->src_rows >= part->height);
    return gpu_decompose_chunks(part, limits[1], map_chunk, NULL);
}

static void map_spans(const void *user, const cpu_spans *spans)
{
    (void)user;
    for (size_t row = 0; row < spans->rows; ++row)
        map_row(&found, spans->at[0] + row * spans->step[0], spans->at[1] + row * spans->step[1], spans->bytes);
}

static void check_plugins(fuzz_input *input, const accel_region *dst, const accel_region *src, const map *expected)
{
    accel_copy_params params = {.struct_size = sizeof(params), .dims = dst->dims};
    size_t limits[2] = {1 + 8 * next_below(input, 64), 1 + next_byte(input)};
    const size_t *const pitch[2] = {params.dst_pitch, params.src_pitch};

    memcpy(params.extent, dst->extent, sizeof(params.extent));
    memcpy(params.dst_pitch, dst->pitch, sizeof(params.dst_pitch));
    memcpy(params.src_pitch, src->pitch, sizeof(params.src_pitch));
    params.dst = dst_memory;
    params.src = src_memory;
    memset(&found, 0xff, sizeof(found));
    MUST(gpu_decompose_copy(&params, limits[0], cut_part, limits) == 0);
    MUST(memcmp(&found, expected, sizeof(found)) == 0);

    size_t unit = (size_t)1 << next_below(input, 6), size = unit + next_byte(input);
    cpu_chunks chunks = cpu_chunks_of(params.dims, params.extent, size, unit);

    memset(&found, 0xff, sizeof(found));
    for (size_t first = 0, count; first < chunks.count; first += count) {
        count = 1 + next_below(input, 4);
        cpu_chunks_walk(&chunks, pitch, first, count, map_spans, NULL);
    }
    MUST(memcmp(&found, expected, sizeof(found)) == 0);
}

static bool naive_overlap(const accel_region *a, size_t a_at, const accel_region *b, size_t b_at)
{
    static map first;
    const map *second;

    first = *naive(a, a);
    second = naive(b, b);
    for (size_t i = 0; i < SPACE; ++i) {
        if (first.from[i] != NOWHERE && i + a_at >= b_at && i + a_at - b_at < SPACE &&
            second->from[i + a_at - b_at] != NOWHERE)
            return true;
    }
    return false;
}

/* Pitches that leave room, and perhaps more, for what lies inside. */
static void choose_pitches(fuzz_input *input, uint32_t dims, const size_t extent[], size_t element, size_t pitch[])
{
    size_t span = element;

    for (uint32_t d = dims; d-- > 0;) {
        pitch[d] = d + 1 == dims ? element : span + element * (next_byte(input) % 16 / 4 * next_below(input, 8));
        span += (extent[d] - 1) * pitch[d];
    }
}

static bool choose_extents(fuzz_input *input, uint32_t *dims, size_t extent[], size_t *element)
{
    static const size_t elements[] = {1, 2, 3, 4, 5, 6, 8, 12};
    size_t all;

    *dims = 1 + (uint32_t)next_below(input, ACCEL_MAX_DIMS);
    all = *element = elements[next_below(input, 8)];
    for (uint32_t d = 0; d < *dims; ++d)
        all *= extent[d] = 1 + next_below(input, *dims < 3 ? 16 : *dims < 5 ? 6 : 3);
    return all < SPACE / 2;
}

static bool fits(const accel_region *region)
{
    return gpu_copy_span(region->dims, region->extent, region->pitch) <= SPACE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, data + size};
    uint32_t dims, other_dims;
    size_t extent[ACCEL_MAX_DIMS] = {0}, pitch[ACCEL_MAX_DIMS] = {0}, element;

    if (!choose_extents(&input, &dims, extent, &element))
        return 0;
    choose_pitches(&input, dims, extent, element, pitch);
    accel_region dst, src;
    accel_region_make(&dst, dims, extent, pitch, element);
    choose_pitches(&input, dims, extent, element, pitch);
    accel_region_make(&src, dims, extent, pitch, element);

    if (!fits(&dst) || !fits(&src))
        return 0;

    const map *expected = naive(&dst, &src);

    check_plugins(&input, &dst, &src, expected);
    accel_region to = dst, from = src, alone = dst;
    accel_region_merge_both(&to, &from);
    MUST(to.dims >= 1 && to.dims <= dims && from.dims == to.dims);
    memset(&found, 0xff, sizeof(found));
    map_regions(&found, &to, &from, 0, 0, 0);
    MUST(memcmp(&found, expected, sizeof(found)) == 0);
    check_plugins(&input, &to, &from, expected);

    static map own;
    own = *naive(&dst, &dst);
    accel_region_merge(&alone);
    MUST(memcmp(naive(&alone, &alone), &own, sizeof(own)) == 0);

    if (next_byte(&input) % 4 == 0 && choose_extents(&input, &other_dims, extent, &element)) { /* another shape */
        choose_pitches(&input, other_dims, extent, element, pitch);
        accel_region_make(&src, other_dims, extent, pitch, element);
        if (!fits(&src))
            return 0;
    }
    size_t base = (size_t)1 << 20, a = next_byte(&input) + 256 * next_below(&input, 4), b = next_byte(&input);
    bool meet = naive_overlap(&dst, a, &src, b);
    MUST(accel_region_overlap(base + a, &dst, base + b, &src) == meet);
    MUST(accel_region_overlap(base + b, &src, base + a, &dst) == meet);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/transfer/decomposition.h"

#include <string.h>

size_t gpu_copy_span(uint32_t dims, const size_t extent[], const size_t pitch[])
{
    size_t span = 1;

    for (uint32_t d = 0; d < dims; ++d)
        span += (extent[d] - 1) * pitch[d];
    return span;
}

size_t gpu_copy_bytes(const accel_copy_params *params)
{
    size_t bytes = 1;

    for (uint32_t d = 0; d < params->dims; ++d)
        bytes *= params->extent[d];
    return bytes;
}

/* Can dimensions d, d + 1 and d + 2 be one call? */
static bool is_volume(const size_t extent[], const size_t pitch[], uint32_t d)
{
    return pitch[d] % pitch[d + 1] == 0 && pitch[d] / pitch[d + 1] >= extent[d + 1];
}

static gpu_copy_3d row(const accel_copy_params *p, unsigned char *dst, const unsigned char *src)
{
    size_t width = p->extent[p->dims - 1];

    return (gpu_copy_3d){.width = width,
                         .height = 1,
                         .depth = 1,
                         .dst = dst,
                         .src = src,
                         .dst_pitch = width,
                         .src_pitch = width,
                         .dst_rows = 1,
                         .src_rows = 1,
                         .dst_host = p->dst_device == NULL,
                         .src_host = p->src_device == NULL};
}

/* Of the last dimensions, how many are one call? */
static uint32_t dims_of_call(const accel_copy_params *p, size_t max_pitch)
{
    if (p->dims == 1)
        return 1;
    size_t width = p->extent[p->dims - 1], dst = p->dst_pitch[p->dims - 2], src = p->src_pitch[p->dims - 2];
    if (dst > max_pitch || src > max_pitch || dst < width || src < width)
        return 1;
    if (p->dims == 2)
        return 2;
    uint32_t d = p->dims - 3;
    return is_volume(p->extent, p->dst_pitch, d) && is_volume(p->extent, p->src_pitch, d) ? 3 : 2;
}

gpu_copy_walk gpu_copy_walk_begin(const accel_copy_params *params, size_t max_pitch)
{
    return (gpu_copy_walk){.params = params, .outer = params->dims - dims_of_call(params, max_pitch)};
}

/* The next place of the outer dimensions. */
static void step_out(gpu_copy_walk *walk)
{
    uint32_t d = walk->outer;

    while (d > 0 && ++walk->index[d - 1] == walk->params->extent[d - 1])
        walk->index[--d] = 0;
    walk->over = d == 0;
}

bool gpu_copy_walk_next(gpu_copy_walk *walk, gpu_copy_3d *part)
{
    const accel_copy_params *p = walk->params;
    unsigned char *dst = p->dst;
    const unsigned char *src = p->src;

    if (walk->over)
        return false;
    for (uint32_t d = 0; d < walk->outer; ++d) {
        dst += walk->index[d] * p->dst_pitch[d];
        src += walk->index[d] * p->src_pitch[d];
    }
    *part = row(p, dst, src);
    if (p->dims - walk->outer >= 2) {
        part->height = part->dst_rows = part->src_rows = p->extent[p->dims - 2];
        part->dst_pitch = p->dst_pitch[p->dims - 2];
        part->src_pitch = p->src_pitch[p->dims - 2];
    }
    if (p->dims - walk->outer == 3) {
        part->depth = p->extent[walk->outer];
        part->dst_rows = p->dst_pitch[walk->outer] / part->dst_pitch;
        part->src_rows = p->src_pitch[walk->outer] / part->src_pitch;
    }
    step_out(walk);
    return true;
}

gpu_result gpu_decompose_copy(const accel_copy_params *params, size_t max_pitch, gpu_copy_part part, void *user)
{
    gpu_copy_walk walk = gpu_copy_walk_begin(params, max_pitch);
    gpu_copy_3d next;
    gpu_result result = 0;

    while (result == 0 && gpu_copy_walk_next(&walk, &next))
        result = part(user, &next);
    return result;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

gpu_chunk_walk gpu_chunk_walk_begin(const gpu_copy_3d *part, size_t bytes)
{
    size_t rows = bytes / part->width, planes = rows / part->height;
    gpu_chunk_walk walk = {.part = *part, .width = least(bytes, part->width), .height = 1, .depth = 1};

    if (rows != 0)
        walk.height = least(rows, part->height);
    if (planes != 0)
        walk.depth = least(planes, part->depth);
    return walk;
}

bool gpu_chunk_walk_next(gpu_chunk_walk *walk, gpu_copy_3d *chunk)
{
    const gpu_copy_3d *part = &walk->part;

    if (walk->z >= part->depth)
        return false;
    *chunk = *part;
    chunk->dst = (unsigned char *)part->dst + (walk->z * part->dst_rows + walk->y) * part->dst_pitch + walk->x;
    chunk->src = (const unsigned char *)part->src + (walk->z * part->src_rows + walk->y) * part->src_pitch + walk->x;
    chunk->width = least(walk->width, part->width - walk->x);
    chunk->height = least(walk->height, part->height - walk->y);
    chunk->depth = least(walk->depth, part->depth - walk->z);
    walk->x += chunk->width;
    if (walk->x == part->width) {
        walk->x = 0;
        walk->y += chunk->height;
    }
    if (walk->y == part->height) {
        walk->y = 0;
        walk->z += chunk->depth;
    }
    return true;
}

gpu_result gpu_decompose_chunks(const gpu_copy_3d *part, size_t bytes, gpu_copy_part call, void *user)
{
    gpu_chunk_walk walk = gpu_chunk_walk_begin(part, bytes);
    gpu_copy_3d chunk;
    gpu_result result = 0;

    while (result == 0 && gpu_chunk_walk_next(&walk, &chunk))
        result = call(user, &chunk);
    return result;
}

gpu_packed_chunk gpu_pack_chunk(const gpu_copy_3d *chunk, void *memory)
{
    gpu_packed_chunk packed = {*chunk, *chunk};
    gpu_copy_3d *from = chunk->src_host ? &packed.on_device : &packed.on_host;
    gpu_copy_3d *to = chunk->src_host ? &packed.on_host : &packed.on_device;

    from->src = memory;
    from->src_pitch = chunk->width;
    from->src_rows = chunk->height;
    to->dst = memory;
    to->dst_pitch = chunk->width;
    to->dst_rows = chunk->height;
    return packed;
}

void gpu_copy_on_host(const gpu_copy_3d *part)
{
    for (size_t z = 0; z < part->depth; ++z) {
        for (size_t y = 0; y < part->height; ++y)
            memcpy((unsigned char *)part->dst + (z * part->dst_rows + y) * part->dst_pitch,
                   (const unsigned char *)part->src + (z * part->src_rows + y) * part->src_pitch, part->width);
    }
}

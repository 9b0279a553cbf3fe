/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/decomposition.h"

size_t gpu_copy_span(uint32_t dims, const size_t extent[], const size_t pitch[])
{
    size_t span = 1;

    for (uint32_t d = 0; d < dims; ++d)
        span += (extent[d] - 1) * pitch[d];
    return span;
}

/* Can dimensions d, d + 1 and d + 2 be one call? */
static bool is_volume(const size_t extent[], const size_t pitch[], uint32_t d)
{
    return pitch[d] % pitch[d + 1] == 0 && pitch[d] / pitch[d + 1] >= extent[d + 1];
}

typedef struct walk {
    const accel_copy_params *params;
    size_t max_pitch;
    gpu_copy_part part;
    void *user;
} walk;

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

static gpu_result walk_from(const walk *w, uint32_t d, unsigned char *dst, const unsigned char *src)
{
    const accel_copy_params *p = w->params;
    uint32_t left = p->dims - d;
    gpu_copy_3d part = row(p, dst, src);

    if (left == 1)
        return w->part(w->user, &part);
    bool rows = p->dst_pitch[p->dims - 2] <= w->max_pitch && p->src_pitch[p->dims - 2] <= w->max_pitch &&
                p->dst_pitch[p->dims - 2] >= part.width && p->src_pitch[p->dims - 2] >= part.width;
    if (rows &&
        (left == 2 || (left == 3 && is_volume(p->extent, p->dst_pitch, d) && is_volume(p->extent, p->src_pitch, d)))) {
        part.height = part.dst_rows = part.src_rows = p->extent[p->dims - 2];
        part.dst_pitch = p->dst_pitch[p->dims - 2];
        part.src_pitch = p->src_pitch[p->dims - 2];
        if (left == 3) {
            part.depth = p->extent[d];
            part.dst_rows = p->dst_pitch[d] / part.dst_pitch;
            part.src_rows = p->src_pitch[d] / part.src_pitch;
        }
        return w->part(w->user, &part);
    }
    gpu_result result = 0;
    for (size_t i = 0; i < p->extent[d] && result == 0; ++i)
        result = walk_from(w, d + 1, dst + i * p->dst_pitch[d], src + i * p->src_pitch[d]);
    return result;
}

gpu_result gpu_decompose_copy(const accel_copy_params *params, size_t max_pitch, gpu_copy_part part, void *user)
{
    const walk w = {params, max_pitch, part, user};

    return walk_from(&w, 0, params->dst, params->src);
}

/* A chunk of `part` from plane z, row y, byte x on. */
static gpu_copy_3d chunk_at(const gpu_copy_3d *part, size_t z, size_t y, size_t x)
{
    gpu_copy_3d chunk = *part;

    chunk.dst = (unsigned char *)part->dst + (z * part->dst_rows + y) * part->dst_pitch + x;
    chunk.src = (const unsigned char *)part->src + (z * part->src_rows + y) * part->src_pitch + x;
    return chunk;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One row, in chunks of `bytes`. */
static gpu_result cut_row(const gpu_copy_3d *part, size_t z, size_t y, size_t bytes, gpu_copy_part call, void *user)
{
    gpu_result result = 0;

    for (size_t x = 0; x < part->width && result == 0; x += bytes) {
        gpu_copy_3d chunk = chunk_at(part, z, y, x);
        chunk.width = least(bytes, part->width - x);
        chunk.height = chunk.depth = 1;
        result = call(user, &chunk);
    }
    return result;
}

gpu_result gpu_decompose_chunks(const gpu_copy_3d *part, size_t bytes, gpu_copy_part call, void *user)
{
    size_t rows = bytes / part->width, planes = rows / part->height;
    gpu_result result = 0;

    if (planes != 0) { /* whole planes */
        for (size_t z = 0; z < part->depth && result == 0; z += planes) {
            gpu_copy_3d chunk = chunk_at(part, z, 0, 0);
            chunk.depth = least(planes, part->depth - z);
            result = call(user, &chunk);
        }
        return result;
    }
    for (size_t z = 0; z < part->depth && result == 0; ++z) {
        for (size_t y = 0; y < part->height && result == 0; y += rows != 0 ? rows : 1) {
            if (rows == 0) {
                result = cut_row(part, z, y, bytes, call, user);
                continue;
            }
            gpu_copy_3d chunk = chunk_at(part, z, y, 0);
            chunk.height = least(rows, part->height - y);
            chunk.depth = 1;
            result = call(user, &chunk);
        }
    }
    return result;
}

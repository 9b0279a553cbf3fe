/* SPDX-License-Identifier: Apache-2.0 */
/* The copy itself: through one port, or chunk by chunk from port to port. */
#include "core/base/error.h"
#include "core/memory/port.h"
#include "core/memory/relay.h"

#include <string.h>

static accel_copy_params params_of(const accel_relay_end *dst, const accel_relay_end *src)
{
    accel_copy_params params = {.struct_size = sizeof(params), .dst = dst->ptr, .src = src->ptr};
    accel_region to = dst->region, from = src->region;

    accel_region_pair(&to, &from, &params);
    params.dst_device = dst->device != NULL ? dst->device->impl : NULL;
    params.src_device = src->device != NULL ? src->device->impl : NULL;
    return params;
}

/* One end is memory of the host. */
static accel_status copy_through(accel_port *port, const accel_relay_end *dst, const accel_relay_end *src)
{
    accel_copy_params params = params_of(dst, src);

    accel_port_enter(port, NULL);
    accel_status status = accel_port_copy(port, &params);
    accel_port_leave(port, NULL);
    return status;
}

/* ------------------------------------------------------------------------------------------- chunks -- */

/* A walk over a region in chunks: dimensions behind `cut` whole, `step` indices of `cut`, one of each before it. */
typedef struct walk {
    const accel_region *region;
    uint32_t cut;
    size_t step, index[ACCEL_MAX_DIMS];
} walk;

static walk walk_of(const accel_region *region)
{
    walk w = {.region = region, .cut = region->dims};
    size_t inner = 1; /* bytes of what lies behind `cut` */

    while (w.cut > 0 && region->extent[w.cut - 1] <= ACCEL_PORT_CHUNK / inner)
        inner *= region->extent[--w.cut];
    if (w.cut == 0) {
        w.step = region->extent[0];
    } else {
        --w.cut;
        w.step = ACCEL_PORT_CHUNK / inner;
    }
    return w;
}

/* The end of the copy that the chunk is part of. */
static accel_relay_end chunk_of(const walk *w, const accel_relay_end *end)
{
    const accel_region *whole = &end->region;
    accel_relay_end chunk = {.device = end->device, .ptr = end->ptr, .region = {.dims = whole->dims - w->cut}};
    size_t left = whole->extent[w->cut] - w->index[w->cut];

    for (uint32_t d = 0; d <= w->cut; ++d)
        chunk.ptr = (unsigned char *)chunk.ptr + w->index[d] * whole->pitch[d];
    memcpy(chunk.region.extent, whole->extent + w->cut, chunk.region.dims * sizeof(size_t));
    memcpy(chunk.region.pitch, whole->pitch + w->cut, chunk.region.dims * sizeof(size_t));
    chunk.region.extent[0] = left < w->step ? left : w->step;
    return chunk;
}

/* The chunk in the stage, where it is dense. */
static accel_relay_end staged(const accel_relay_end *chunk, unsigned char *stage)
{
    accel_relay_end dense = {.ptr = stage, .region = chunk->region};

    for (uint32_t d = dense.region.dims - 1; d > 0; --d)
        dense.region.pitch[d - 1] = dense.region.pitch[d] * dense.region.extent[d];
    return dense;
}

static bool advance(walk *w)
{
    w->index[w->cut] += w->step;
    for (uint32_t d = w->cut; w->index[d] >= w->region->extent[d]; --d) {
        if (d == 0)
            return false;
        w->index[d] = 0;
        ++w->index[d - 1];
    }
    return true;
}

/* While one chunk goes to the destination, the next one comes from the source. */
static accel_status copy_chunks(accel_port *to, accel_port *from, const accel_relay_end *dst,
                                const accel_relay_end *src)
{
    unsigned char *stage;
    accel_status status = accel_port_stage(from, &stage);
    walk w = walk_of(&src->region);

    for (unsigned i = 0; status == ACCEL_OK; ++i) {
        accel_relay_end dst_chunk = chunk_of(&w, dst), src_chunk = chunk_of(&w, src);
        accel_relay_end slot = staged(&src_chunk, stage + i % ACCEL_PORT_CHUNKS * ACCEL_PORT_CHUNK);
        accel_copy_params in = params_of(&slot, &src_chunk), out = params_of(&dst_chunk, &slot);

        status = accel_port_begin_copy(from, &in);
        if (status == ACCEL_OK)
            status = accel_port_wait(from);
        if (status == ACCEL_OK)
            status = accel_port_wait(to); /* the last chunk, so that its slot is free for the next one */
        if (status == ACCEL_OK)
            status = accel_port_begin_copy(to, &out);
        if (!advance(&w))
            break;
    }
    return status != ACCEL_OK ? status : accel_port_wait(to);
}

static accel_status copy_between(accel_port *to, accel_port *from, const accel_relay_end *dst,
                                 const accel_relay_end *src)
{
    char text[ACCEL_ERROR_SIZE];

    accel_port_enter(to, from);
    accel_status status = copy_chunks(to, from, dst, src);
    if (status != ACCEL_OK) { /* nothing may be under way in the stage, and no failure be kept */
        accel_error_save(text);
        accel_port_wait(from);
        accel_port_wait(to);
        accel_error_restore(text);
    }
    accel_port_leave(to, from);
    return status;
}

accel_status accel_relay_copy(const accel_relay_end *dst, const accel_relay_end *src)
{
    accel_port *to = dst->device != NULL ? accel_port_of(dst->device) : NULL;
    accel_port *from = src->device != NULL ? accel_port_of(src->device) : NULL;
    accel_status status = ACCEL_OUT_OF_MEMORY;

    if ((dst->device != NULL && to == NULL) || (src->device != NULL && from == NULL))
        accel_error_prefix(status, "accel_copy");
    else if (to != NULL && from != NULL)
        status = copy_between(to, from, dst, src);
    else
        status = copy_through(to != NULL ? to : from, dst, src);
    return status == ACCEL_DEVICE_LOST ? ACCEL_UNAVAILABLE : status;
}

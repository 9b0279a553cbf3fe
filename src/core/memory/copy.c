/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between buffers, and between a buffer and dense host memory. */
#include "core/memory/copy.h"

#include "core/memory/buffer.h"
#include "core/api/queue.h"
#include "core/base/error.h"
#include "core/memory/extent.h"
#include "core/memory/region.h"
#include "core/memory/relay.h"

#include <string.h>

/* One end of a copy. */
typedef struct side {
    accel_buffer *buffer;      /* NULL: the caller's host memory */
    void *ptr;                 /* where the queue's backend finds it */
    accel_impl_device *device; /* NULL: at an address of the host */
    bool far;                  /* the queue's backend does not find it */
    accel_region region;
} side;

static accel_status usable(const char *function, const char *parameter, const accel_buffer *buffer)
{
    if (buffer == NULL)
        return accel_error_null(function, parameter);
    return accel_device_usable(function, "buffer", buffer->device, buffer->fork_generation);
}

/* Host memory that the device maps is still addressed as the host does; everything else of the backend by its own
 * pointer. */
static void locate(const accel_queue *queue, accel_buffer *buffer, side *out)
{
    bool own = buffer->device->backend == queue->backend;
    bool by_host = buffer->host_ptr != NULL && (!own || (buffer->flags & ACCEL_BUFFER_MAPPED) != 0);

    out->buffer = buffer;
    out->far = !own && !by_host;
    out->ptr = by_host ? buffer->host_ptr : buffer->ptr;
    out->device = by_host ? NULL : buffer->device->impl;
}

/* Could the two ends lie in one address space, and do they share bytes in it (M5)? */
static bool overlap(const side *dst, const side *src)
{
    const void *to = dst->buffer != NULL ? dst->buffer->host_ptr : dst->ptr;
    const void *from = src->buffer != NULL ? src->buffer->host_ptr : src->ptr;

    if (to == NULL || from == NULL) {
        if (dst->buffer == NULL || src->buffer == NULL || dst->buffer->device != src->buffer->device)
            return false;
        to = dst->buffer->ptr;
        from = src->buffer->ptr;
    }
    return accel_region_overlap((uintptr_t)to, &dst->region, (uintptr_t)from, &src->region);
}

/* Managed memory is the device's while its kernels run. */
static accel_relay_end relay_end(const side *s)
{
    const accel_buffer *buffer = s->buffer;
    bool by_host = buffer->host_ptr != NULL && (buffer->flags & ACCEL_BUFFER_MANAGED) == 0;

    return (accel_relay_end){.device = by_host ? NULL : buffer->device,
                             .buffer = s->buffer,
                             .ptr = by_host ? buffer->host_ptr : buffer->ptr,
                             .region = s->region};
}

static accel_status relay(const char *function, accel_queue *queue, const side *dst, const side *src)
{
    accel_relay_end to = relay_end(dst), from = relay_end(src);

    return accel_relay_submit(function, queue, &to, &from);
}

static const char *text_of(const side *s, char text[320])
{
    return s->buffer != NULL ? accel_buffer_text(s->buffer, text) : "host memory";
}

static accel_status overlapping(const char *function, const side *dst, const side *src)
{
    char to[320], from[320];

    return accel_error_set(ACCEL_INVALID,
                           "%s: destination (%s at %p) and source (%s at %p) overlap: they share elements; copy "
                           "through a third buffer",
                           function, text_of(dst, to), dst->ptr, text_of(src, from), src->ptr);
}

/* The backend's copy, which keeps the buffers alive; NULL for host memory. */
static inline accel_status hand_over(const char *function, accel_queue *queue, accel_buffer *dst, accel_buffer *src,
                                     accel_copy_params *params)
{
    accel_status status;

    params->struct_size = sizeof(*params);
    params->holds[0] = params->holds[1] = NULL;
    if (!accel_queue_blocking(queue)) {
        params->holds[0] = accel_hold_buffer(dst);
        params->holds[1] = accel_hold_buffer(src);
    }
    status = queue->backend->queue_vtable.copy(queue->impl, params);
    if (status == ACCEL_OK)
        return ACCEL_OK;
    accel_hold_release(params->holds[0]);
    accel_hold_release(params->holds[1]);
    return accel_device_failed(function, queue->device, status);
}

static accel_status submit(const char *function, accel_queue *queue, side *dst, side *src)
{
    accel_copy_params params; /* extents and pitches above its dims stay unset */

    if (overlap(dst, src))
        return overlapping(function, dst, src);
    if (dst->far || src->far)
        return relay(function, queue, dst, src);
    accel_region_pair(&dst->region, &src->region, &params);
    params.dst = dst->ptr;
    params.src = src->ptr;
    params.dst_device = dst->device;
    params.src_device = src->device;
    return hand_over(function, queue, dst->buffer, src->buffer, &params);
}

/* M4: one of the devices is the queue's. */
static accel_status foreign(const char *function, const accel_queue *queue, const accel_buffer *buffer,
                            const accel_buffer *other)
{
    return accel_error_set(
        ACCEL_INVALID,
        "%s: the queue is of \"%s\", the buffers are of \"%s\"%s and \"%s\"%s; use a queue of one of their devices",
        function, queue->device->properties.name, buffer->device->properties.name,
        accel_queue_elsewhere(queue, buffer->device), other->device->properties.name,
        accel_queue_elsewhere(queue, other->device));
}

static accel_status match(const char *function, const accel_buffer *dst, const accel_buffer *src, const size_t given[],
                          size_t extent[])
{
    char a[144], b[144];
    accel_status status;

    if (dst->element_size != src->element_size)
        return accel_error_set(ACCEL_INVALID, "%s: elements of dst have %zu bytes, of src %zu; they must agree",
                               function, dst->element_size, src->element_size);
    if (dst->dims != src->dims)
        return accel_error_set(ACCEL_INVALID, "%s: dst has %u dimensions, src %u; they must agree", function, dst->dims,
                               src->dims);
    if (given == NULL) {
        for (uint32_t d = 0; d < dst->dims; ++d) {
            if (dst->extent[d] != src->extent[d])
                return accel_error_set(ACCEL_INVALID, "%s: dst has %s elements, src %s; give the extent to be copied",
                                       function, accel_extent_text(dst->dims, dst->extent, a),
                                       accel_extent_text(src->dims, src->extent, b));
            extent[d] = dst->extent[d];
        }
        return ACCEL_OK;
    }
    status = accel_buffer_extent(function, "dst", dst, given, extent);
    return status != ACCEL_OK ? status : accel_buffer_extent(function, "src", src, given, extent);
}

/* Whole buffers of the queue's device, usable, alike, without gaps, apart, and found by one address each: a row of bytes, whatever
 * their dimensions. Programs copy such in loops, where each check counts. The queue was checked, and so was its device. */
static inline bool are_rows(const accel_queue *queue, const accel_buffer *dst, const accel_buffer *src)
{
    bool by_host = dst->host_ptr != NULL && src->host_ptr != NULL;
    uintptr_t to = (uintptr_t)(by_host ? dst->host_ptr : dst->ptr);
    uintptr_t from = (uintptr_t)(by_host ? src->host_ptr : src->ptr);
    size_t bytes = dst->dense_bytes;

    if (dst->device != queue->root || src->device != queue->root || bytes == 0 || bytes != src->dense_bytes ||
        dst->element_size != src->element_size || dst->dims != src->dims ||
        ((dst->flags | src->flags) & ACCEL_BUFFER_MAPPED) != 0 || (to + bytes > from && from + bytes > to) ||
        dst->fork_generation != accel_guard_fork_generation || src->fork_generation != accel_guard_fork_generation)
        return false;
    for (uint32_t d = 1; d < dst->dims; ++d) { /* the first one follows from the bytes */
        if (dst->extent[d] != src->extent[d])
            return false;
    }
    return true;
}

/* Any copy between two buffers, with every check but that of the queue. Inline, so that no tail call takes accel_copy's frame,
 * by which accel-check knows what the host called. */
static inline __attribute__((always_inline)) accel_status
copy_any(const char *function, accel_queue *queue, accel_buffer *dst, accel_buffer *src, const size_t given[])
{
    size_t extent[ACCEL_MAX_DIMS];
    side to, from;
    accel_status status = usable(function, "dst", dst);

    if (status == ACCEL_OK)
        status = usable(function, "src", src);
    if (status != ACCEL_OK)
        return status;
    if (dst->device != queue->root && src->device != queue->root)
        return foreign(function, queue, dst, src);
    status = match(function, dst, src, given, extent);
    if (status != ACCEL_OK || accel_extent_empty(dst->dims, extent))
        return status;
    locate(queue, dst, &to);
    locate(queue, src, &from);
    accel_region_make(&to.region, dst->dims, extent, dst->pitch, dst->element_size);
    accel_region_make(&from.region, src->dims, extent, src->pitch, src->element_size);
    return submit(function, queue, &to, &from);
}

ACCEL_API accel_status accel_copy(accel_queue *queue, accel_buffer *dst, accel_buffer *src, const size_t given[])
{
    static const char function[] = "accel_copy";
    accel_copy_params params; /* extents and pitches above its dims stay unset */
    accel_status status = accel_queue_check(function, queue);

    if (status != ACCEL_OK)
        return status;
    if (given != NULL || dst == NULL || src == NULL || !are_rows(queue, dst, src))
        return copy_any(function, queue, dst, src, given);
    params.dims = 1;
    params.extent[0] = dst->dense_bytes;
    params.dst_pitch[0] = params.src_pitch[0] = 1;
    params.dst = dst->ptr;
    params.src = src->ptr;
    params.dst_device = params.src_device = queue->root->impl;
    return hand_over(function, queue, dst, src, &params);
}

accel_status accel_copy_first(const char *function, accel_queue *queue, accel_buffer *dst, accel_buffer *src)
{
    size_t extent = 1, pitch = src->element_size;
    side to, from;

    locate(queue, dst, &to);
    locate(queue, src, &from);
    accel_region_make(&to.region, 1, &extent, &pitch, src->element_size);
    from.region = to.region;
    return submit(function, queue, &to, &from);
}

/* All of a buffer, and host memory without gaps. */
static accel_status prepare(const char *function, accel_queue *queue, accel_buffer *buffer, const char *parameter,
                            const void *host, const char *host_parameter, side *device_side, side *host_side)
{
    accel_status status = accel_queue_check(function, queue);

    if (status == ACCEL_OK)
        status = usable(function, parameter, buffer);
    if (status != ACCEL_OK)
        return status;
    if (buffer->device != queue->root)
        return accel_queue_foreign_buffer(function, queue, buffer->device);
    if (accel_buffer_empty(buffer))
        return ACCEL_OK;
    if (host == NULL)
        return accel_error_null(function, host_parameter);
    locate(queue, buffer, device_side);
    accel_region_make(&device_side->region, buffer->dims, buffer->extent, buffer->pitch, buffer->element_size);
    host_side->buffer = NULL;
    host_side->device = NULL;
    host_side->far = false;
    host_side->ptr = (void *)(uintptr_t)host; /* written to only by accel_read, which was given a plain pointer */
    accel_region_make(&host_side->region, buffer->dims, buffer->extent, buffer->pitch, buffer->element_size);
    for (uint32_t d = buffer->dims - 1; d > 0; --d)
        host_side->region.pitch[d - 1] = host_side->region.pitch[d] * host_side->region.extent[d];
    return ACCEL_OK;
}

ACCEL_API accel_status accel_write(accel_queue *queue, accel_buffer *dst, const void *src)
{
    static const char function[] = "accel_write";
    side to, from;
    accel_status status = prepare(function, queue, dst, "dst", src, "src", &to, &from);

    if (status != ACCEL_OK || accel_buffer_empty(dst))
        return status;
    return submit(function, queue, &to, &from);
}

ACCEL_API accel_status accel_read(accel_queue *queue, void *dst, accel_buffer *src)
{
    static const char function[] = "accel_read";
    side to, from;
    accel_status status = prepare(function, queue, src, "src", dst, "dst", &from, &to);

    if (status != ACCEL_OK || accel_buffer_empty(src))
        return status;
    return submit(function, queue, &to, &from);
}

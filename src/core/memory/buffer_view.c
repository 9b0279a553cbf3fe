/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of buffers, and what a buffer tells about itself. */
#include "core/base/allocate.h"
#include "core/memory/buffer.h"
#include "core/api/device.h"
#include "core/api/instance.h"
#include "core/api/released.h"
#include "core/base/error.h"
#include "core/memory/extent.h"
#include "core/base/struct_size.h"

#include <stdio.h>
#include <string.h>

bool accel_buffer_empty(const accel_buffer *buffer)
{
    return accel_extent_empty(buffer->dims, buffer->extent);
}

const char *accel_buffer_text(const accel_buffer *buffer, char text[320])
{
    char extent[144];

    snprintf(text, 320, "buffer of %s elements of %zu bytes on \"%s\"",
             accel_extent_text(buffer->dims, buffer->extent, extent), buffer->element_size,
             buffer->device->properties.name);
    return text;
}

accel_status accel_buffer_extent(const char *function, const char *parameter, const accel_buffer *buffer,
                                 const size_t given[], size_t extent[ACCEL_MAX_DIMS])
{
    char text[320];

    for (uint32_t d = 0; d < buffer->dims; ++d) {
        extent[d] = given != NULL ? given[d] : buffer->extent[d];
        if (extent[d] > buffer->extent[d])
            return accel_error_set(ACCEL_INVALID, "%s: extent[%u] is %zu, more than %s has: a %s", function, d,
                                   extent[d], parameter, accel_buffer_text(buffer, text));
    }
    return ACCEL_OK;
}

/* Checks offset and extent of a view, and writes its extent and how far its first element lies behind the buffer's. */
static accel_status place(const accel_buffer *buffer, const size_t offset[], const size_t given[], size_t extent[],
                          size_t *shift)
{
    char text[320];

    *shift = 0;
    for (uint32_t d = 0; d < buffer->dims; ++d) {
        size_t first = offset != NULL ? offset[d] : 0;
        if (first > buffer->extent[d])
            return accel_error_set(ACCEL_INVALID,
                                   "accel_buffer_view: offset[%u] is %zu, behind the end of the %s; make it smaller", d,
                                   first, accel_buffer_text(buffer, text));
        extent[d] = given != NULL ? given[d] : buffer->extent[d] - first;
        if (extent[d] > buffer->extent[d] - first)
            return accel_error_set(
                ACCEL_INVALID,
                "accel_buffer_view: offset[%u] %zu plus extent[%u] %zu is more than the %s has; make one smaller", d,
                first, d, extent[d], accel_buffer_text(buffer, text));
        *shift += first * buffer->pitch[d];
    }
    if (accel_extent_empty(buffer->dims, extent)) /* no first element to point to */
        *shift = 0;
    return ACCEL_OK;
}

static void tell(const accel_backend *backend, const accel_buffer *buffer, uint32_t use)
{
    accel_memory_view region = {
        .struct_size = sizeof(region), .dims = buffer->dims, .ptr = buffer->ptr, .element_size = buffer->element_size};

    memcpy(region.extent, buffer->extent, sizeof(region.extent));
    memcpy(region.pitch, buffer->pitch, sizeof(region.pitch));
    backend->backend_vtable.memory_viewed(buffer, use, &region);
}

void accel_buffer_tell(const accel_buffer *view, uint32_t use)
{
    tell(view->allocator->backend, view, use);
}

static bool listens(const accel_backend *backend, const accel_buffer *buffer)
{
    return backend != NULL && backend->backend_vtable.memory_viewed != NULL && !accel_buffer_empty(buffer);
}

void accel_buffer_tell_host(const accel_buffer *buffer)
{
    const accel_backend *checker = buffer->device->instance->checker;

    if (listens(checker, buffer) && buffer->host_ptr != NULL &&
        (buffer->memory == NULL || buffer->allocator->backend != checker))
        tell(checker, buffer, ACCEL_VIEW_HOST);
}

ACCEL_API accel_status accel_buffer_view(accel_buffer *buffer, const size_t offset[], const size_t given[],
                                         accel_buffer **out)
{
    static const char function[] = "accel_buffer_view";
    size_t extent[ACCEL_MAX_DIMS] = {0}, shift;
    accel_buffer *view;
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (buffer == NULL)
        return accel_error_null(function, "whole");
    if (out == NULL)
        return accel_error_null(function, "view");
    status = accel_device_usable(function, "whole", buffer->device, buffer->fork_generation);
    if (status == ACCEL_OK)
        status = place(buffer, offset, given, extent, &shift);
    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();

    view = accel_allocate(sizeof(*view));
    if (view == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    accel_reference_init(&view->reference);
    view->owner = ACCEL_OWNER_PARENT;
    view->flags = buffer->flags;
    view->device = accel_device_retain(buffer->device);
    view->allocator = accel_device_retain(buffer->allocator);
    view->parent = accel_buffer_retain(buffer->parent != NULL ? buffer->parent : buffer);
    view->fork_generation = buffer->fork_generation;
    view->dims = buffer->dims;
    view->element_size = buffer->element_size;
    memcpy(view->extent, extent, sizeof(extent));
    memcpy(view->pitch, buffer->pitch, sizeof(view->pitch));
    view->dense_bytes = accel_extent_dense(view->dims, view->extent, view->pitch, view->element_size);
    view->ptr = buffer->ptr != NULL ? (char *)buffer->ptr + shift : NULL;
    view->host_ptr = buffer->host_ptr != NULL ? (char *)buffer->host_ptr + shift : NULL;
    view->is_told = listens(view->allocator->backend, view) && view->ptr != NULL;
    if (view->is_told)
        accel_buffer_tell(view, ACCEL_VIEW_MADE);
    *out = view;
    return ACCEL_OK;
}

ACCEL_API void *accel_buffer_ptr(const accel_buffer *buffer)
{
    if (buffer == NULL)
        return NULL;
    accel_released_query("accel_buffer_ptr", buffer->fork_generation);
    if (__builtin_expect(buffer->is_told, 0))
        accel_buffer_tell(buffer, ACCEL_VIEW_ADDRESSED);
    return buffer->ptr;
}

ACCEL_API accel_status accel_buffer_info(const accel_buffer *buffer, accel_buffer_properties *out)
{
    accel_buffer_properties properties = ACCEL_BUFFER_PROPERTIES_INIT;

    if (buffer == NULL)
        return accel_error_null("accel_buffer_info", "buffer");
    if (out == NULL)
        return accel_error_null("accel_buffer_info", "properties");
    if (accel_is_released(buffer->fork_generation))
        return accel_released_use("accel_buffer_info", buffer->fork_generation);
    properties.flags = buffer->flags;
    properties.element_size = buffer->element_size;
    properties.dims = buffer->dims;
    properties.is_view = buffer->owner == ACCEL_OWNER_PARENT;
    memcpy(properties.extent, buffer->extent, sizeof(properties.extent));
    memcpy(properties.pitch, buffer->pitch, sizeof(properties.pitch));
    properties.span_bytes = accel_extent_span(buffer->dims, buffer->extent, buffer->pitch, buffer->element_size);
    properties.host_ptr = buffer->host_ptr;
    properties.device = buffer->device;
    return accel_struct_export("accel_buffer_info", "accel_buffer_properties", out, &properties, sizeof(properties));
}

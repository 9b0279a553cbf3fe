/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory/buffer.h"
#include "core/api/queue.h"
#include "core/base/error.h"
#include "core/memory/extent.h"
#include "core/memory/region.h"

#include <string.h>

#define LARGEST_PATTERN 4096u /* M7 */

static const char function[] = "accel_fill";

static accel_status check(accel_queue *queue, const accel_buffer *buffer, const void *pattern, size_t pattern_size)
{
    accel_status status = accel_queue_check(function, queue);

    if (status != ACCEL_OK)
        return status;
    if (buffer == NULL)
        return accel_error_null(function, "buffer");
    status = accel_device_usable(function, "buffer", buffer->device, buffer->fork_generation);
    if (status != ACCEL_OK)
        return status;
    if (buffer->device != queue->root)
        return accel_queue_foreign_buffer(function, queue, buffer->device);
    if (pattern == NULL)
        return accel_error_null(function, "pattern");
    if (pattern_size == 0 || pattern_size > LARGEST_PATTERN)
        return accel_error_set(ACCEL_INVALID, "%s: pattern_size is %zu; 1 to %u bytes are possible", function,
                               pattern_size, LARGEST_PATTERN);
    return ACCEL_OK;
}

/* M7: a row of so many bytes has whole patterns. */
static accel_status check_row(const accel_buffer *buffer, const size_t extent[], size_t pattern_size)
{
    size_t row = extent[buffer->dims - 1] * buffer->element_size;
    bool is_power = (pattern_size & (pattern_size - 1)) == 0; /* a division takes as long as all other checks */

    if ((is_power ? row & (pattern_size - 1) : row % pattern_size) == 0)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID,
                           "%s: a row of %zu bytes (%zu elements of %zu) is no whole number of patterns of %zu "
                           "bytes; fill in parts, or "
                           "with a pattern that divides it",
                           function, row, extent[buffer->dims - 1], buffer->element_size, pattern_size);
}

/* Writes extents and pitches. ACCEL_OK without elements, too: then the first extent is 0. */
static accel_status make_region(const accel_buffer *buffer, size_t pattern_size, const size_t given[],
                                accel_fill_params *params)
{
    size_t extent[ACCEL_MAX_DIMS];
    accel_region region;
    accel_status status = accel_buffer_extent(function, "buffer", buffer, given, extent);

    if (status == ACCEL_OK)
        status = check_row(buffer, extent, pattern_size);
    params->extent[0] = 0;
    if (status != ACCEL_OK || accel_extent_empty(buffer->dims, extent))
        return status;
    accel_region_make(&region, buffer->dims, extent, buffer->pitch, buffer->element_size);
    accel_region_merge(&region);
    params->dims = region.dims;
    memcpy(params->extent, region.extent, region.dims * sizeof(size_t));
    memcpy(params->pitch, region.pitch, region.dims * sizeof(size_t));
    return ACCEL_OK;
}

ACCEL_API accel_status accel_fill(accel_queue *queue, accel_buffer *buffer, const void *pattern, size_t pattern_size,
                                  const size_t given[])
{
    accel_fill_params params; /* extents and pitches above its dims stay unset */
    accel_status status = check(queue, buffer, pattern, pattern_size);

    if (status != ACCEL_OK)
        return status;
    if (given == NULL && buffer->dense_bytes != 0) { /* one row, whatever its dimensions */
        status = check_row(buffer, buffer->extent, pattern_size);
        params.dims = 1;
        params.extent[0] = buffer->dense_bytes;
        params.pitch[0] = 1;
    } else {
        status = make_region(buffer, pattern_size, given, &params);
    }
    if (status != ACCEL_OK || params.extent[0] == 0)
        return status;

    params.struct_size = sizeof(params);
    params.pattern = pattern;
    params.pattern_size = pattern_size;
    params.dst = buffer->ptr;
    params.hold = accel_queue_blocking(queue) ? NULL : accel_hold_buffer(buffer);
    status = queue->backend->queue_vtable.fill(queue->impl, &params);
    if (status == ACCEL_OK)
        return ACCEL_OK;
    accel_hold_release(params.hold);
    return accel_device_failed(function, queue->device, status);
}

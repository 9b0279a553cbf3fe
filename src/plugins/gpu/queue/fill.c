/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills. Patterns that repeat after 1, 2 or 4 bytes are the driver's own. Others, and rows that the driver cannot fill at
 * once, are written once and then copied on, as much again with every copy.
 */
#include "plugins/gpu/transfer/decomposition.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/gpu/queue/retire_list.h"
#include "plugins/gpu/queue/staged_copy.h"

#include <stdlib.h>
#include <string.h>

typedef struct filling {
    accel_impl_queue *queue;
    const accel_fill_params *params;
    size_t unit; /* 1, 2, 4: bytes after which the pattern repeats and to which everything is aligned; 0: neither */
    uint32_t value;
    accel_status status;
} filling;

static gpu_result check(filling *f, gpu_result result)
{
    if (result != 0)
        f->status = gpu_device_failed(f->queue->device, "fill", result);
    return result;
}

/* Does the pattern repeat after `unit` bytes? */
static bool repeats(const unsigned char *pattern, size_t size, size_t unit)
{
    return size % unit == 0 && memcmp(pattern, pattern + unit, size - unit) == 0;
}

static void find_unit(filling *f)
{
    const accel_fill_params *p = f->params;
    const unsigned char *pattern = p->pattern;
    uintptr_t places = (uintptr_t)p->dst;

    for (uint32_t d = 0; d + 1 < p->dims; ++d)
        places |= p->pitch[d];
    for (size_t unit = 1; unit <= 4; unit *= 2) {
        if (!repeats(pattern, p->pattern_size, unit))
            continue;
        if (places % unit == 0)
            f->unit = unit;
        break;
    }
    memcpy(&f->value, pattern, f->unit);
}

static gpu_result fill_units(const filling *f, unsigned char *ptr, size_t count)
{
    const gpu_driver *driver = f->queue->device->driver;
    gpu_stream stream = f->queue->stream;

    if (f->unit == 1)
        return driver->fill_8(ptr, (uint8_t)f->value, count, stream);
    if (f->unit == 2)
        return driver->fill_16(ptr, (uint16_t)f->value, count, stream);
    return driver->fill_32(ptr, f->value, count, stream);
}

static bool has_fill_2d(const filling *f)
{
    const gpu_driver *driver = f->queue->device->driver;

    return (f->unit == 1 && driver->fill_2d_8 != NULL) || (f->unit == 2 && driver->fill_2d_16 != NULL) ||
           (f->unit == 4 && driver->fill_2d_32 != NULL);
}

static gpu_result fill_rows(const filling *f, unsigned char *ptr, size_t pitch, size_t count, size_t rows)
{
    const gpu_driver *driver = f->queue->device->driver;
    gpu_stream stream = f->queue->stream;

    if (f->unit == 1)
        return driver->fill_2d_8(ptr, pitch, (uint8_t)f->value, count, rows, stream);
    if (f->unit == 2)
        return driver->fill_2d_16(ptr, pitch, (uint16_t)f->value, count, rows, stream);
    return driver->fill_2d_32(ptr, pitch, f->value, count, rows, stream);
}

static gpu_result copy_part(void *user, const gpu_copy_3d *part)
{
    filling *f = user;
    const gpu_driver *driver = f->queue->device->driver;

    return check(f, part->height == 1 && part->depth == 1
                        ? driver->copy(part->dst, part->src, part->width, f->queue->stream)
                        : driver->copy_3d(part, f->queue->stream));
}

/* Dimensions from d + 1 on are filled at the origin: copies them on along dimension d. */
static void spread(filling *f, uint32_t d, unsigned char *ptr)
{
    const accel_fill_params *p = f->params;
    accel_copy_params copy = {.struct_size = sizeof(copy), .dims = p->dims - d, .src = ptr};

    copy.dst_device = copy.src_device = f->queue->device;
    memcpy(copy.extent, p->extent + d, copy.dims * sizeof(size_t));
    memcpy(copy.dst_pitch, p->pitch + d, copy.dims * sizeof(size_t));
    memcpy(copy.src_pitch, p->pitch + d, copy.dims * sizeof(size_t));
    for (size_t done = 1; done < p->extent[d] && f->status == ACCEL_OK;) {
        copy.extent[0] = done < p->extent[d] - done ? done : p->extent[d] - done;
        copy.dst = ptr + done * p->pitch[d];
        gpu_decompose_copy(&copy, (size_t)f->queue->device->attributes[GPU_ATTRIBUTE_MAX_PITCH], copy_part, f);
        done += copy.extent[0];
    }
}

/* One row of a pattern that no driver knows. */
static void write_row(filling *f, unsigned char *ptr)
{
    const accel_fill_params *p = f->params;
    size_t width = p->extent[p->dims - 1], done = width;

    f->status = gpu_write_pattern(f->queue, ptr, p->pattern, p->pattern_size, &done);
    while (done < width && f->status == ACCEL_OK) {
        size_t more = done < width - done ? done : width - done;
        check(f, f->queue->device->driver->copy(ptr + done, ptr, more, f->queue->stream));
        done += more;
    }
}

static void fill_from(filling *f, uint32_t d, unsigned char *ptr)
{
    enum { WORTH_A_CALL = 64 << 10 }; /* bytes of a plane */
    const accel_fill_params *p = f->params;
    uint32_t left = p->dims - d;
    size_t width = p->extent[p->dims - 1], pitch = left > 1 ? p->pitch[p->dims - 2] : width;
    size_t max_pitch = (size_t)f->queue->device->attributes[GPU_ATTRIBUTE_MAX_PITCH];
    bool rows = f->unit != 0 && has_fill_2d(f) && pitch <= max_pitch;

    if (left == 1 && f->unit != 0)
        check(f, fill_units(f, ptr, width / f->unit));
    else if (left == 1)
        write_row(f, ptr);
    else if (left == 2 && rows)
        check(f, fill_rows(f, ptr, pitch, width / f->unit, p->extent[d]));
    else if (left == 3 && rows && p->pitch[d] == p->extent[d + 1] * pitch)
        check(f, fill_rows(f, ptr, pitch, width / f->unit, p->extent[d] * p->extent[d + 1]));
    else if (left > 2 && rows && p->extent[p->dims - 2] * width >= WORTH_A_CALL)
        for (size_t i = 0; i < p->extent[d] && f->status == ACCEL_OK; ++i)
            fill_from(f, d + 1, ptr + i * p->pitch[d]);
    else {
        fill_from(f, d + 1, ptr);
        spread(f, d, ptr);
    }
}

/* With the context current; the queue admits it. */
static accel_status fill_now(accel_impl_queue *queue, const accel_fill_params *params)
{
    filling f = {.queue = queue, .params = params};
    gpu_retired *retired;
    accel_status status = gpu_retired_make(queue->device, params->hold, NULL, &retired);

    if (status != ACCEL_OK)
        return status;
    find_unit(&f);
    fill_from(&f, 0, params->dst);
    if (f.status == ACCEL_OK)
        gpu_retire_add(queue, retired);
    else
        gpu_retired_discard(queue->device, retired);
    return f.status;
}

/* A fill that is deferred. */
typedef struct fill_command {
    gpu_command command;
    accel_fill_params params;
    unsigned char pattern[];
} fill_command;

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    fill_command *own = (fill_command *)(void *)command;
    accel_status status = ACCEL_INTERNAL;
    gpu_scope scope;

    if (gpu_deferred_enter(queue, &scope)) {
        status = gpu_queue_fail(queue, fill_now(queue, &own->params));
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK)
        gpu_host()->hold_release(own->params.hold);
    free(own);
}

static accel_status defer(accel_impl_queue *queue, const accel_fill_params *params)
{
    fill_command *own = gpu_command_make(queue, sizeof(*own) + params->pattern_size, run_command);

    if (own == NULL)
        return ACCEL_OUT_OF_MEMORY;
    own->params = *params;
    memcpy(own->pattern, params->pattern, params->pattern_size);
    own->params.pattern = own->pattern;
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

static accel_status fill_in_turn(accel_impl_queue *queue, const accel_fill_params *params)
{
    static const char what[] = "fill";
    accel_status status = ACCEL_OK;
    gpu_scope scope;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER)
        return defer(queue, params);
    if (admission == GPU_SKIP)
        gpu_host()->hold_release(params->hold);
    if (admission != GPU_SUBMIT)
        return status;
    status = gpu_scope_enter(&scope, queue->device, what);
    if (status != ACCEL_OK)
        return status;
    status = fill_now(queue, params);
    gpu_scope_leave(&scope, queue->device);
    return status == ACCEL_OK && queue->blocking ? gpu_queue_finish(queue, what) : status;
}

accel_status gpu_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    gpu_queue_enter(queue);
    accel_status status = fill_in_turn(queue, params);
    gpu_queue_leave(queue);
    return status;
}

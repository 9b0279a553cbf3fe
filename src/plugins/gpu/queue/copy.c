/* SPDX-License-Identifier: Apache-2.0 */
/* Copies. Between pinned memory and devices they are the driver's own; to and from pageable memory see staged_copy.h. */
#include "plugins/gpu/engine/peer.h"
#include "plugins/gpu/transfer/decomposition.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/held_copy.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/gpu/queue/retire_list.h"
#include "plugins/gpu/queue/staged_copy.h"

#include <stdlib.h>

/* A copy on its way through its parts. */
typedef struct copying {
    accel_impl_queue *queue;
    accel_impl_device *dst, *src; /* of two devices; else NULL */
} copying;

static bool is_flat(const gpu_copy_3d *part)
{
    return part->height == 1 && part->depth == 1;
}

static gpu_result copy_part(void *user, const gpu_copy_3d *part)
{
    const copying *c = user;
    const gpu_driver *driver = c->queue->device->driver;

    return is_flat(part) ? driver->copy(part->dst, part->src, part->width, c->queue->stream)
                         : driver->copy_3d(part, c->queue->stream);
}

/* Between two devices: row by row, unless the driver knows more. */
static gpu_result copy_peer_part(void *user, const gpu_copy_3d *part)
{
    const copying *c = user;
    const gpu_driver *driver = c->queue->device->driver;
    gpu_stream stream = c->queue->stream;
    gpu_result result = 0;

    if (!is_flat(part) && driver->copy_peer_3d != NULL)
        return driver->copy_peer_3d(part, c->dst->context, c->src->context, stream);
    if (!is_flat(part) && gpu_peer_is_direct(c->dst, c->src))
        return driver->copy_3d(part, stream);
    for (size_t z = 0; z < part->depth; ++z) {
        for (size_t y = 0; y < part->height && result == 0; ++y)
            result = driver->copy_peer((unsigned char *)part->dst + (z * part->dst_rows + y) * part->dst_pitch,
                                       c->dst->context,
                                       (const unsigned char *)part->src + (z * part->src_rows + y) * part->src_pitch,
                                       c->src->context, part->width, stream);
    }
    return result;
}

/* Would the driver make the caller wait? */
static bool is_pageable(const accel_impl_queue *queue, const accel_copy_params *p)
{
    gpu_pinned *pinned = &queue->device->backend->pinned;

    if (queue->blocking) /* the caller waits anyway */
        return false;
    return (p->dst_device == NULL &&
            !gpu_pinned_holds(pinned, p->dst, gpu_copy_span(p->dims, p->extent, p->dst_pitch))) ||
           (p->src_device == NULL &&
            !gpu_pinned_holds(pinned, p->src, gpu_copy_span(p->dims, p->extent, p->src_pitch)));
}

static accel_status submit(accel_impl_queue *queue, const accel_copy_params *p)
{
    accel_impl_device *device = queue->device;
    copying c = {.queue = queue};
    gpu_copy_part part = copy_part;

    if (is_pageable(queue, p))
        return gpu_copy_staged(queue, p);
    if (p->dst_device != NULL && p->src_device != NULL && p->dst_device != p->src_device) {
        c.dst = p->dst_device;
        c.src = p->src_device;
        part = copy_peer_part;
        gpu_peer_connect(c.dst, c.src);
    }
    gpu_result result = gpu_decompose_copy(p, (size_t)device->attributes[GPU_ATTRIBUTE_MAX_PITCH], part, &c);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, "copy", result);
}

static bool may_be_held(const accel_impl_queue *queue, const accel_copy_params *params)
{
    return gpu_copy_may_be_held(queue, params) && is_pageable(queue, params);
}

/* With the context current; the queue admits it. */
static accel_status copy_now(accel_impl_queue *queue, const accel_copy_params *params, bool held)
{
    gpu_retired *retired;
    accel_status status = gpu_retired_make(queue->device, params->holds[0], params->holds[1], &retired);

    if (status != ACCEL_OK && held)
        gpu_copy_hold_not(queue);
    if (status != ACCEL_OK)
        return status;
    status = held ? gpu_copy_hold(queue, params, retired) : submit(queue, params);
    if (status != ACCEL_OK)
        gpu_retired_discard(queue->device, retired);
    else if (!held)
        gpu_retire_add(queue, retired);
    return status;
}

/* A copy that is deferred. */
typedef struct copy_command {
    gpu_command command;
    accel_copy_params params;
} copy_command;

static void give_back(accel_hold *const holds[2])
{
    gpu_host()->hold_release(holds[0]);
    gpu_host()->hold_release(holds[1]);
}

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    copy_command *own = PLUGIN_OWNER(command, copy_command, command);
    accel_status status = ACCEL_INTERNAL;
    bool holds = command->holds, held = false;
    gpu_scope scope;

    if (gpu_deferred_enter(queue, &scope)) {
        held = holds && gpu_copy_hold_begin(queue);
        status = gpu_queue_fail(queue, copy_now(queue, &own->params, held));
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK)
        give_back(own->params.holds);
    free(own);
    if (holds && (!held || status != ACCEL_OK))
        gpu_deferred_resume(queue);
}

static accel_status defer(accel_impl_queue *queue, const accel_copy_params *params)
{
    copy_command *own = gpu_command_make(queue, sizeof(*own), run_command);

    if (own == NULL)
        return ACCEL_OUT_OF_MEMORY;
    own->params = *params;
    own->command.holds = may_be_held(queue, params);
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

/* What follows is deferred from now on: the copier may be done before this thread goes on. */
static accel_status hold(accel_impl_queue *queue, const accel_copy_params *params)
{
    gpu_deferred_hold(queue);
    accel_status status = copy_now(queue, params, true);
    if (status != ACCEL_OK)
        gpu_deferred_resume(queue);
    return status;
}

static accel_status copy_in_turn(accel_impl_queue *queue, const accel_copy_params *params)
{
    static const char what[] = "copy";
    accel_status status = ACCEL_OK;
    gpu_scope scope;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER)
        return defer(queue, params);
    if (admission == GPU_SKIP)
        give_back(params->holds);
    if (admission != GPU_SUBMIT)
        return status;
    status = gpu_scope_enter(&scope, queue->device, what);
    if (status != ACCEL_OK)
        return status;
    bool held = may_be_held(queue, params) && gpu_copy_hold_begin(queue);
    status = held ? hold(queue, params) : copy_now(queue, params, false);
    gpu_scope_leave(&scope, queue->device);
    return status == ACCEL_OK && queue->blocking ? gpu_queue_finish(queue, what) : status;
}

accel_status gpu_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    gpu_queue_enter(queue);
    accel_status status = copy_in_turn(queue, params);
    gpu_queue_leave(queue);
    return status;
}

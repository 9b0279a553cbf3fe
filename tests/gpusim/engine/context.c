/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "device.h"
#include "entry.h"
#include "event.h"
#include "memory.h"
#include "module.h"
#include "report.h"
#include "stream.h"
#include "thread.h"

#include <stddef.h>

/* ---------------------------------------------------------------------------------------------- current -- */

sim_context *sim_current_any(void)
{
    return sim_thread_here.depth > 0 ? sim_thread_here.stack[sim_thread_here.depth - 1] : NULL;
}

sim_status sim_context_state(const sim_context *context)
{
    if (!context->object.alive)
        return SIM_CONTEXT_IS_DESTROYED;
    return context->device->lost ? SIM_DEVICE_LOST : context->failure;
}

sim_status sim_current(sim_context **context)
{
    *context = sim_current_any();
    return *context == NULL ? SIM_INVALID_CONTEXT : sim_context_state(*context);
}

/* A context that may be made current; NULL for NULL. */
static sim_status found(void *handle, sim_context **context)
{
    *context = handle != NULL ? sim_object_live(SIM_CONTEXT, handle) : NULL;
    return handle != NULL && *context == NULL ? SIM_INVALID_CONTEXT : SIM_OK;
}

sim_status sim_context_of(void *handle, sim_context **context)
{
    return handle != NULL ? found(handle, context) : sim_current(context);
}

sim_status sim_context_set(void *handle)
{
    sim_thread *thread = &sim_thread_here;
    sim_context *context;
    sim_status status = found(handle, &context);
    if (status != SIM_OK)
        return status;
    if (thread->depth == 0 && context == NULL)
        return SIM_OK;
    if (thread->depth == 0)
        thread->depth = 1;
    thread->stack[thread->depth - 1] = context;
    if (context == NULL)
        --thread->depth;
    return SIM_OK;
}

sim_status sim_context_get(void **handle)
{
    sim_context *context = sim_current_any();
    *handle = context != NULL ? context->object.handle : NULL;
    return SIM_OK;
}

sim_status sim_context_push(void *handle)
{
    sim_thread *thread = &sim_thread_here;
    sim_context *context;
    sim_status status = found(handle, &context);
    if (status != SIM_OK || context == NULL)
        return SIM_INVALID_CONTEXT;
    if (thread->depth == SIM_CONTEXT_STACK)
        return SIM_INVALID_VALUE;
    thread->stack[thread->depth++] = context;
    return SIM_OK;
}

sim_status sim_context_pop(void **handle)
{
    sim_thread *thread = &sim_thread_here;
    if (thread->depth == 0)
        return SIM_INVALID_CONTEXT;
    sim_context *context = thread->stack[--thread->depth];
    if (handle != NULL)
        *handle = context != NULL ? context->object.handle : NULL;
    return SIM_OK;
}

/* ------------------------------------------------------------------------------------------------- life -- */

static sim_status open_context(sim_context *context)
{
    sim_status status = context->device->lost ? SIM_DEVICE_LOST : sim_device_start(context->device);
    if (status != SIM_OK)
        return status;
    context->object.alive = true;
    context->failure = SIM_OK;
    context->default_stream = sim_stream_default(context);
    return context->default_stream != NULL ? SIM_OK : SIM_OUT_OF_MEMORY;
}

/* Waits for its work; what the program left in it goes with it, and is told. */
static void close_context(sim_context *context)
{
    sim_streams_synchronize(context);
    if (!context->object.alive)
        return; /* another thread was quicker */
    bool lives = sim_context_state(context) == SIM_OK;
    size_t streams = sim_streams_drop(context), events = sim_events_drop(context), modules = sim_modules_drop(context),
           memory = sim_memory_drop(context);
    if (lives && streams + events + modules + memory > 0)
        sim_violation("order",
                      "the context of device %u ends with %zu streams, %zu events, %zu modules and %zu blocks of "
                      "memory alive",
                      context->device->ordinal, streams, events, modules, memory);
    for (unsigned i = 0; i < sim_settings_here.devices; ++i)
        if (context->peers & 1u << i)
            sim_memory_share(context->device, &sim_devices[i], false);
    context->peers = 0;
    context->object.alive = false;
}

sim_status sim_context_retain(int ordinal, void **handle)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    sim_context *context = device->primary;
    if (!context->object.alive) {
        sim_status status = open_context(context);
        if (status != SIM_OK)
            return status;
    }
    ++context->references;
    *handle = context->object.handle;
    return SIM_OK;
}

sim_status sim_context_release(int ordinal)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    sim_context *context = device->primary;
    if (context->references == 0) {
        sim_violation("order", "the primary context of device %d is released more often than retained", ordinal);
        return SIM_INVALID_CONTEXT;
    }
    if (--context->references == 0 && !context->implicit)
        close_context(context);
    return SIM_OK;
}

sim_status sim_context_reset(int ordinal)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    if (device->primary->object.alive)
        close_context(device->primary);
    device->primary->references = 0;
    return SIM_OK;
}

sim_status sim_context_use(int ordinal)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    sim_context *context = device->primary;
    if (!context->object.alive) {
        sim_status status = open_context(context);
        if (status != SIM_OK)
            return status;
        context->implicit = true;
    }
    return sim_context_set(context->object.handle);
}

sim_status sim_context_primary_state(int ordinal, unsigned *flags, int *active)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    *flags = device->primary->flags;
    *active = device->primary->object.alive;
    return SIM_OK;
}

sim_status sim_context_create(int ordinal, unsigned flags, void **handle)
{
    sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    sim_context *context = sim_object_new(SIM_CONTEXT, sizeof *context);
    if (context == NULL)
        return SIM_OUT_OF_MEMORY;
    context->object.context = context;
    context->device = device;
    context->flags = flags;
    sim_status status = open_context(context);
    if (status == SIM_OK)
        status = sim_context_push(context->object.handle);
    if (status == SIM_OK)
        *handle = context->object.handle;
    return status;
}

sim_status sim_context_destroy(void *handle)
{
    sim_context *context = sim_object_live(SIM_CONTEXT, handle);
    if (context == NULL || context->primary)
        return SIM_INVALID_CONTEXT;
    close_context(context);
    if (sim_current_any() == context)
        --sim_thread_here.depth;
    return SIM_OK;
}

sim_status sim_context_synchronize(void)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    sim_streams_synchronize(context);
    return sim_context_state(context);
}

/* ------------------------------------------------------------------------------------------------- peers -- */

sim_status sim_context_enable_peer(const sim_device *peer)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    unsigned here = context->device->ordinal, there = peer->ordinal;
    if (here == there)
        return SIM_INVALID_DEVICE;
    if (!sim_settings_here.peer[here][there])
        return SIM_PEER_ACCESS_UNSUPPORTED;
    if (context->peers & 1u << there)
        return SIM_PEER_ACCESS_ALREADY_ENABLED;
    status = sim_memory_share(context->device, peer, true);
    if (status == SIM_OK)
        context->peers |= 1u << there;
    return status;
}

sim_status sim_context_disable_peer(const sim_device *peer)
{
    sim_context *context;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    unsigned there = peer->ordinal;
    if ((context->peers & 1u << there) == 0)
        return SIM_PEER_ACCESS_NOT_ENABLED;
    context->peers &= ~(1u << there);
    return sim_memory_share(context->device, peer, false);
}

void sim_context_fail(sim_context *context, sim_status status)
{
    if (context->failure == SIM_OK) {
        sim_log("context of device %u fails with %d", context->device->ordinal, (int)status);
        context->failure = status;
    }
}

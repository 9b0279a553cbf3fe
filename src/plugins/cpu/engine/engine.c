/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/memory.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/queue.h"

_Atomic(const accel_host_services *) cpu_host_services;

static accel_status can_access(accel_impl_device *device, accel_impl_device *peer, bool *yes)
{
    (void)device;
    (void)peer;
    *yes = true;
    return ACCEL_OK;
}

static uint32_t target_rank(accel_impl_device *device, const char *target, const char *format, char *reason,
                            size_t reason_size)
{
    const cpu_observer *observer = device->backend->executor->observer;
    if (observer != NULL)
        return observer->target_rank(target, format, reason, reason_size);
    return cpu_target_rank(device->backend->isa_level, &device->backend->isa, target, format, reason, reason_size);
}

static void free_memory(accel_impl_device *device, accel_impl_memory *memory)
{
    (void)device;
    cpu_retire(memory);
}

const accel_device_vtable cpu_device_vtable = {
    .struct_size = sizeof(accel_device_vtable),
    .close = cpu_device_release,
    .info = cpu_device_info,
    .topology = cpu_device_topology,
    .native = NULL,
    .partition = cpu_device_partition,
    .memory = cpu_device_memory,
    .can_access = can_access,
    .allocate = cpu_memory_allocate,
    .free = free_memory,
    .queue_create = cpu_queue_create,
    .queue_wrap = NULL,
    .event_create = cpu_event_create,
    .target_rank = target_rank,
    .image_rank = NULL,
    .module_load = cpu_module_load,
};

static uint32_t device_count(accel_impl_backend *backend)
{
    (void)backend;
    return 1;
}

static accel_status device_open(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **device)
{
    (void)ordinal; /* 0 */
    return cpu_device_open(backend, device);
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = sizeof(accel_backend_vtable),
    .close = cpu_backend_close,
    .device_count = device_count,
    .device_open = device_open,
};

accel_status cpu_backend_open(const cpu_executor *executor, const accel_host_services *host, accel_open_result *result)
{
    atomic_store_explicit(&cpu_host_services, host, memory_order_relaxed);
    accel_status status = cpu_backend_make(executor, &result->state, &result->backend);
    if (status != ACCEL_OK)
        return status;
    result->state = ACCEL_BACKEND_USABLE;
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &cpu_device_vtable;
    result->queue_vtable = &cpu_queue_vtable;
    result->event_vtable = &cpu_event_vtable;
    result->module_vtable = &cpu_module_vtable;
    if (executor->observer != NULL)
        executor->observer->opened(result);
    return ACCEL_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/backend.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/engine/object.h"
#include "plugins/gpu/engine/peer.h"
#include "plugins/gpu/engine/stage.h"
#include "plugins/gpu/queue/event.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/gpu/transfer/copier.h"

#include <stdio.h>
#include <stdlib.h>

static void release_backend(accel_impl_backend *backend)
{
    if (!plugin_reference_release(&backend->references))
        return;
    gpu_pinned_clear(&backend->pinned);
    free(backend);
}

/* ------------------------------------------------------------------------------------------ devices -- */

/* The context and what the engine keeps in it. */
static void end_context(accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;
    gpu_scope scope;

    if (gpu_scope_enter_to_release(&scope, device, "giving its context back")) {
        gpu_objects_end(device);
        gpu_copier_end(device);
        gpu_stages_end(device);
        gpu_reports_end(device);
        if (device->locks != NULL)
            driver->memory_free(device->locks);
        driver->stream_destroy(device->stream);
        gpu_scope_leave(&scope, device);
    } else {
        gpu_objects_forget(device);
        gpu_copier_forget(device);
        gpu_stages_forget(device);
        gpu_reports_forget(device);
    }
    driver->context_release(device->context, device->number);
}

static void end_device(accel_impl_device *device)
{
    if (atomic_load_explicit(&device->ready, memory_order_acquire) != 0)
        end_context(device);
    release_backend(device->backend);
    plugin_failure_end(&device->fault);
    pthread_mutex_destroy(&device->lock);
    pthread_mutex_destroy(&device->object_lock);
    pthread_mutex_destroy(&device->listener_lock);
    free(device);
}

/* A driver without an attribute, or one that does not know it, leaves it 0. */
static void read_attributes(accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;

    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i) {
        int value = 0, number = driver->attribute_numbers[i];
        if (number != GPU_ATTRIBUTE_NONE && driver->device_attribute(&value, number, device->number) == 0)
            device->attributes[i] = value;
    }
}

static accel_status open_device(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **made)
{
    const gpu_driver *driver = backend->driver;
    accel_impl_device *device = calloc(1, sizeof(*device));
    accel_status status;

    if (device == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the device", driver->name);
    device->driver = driver;
    device->backend = backend;
    device->ordinal = ordinal;
    device->generation = *gpu_host()->fork_generation;
    plugin_reference_begin(&device->references);
    device->end = end_device;
    snprintf(device->label, sizeof(device->label), "%s:%u", driver->name, ordinal);
    plugin_failure_begin(&device->fault);
    pthread_mutex_init(&device->lock, NULL);
    pthread_mutex_init(&device->object_lock, NULL);
    pthread_mutex_init(&device->listener_lock, NULL);
    plugin_reference_retain(&backend->references);

    gpu_result result = driver->device_get(&device->number, (int)ordinal);
    if (result == 0)
        result = driver->device_describe(&device->description, device->number);
    if (result != 0) {
        status = gpu_device_failed(device, "opening the device", result);
        goto failed;
    }
    read_attributes(device);
    if (device->attributes[GPU_ATTRIBUTE_UNIFIED_ADDRESS] == 0) {
        status = gpu_host()->error(ACCEL_UNSUPPORTED,
                                   "\"%s\" has no address space in common with the host, which every "
                                   "64-bit system gives it",
                                   device->label);
        goto failed;
    }
    *made = device;
    return ACCEL_OK;
failed:
    gpu_device_release(device);
    return status;
}

static void close_device(accel_impl_device *device)
{
    if (gpu_device_forked(device))
        return;
    gpu_device_settle_last(device);
    gpu_device_release(device);
}

static accel_status memory(accel_impl_device *device, size_t *free_bytes, size_t *total_bytes)
{
    size_t left = 0, total = 0;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, "asking for free memory");

    if (status != ACCEL_OK)
        return status;
    gpu_result result = device->driver->memory_info(&left, &total);
    gpu_scope_leave(&scope, device);
    if (result != 0)
        return gpu_device_failed(device, "asking for free memory", result);
    if (free_bytes != NULL)
        *free_bytes = left;
    if (total_bytes != NULL)
        *total_bytes = total;
    return ACCEL_OK;
}

static uint32_t target_rank(accel_impl_device *device, const char *target, const char *format, char *reason,
                            size_t reason_size)
{
    return device->driver->target_rank(device->description.architecture, target, format, reason, reason_size);
}

static uint32_t image_rank(accel_impl_device *device, const accel_image *image, char *reason, size_t reason_size)
{
    const gpu_driver *driver = device->driver;

    if (driver->accepts_image != NULL && !driver->accepts_image(image, reason, reason_size))
        return 0;
    return target_rank(device, image->target, image->format, reason, reason_size);
}

static accel_status native(accel_impl_device *device, void **handle)
{
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, "retaining its primary context");

    if (status != ACCEL_OK)
        return status;
    gpu_scope_leave(&scope, device);
    *handle = device->context;
    return ACCEL_OK;
}

const accel_device_vtable gpu_device_vtable = {
    .struct_size = sizeof(accel_device_vtable),
    .close = close_device,
    .info = gpu_device_info,
    .native = native,
    .partition = NULL,
    .memory = memory,
    .can_access = gpu_peer_can_access,
    .allocate = gpu_memory_allocate,
    .free = gpu_memory_free,
    .queue_create = gpu_queue_create,
    .queue_wrap = gpu_queue_wrap,
    .event_create = gpu_event_create,
    .target_rank = target_rank,
    .image_rank = image_rank,
    .module_load = gpu_module_load,
};

/* ------------------------------------------------------------------------------------------ backend -- */

static uint32_t device_count(accel_impl_backend *backend)
{
    return backend->device_count;
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = sizeof(accel_backend_vtable),
    .close = release_backend,
    .device_count = device_count,
    .device_open = open_device,
};

accel_status gpu_backend_open(const gpu_family *family, const accel_host_services *host, accel_open_result *result)
{
    const gpu_driver *driver = NULL;
    int count = 0;

    atomic_store_explicit(&gpu_host_services, host, memory_order_relaxed);
    accel_status status = family->open(family, host, &driver, &result->state);
    if (status != ACCEL_OK)
        return status;
    gpu_result counted = driver->device_count(&count);
    if (counted != 0 || count <= 0) {
        result->state = counted != 0 ? ACCEL_BACKEND_BROKEN : ACCEL_BACKEND_NO_DEVICE;
        return host->error(ACCEL_UNAVAILABLE, "%s: the driver counts %d devices: %s (%d), %s", family->name, count,
                           driver->error_name(counted), counted, driver->error_text(counted));
    }
    accel_impl_backend *backend = calloc(1, sizeof(*backend));
    if (backend == NULL)
        return host->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the backend", family->name);
    plugin_reference_begin(&backend->references);
    backend->driver = driver;
    backend->device_count = (uint32_t)count;
    gpu_pinned_init(&backend->pinned);
    result->state = ACCEL_BACKEND_USABLE;
    result->backend = backend;
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &gpu_device_vtable;
    result->queue_vtable = &gpu_queue_vtable;
    result->event_vtable = &gpu_event_vtable;
    result->module_vtable = &gpu_module_vtable;
    return ACCEL_OK;
}

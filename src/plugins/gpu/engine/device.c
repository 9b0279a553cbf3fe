/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/engine/peer.h"
#include "plugins/gpu/engine/role.h"
#include "plugins/gpu/engine/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void gpu_device_retain(accel_impl_device *device)
{
    atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
}

void gpu_device_release(accel_impl_device *device)
{
    if (atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) != 1)
        return;
    gpu_context_end(device);
    gpu_backend_release(device->backend);
    pthread_mutex_destroy(&device->fault.lock);
    pthread_mutex_destroy(&device->lock);
    pthread_mutex_destroy(&device->object_lock);
    pthread_mutex_destroy(&device->queue_lock);
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

accel_status gpu_device_open(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **made)
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
    device->references = 1;
    snprintf(device->label, sizeof(device->label), "%s:%u", driver->name, ordinal);
    pthread_mutex_init(&device->fault.lock, NULL);
    pthread_mutex_init(&device->lock, NULL);
    pthread_mutex_init(&device->object_lock, NULL);
    pthread_mutex_init(&device->queue_lock, NULL);
    atomic_fetch_add_explicit(&backend->references, 1, memory_order_relaxed);

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

/* As gpu_device_settle; if the handle is about to go, until nobody else has the device. */
static void settle(accel_impl_device *device, bool closing)
{
    enum { NAP_NS = 50000, NAPS = 40, BUSY = 20 };

    if (gpu_thread_kind() != GPU_THREAD_PROGRAM) /* a worker would wait for itself */
        return;
    for (int turn = 0, busy = 0; (closing || turn < NAPS) && busy < BUSY; ++turn) {
        bool settled = closing ? atomic_load_explicit(&device->references, memory_order_acquire) == 1
                               : atomic_load_explicit(&device->retiring, memory_order_acquire) == 0;
        if (settled)
            break;
        if (!gpu_device_is_quiet(device))
            ++busy;
        gpu_thread_nudge(&gpu_retire_thread);
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
}

void gpu_device_settle(accel_impl_device *device)
{
    settle(device, false);
}

static void close_device(accel_impl_device *device)
{
    if (gpu_device_forked(device))
        return;
    settle(device, true);
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
    .memory = memory,
    .partition = NULL,
    .can_access = gpu_peer_can_access,
    .target_rank = target_rank,
    .allocate = gpu_memory_allocate,
    .free = gpu_memory_free,
    .queue_create = gpu_queue_create,
    .queue_wrap = gpu_queue_wrap,
    .event_create = gpu_event_create,
    .module_load = gpu_module_load,
    .native = native,
    .image_rank = image_rank,
};

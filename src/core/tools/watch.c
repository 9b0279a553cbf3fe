/* SPDX-License-Identifier: Apache-2.0 */
/* The tables are exchanged; slots of the backend. */
#include "core/tools/watch.h"

#include "core/base/allocate.h"

#include <stdio.h>
#include <string.h>

static accel_watch *watch_of(accel_impl_backend *impl)
{
    return (accel_watch *)(void *)impl;
}

static void backend_close(accel_impl_backend *impl)
{
    accel_watch *watch = watch_of(impl);

    watch->backend.close(watch->inner);
    accel_deallocate(watch);
}

static uint32_t device_count(accel_impl_backend *impl)
{
    return watch_of(impl)->backend.device_count(watch_of(impl)->inner);
}

accel_status accel_watch_device_make(accel_watch *watch, accel_impl_device **impl, const watch_device *parent,
                                     size_t ordinal)
{
    watch_device *device = accel_allocate(sizeof(*device));

    if (device == NULL) {
        watch->device.close(*impl);
        return ACCEL_OUT_OF_MEMORY;
    }
    device->watch = watch;
    device->inner = *impl;
    device->id = accel_tools_number();
    pthread_mutex_init(&device->origin.lock, NULL);
    device->parent = parent != NULL ? parent->id : 0;
    if (parent != NULL) /* a name too long for the field is cut: it is for people */
        snprintf(device->name, sizeof(device->name), "%.40s/%zu", parent->name, ordinal);
    else
        snprintf(device->name, sizeof(device->name), "%s:%zu", watch->name, ordinal);
    *impl = watch_device_impl(device);
    return ACCEL_OK;
}

static accel_status device_open(accel_impl_backend *impl, uint32_t ordinal, accel_impl_device **device)
{
    accel_watch *watch = watch_of(impl);
    accel_impl_device *made = NULL;
    accel_status status = watch->backend.device_open(watch->inner, ordinal, &made);

    if (status == ACCEL_OK)
        status = accel_watch_device_make(watch, &made, NULL, ordinal);
    if (status == ACCEL_OK)
        *device = made;
    return status;
}

accel_status accel_watch_install(accel_backend *backend, const accel_tools *tools)
{
    accel_watch *watch;

    if (tools->mask == 0 && !tools->blocking)
        return ACCEL_OK;
    watch = accel_allocate(sizeof(*watch));
    if (watch == NULL)
        return ACCEL_OUT_OF_MEMORY;
    watch->tools = *tools;
    watch->inner = backend->impl;
    watch->backend = backend->backend_vtable;
    watch->device = backend->device_vtable;
    watch->queue = backend->queue_vtable;
    watch->event = backend->event_vtable;
    watch->module = backend->module_vtable;
    memcpy(watch->name, backend->name, sizeof(watch->name));
    backend->impl = (accel_impl_backend *)(void *)watch;
    backend->watched = true;
    backend->backend_vtable.close = backend_close;
    backend->backend_vtable.device_count = device_count;
    backend->backend_vtable.device_open = device_open;
    accel_watch_fill_device(&backend->device_vtable, watch);
    accel_watch_fill_queue(&backend->queue_vtable, watch);
    accel_watch_fill_event(&backend->event_vtable);
    accel_watch_fill_module(&backend->module_vtable, watch);
    return ACCEL_OK;
}

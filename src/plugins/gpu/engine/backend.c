/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/engine.h"

#include <stdlib.h>

_Atomic(const accel_host_services *) gpu_host_services;

void gpu_backend_release(accel_impl_backend *backend)
{
    if (atomic_fetch_sub_explicit(&backend->references, 1, memory_order_acq_rel) != 1)
        return;
    gpu_pinned_clear(&backend->pinned);
    free(backend);
}

accel_status gpu_backend_fault(accel_impl_backend *backend, uint64_t ordinals)
{
    for (uint32_t i = 0; i < GPU_AWAITED; ++i) {
        accel_status status = atomic_load_explicit(&backend->faults[i], memory_order_acquire);
        if ((ordinals >> i & 1) != 0 && status != ACCEL_OK)
            return status;
    }
    return ACCEL_OK;
}

static uint32_t device_count(accel_impl_backend *backend)
{
    return backend->device_count;
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = sizeof(accel_backend_vtable),
    .close = gpu_backend_release,
    .device_count = device_count,
    .device_open = gpu_device_open,
};

accel_status gpu_backend_open(const gpu_family *family, const accel_host_services *host, accel_open_result *result)
{
    const gpu_driver *driver = NULL;
    int count = 0;

    atomic_store_explicit(&gpu_host_services, host, memory_order_relaxed);
    accel_status status = family->open(family, host, &driver, &result->state);
    if (status != ACCEL_OK)
        return status;
    gpu_result answer = driver->device_count(&count);
    if (answer != 0 || count <= 0) {
        result->state = answer != 0 ? ACCEL_BACKEND_BROKEN : ACCEL_BACKEND_NO_DEVICE;
        return host->error(ACCEL_UNAVAILABLE, "%s: the driver counts %d devices: %s (%d), %s", family->name, count,
                           driver->error_name(answer), answer, driver->error_text(answer));
    }
    accel_impl_backend *backend = calloc(1, sizeof(*backend));
    if (backend == NULL)
        return host->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the backend", family->name);
    backend->references = 1;
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

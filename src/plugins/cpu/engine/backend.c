/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/fork.h"
#include "plugins/cpu/machine/mask.h"

#include <stdlib.h>

_Atomic(const accel_host_services *) cpu_host_services;

/* A thread that polls on the only CPU keeps away what it waits for. */
static void spare_one_cpu(accel_impl_backend *backend)
{
    if (cpu_mask_count(backend->mask) <= 1)
        backend->settings.spin_ns = 0;
}

void cpu_backend_release(accel_impl_backend *backend)
{
    if (atomic_fetch_sub_explicit(&backend->references, 1, memory_order_acq_rel) == 1)
        free(backend);
}

static void backend_close(accel_impl_backend *backend)
{
    cpu_process_close(backend->opened);
    cpu_backend_release(backend);
}

void cpu_backend_after_fork(accel_impl_backend *backend)
{
    uint8_t left[CPU_MASK_BYTES];
    if (!cpu_fork_begin(&backend->generation))
        return;
    cpu_process_cpus(left);
    backend->narrowed = cpu_mask_keep(backend->mask, left);
    spare_one_cpu(backend);
    cpu_fork_end(&backend->generation);
}

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
    .close = backend_close,
    .device_count = device_count,
    .device_open = device_open,
};

accel_status cpu_backend_open(const cpu_executor *executor, const accel_host_services *host, accel_open_result *result)
{
    atomic_store_explicit(&cpu_host_services, host, memory_order_relaxed);
    accel_impl_backend *backend = calloc(1, sizeof(*backend));
    if (backend == NULL)
        return host->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the backend", executor->name);
    backend->references = 1;
    backend->executor = executor;
    cpu_settings_read(&backend->settings);
    cpu_process_open(backend->mask, &backend->opened);
    backend->generation = backend->opened;
    /* After the process's CPUs were read: a library that is loaded now may narrow those of the calling thread. */
    accel_status status = ACCEL_OK;
    if (executor->open != NULL)
        status = executor->open(executor, &result->state);
    if (status != ACCEL_OK) {
        backend_close(backend);
        return status;
    }
    spare_one_cpu(backend);
    cpu_isa_read(&backend->isa);
    backend->isa_level = cpu_isa_native_level();
    result->state = ACCEL_BACKEND_USABLE;
    result->backend = backend;
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &cpu_device_vtable;
    result->queue_vtable = &cpu_queue_vtable;
    result->event_vtable = &cpu_event_vtable;
    result->module_vtable = &cpu_module_vtable;
    return ACCEL_OK;
}

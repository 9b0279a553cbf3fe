/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/device.h"
#include "plugins/cpu/engine/fork.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/machine/system.h"
#include "plugins/cpu/machine/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

accel_status cpu_device_make(accel_impl_backend *backend, const uint8_t mask[CPU_MASK_BYTES], accel_impl_device **made)
{
    accel_impl_device *device = calloc(1, sizeof(*device));
    if (device == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the device", backend->executor->name);
    memcpy(device->mask, mask, CPU_MASK_BYTES);
    device->executor = backend->executor;
    if (backend->executor->create != NULL) {
        cpu_placement place;
        cpu_placement_find(&place, "", backend->mask, mask, &backend->settings);
        accel_status status = backend->executor->create(backend->executor, &place, &backend->settings, &device->own);
        if (status != ACCEL_OK) {
            free(device);
            return status;
        }
        device->executor = device->own;
    }
    cpu_backend_retain(backend);
    device->backend = backend;
    plugin_reference_begin(&device->references);
    device->generation = *cpu_host()->fork_generation;
    *made = device;
    return ACCEL_OK;
}

accel_status cpu_device_open(accel_impl_backend *backend, accel_impl_device **made)
{
    cpu_backend_after_fork(backend);
    return cpu_device_make(backend, backend->mask, made);
}

/* Files are read without a lock, so that a fork at any time leaves none held: whoever comes meanwhile reads them too. */
cpu_caches cpu_device_caches(accel_impl_device *device)
{
    uint32_t state = atomic_load_explicit(&device->caches_state, memory_order_acquire);
    if (__builtin_expect(state == CPU_CACHES_READ, 1))
        return device->caches;
    cpu_caches caches;
    const cpu_topology *topology;
    bool known = cpu_topology_find(&topology) == ACCEL_OK;
    cpu_caches_find(&caches, topology, device->mask);
    if (!known)
        return caches;
    state = CPU_CACHES_UNREAD;
    if (atomic_compare_exchange_strong_explicit(&device->caches_state, &state, CPU_CACHES_WRITTEN, memory_order_relaxed,
                                                memory_order_relaxed)) {
        device->caches = caches;
        atomic_store_explicit(&device->caches_state, CPU_CACHES_READ, memory_order_release);
    }
    return caches;
}

void cpu_device_after_fork(accel_impl_device *device)
{
    accel_impl_backend *backend = device->backend;
    cpu_backend_after_fork(backend);
    if (!cpu_fork_begin(&device->generation))
        return;
    bool fewer = cpu_mask_keep(device->mask, backend->mask);
    device->caches_state =
        CPU_CACHES_UNREAD; /* perhaps of other CPUs; perhaps a thread of the parent was writing them */
    cpu_placement place;
    fewer = (fewer || backend->narrowed) && device->own != NULL;
    if (fewer)
        cpu_placement_find(&place, "", backend->mask, device->mask, &backend->settings);
    if (device->own != NULL)
        device->own->after_fork(device->own, fewer ? &place : NULL, &backend->settings);
    cpu_fork_end(&device->generation);
}

void cpu_device_retain(accel_impl_device *device)
{
    plugin_reference_retain(&device->references);
}

void cpu_device_release(accel_impl_device *device)
{
    if (!plugin_reference_release(&device->references))
        return;
    if (device->own != NULL)
        device->own->destroy(device->own);
    cpu_backend_release(device->backend);
    free(device);
}

/* "x86-64-v3 x86-64-v2 x86-64": best first. */
static void list_targets(uint32_t level, char *text, size_t size)
{
    text[0] = '\0';
    for (; level != 0; --level) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length != 0 ? " " : "", cpu_isa_name(level));
    }
}

accel_status cpu_device_info(accel_impl_device *device, accel_device_properties *properties)
{
    accel_impl_backend *backend = device->backend;
    cpu_device_after_fork(device);
    properties->kind = ACCEL_DEVICE_CPU;
    snprintf(properties->architecture, sizeof(properties->architecture), "%s", cpu_isa_name(backend->isa_level));
    properties->ordinal = 0;
    properties->features = ACCEL_FEATURE_HOST_MEMORY | ACCEL_FEATURE_PINNED | ACCEL_FEATURE_MAPPED |
                           ACCEL_FEATURE_MANAGED | ACCEL_FEATURE_ASYNC_ALLOC;
    if (device->executor->divisible)
        properties->features |= ACCEL_FEATURE_PARTITION;
    properties->compute_units = device->executor->compute_units(device->executor);
    properties->warp_size = 1;
    properties->max_block_threads = ACCEL_MAX_BLOCK_THREADS;
    properties->max_unit_threads = ACCEL_MAX_BLOCK_THREADS;
    for (int i = 0; i < 3; ++i)
        properties->max_threads[i] = ACCEL_MAX_BLOCK_THREADS;
    for (int i = 0; i < 3; ++i)
        properties->max_blocks[i] = UINT32_MAX; /* and libaccel sees to it that their product fits 64 bits */
    properties->max_shared_bytes = CPU_MAX_SHARED_BYTES;
    properties->max_args_size = ACCEL_MAX_ARGS_SIZE;
    properties->base_alignment = CPU_BASE_ALIGNMENT;
    properties->pitch_alignment = CPU_PITCH_ALIGNMENT;
    properties->pci_domain = properties->pci_bus = properties->pci_device = -1;
    if (device->executor->observer != NULL)
        snprintf(properties->targets, sizeof(properties->targets), "%s", device->executor->observer->targets);
    else
        list_targets(backend->isa_level, properties->targets, sizeof(properties->targets));
    properties->memory_bytes = properties->max_allocation = cpu_system_total_memory();
    cpu_system_describe(cpu_mask_first(device->mask), properties);
    if (device->executor->describe != NULL)
        device->executor->describe(device->executor, properties);
    return ACCEL_OK;
}

accel_status cpu_device_topology(accel_impl_device *device, accel_device_properties *properties)
{
    const cpu_topology *topology;
    cpu_device_after_fork(device);
    accel_status status = cpu_topology_find(&topology);
    if (status == ACCEL_OK)
        cpu_topology_fill(topology, device->mask, properties);
    return status;
}

accel_status cpu_device_memory(accel_impl_device *device, size_t *free_bytes, size_t *total_bytes)
{
    (void)device;
    uint64_t available, total;
    cpu_system_memory("", &available, &total);
    if (free_bytes != NULL)
        *free_bytes = (size_t)available;
    if (total_bytes != NULL)
        *total_bytes = (size_t)total;
    return ACCEL_OK;
}

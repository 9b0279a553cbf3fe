/* SPDX-License-Identifier: Apache-2.0 */
/*
 * skeleton - a backend to start from. This file is the part that libaccel reads first: the descriptor, `open`, and the device.
 * docs/guide/plugin.md explains it.
 */
#include "skeleton.h"

#include <stdio.h>
#include <string.h>

const accel_host_services *_Atomic skeleton_host;
accel_impl_device skeleton_device = {.lock = PTHREAD_MUTEX_INITIALIZER};

static accel_status device_info(accel_impl_device *device, accel_device_properties *properties)
{
    (void)device;
    properties->kind = ACCEL_DEVICE_OTHER;
    properties->features =
        ACCEL_FEATURE_HOST_MEMORY | ACCEL_FEATURE_PINNED | ACCEL_FEATURE_MAPPED | ACCEL_FEATURE_MANAGED;
    properties->compute_units = 1;
    properties->warp_size = 1;
    properties->max_block_threads = properties->max_unit_threads = ACCEL_MAX_BLOCK_THREADS;
    for (int d = 0; d < 3; d++) {
        properties->max_threads[d] = ACCEL_MAX_BLOCK_THREADS;
        properties->max_blocks[d] = UINT32_MAX;
    }
    properties->max_shared_bytes = 65536;
    properties->max_args_size = ACCEL_MAX_ARGS_SIZE;
    properties->memory_bytes = properties->max_allocation = (uint64_t)1 << 30;
    properties->base_alignment = 256;
    properties->pitch_alignment = 64;
    properties->numa_node = properties->pci_domain = properties->pci_bus = properties->pci_device = -1;
    strcpy(properties->description, "a backend to start from");
    strcpy(properties->architecture, "host");
#if defined(__aarch64__)
    strcpy(properties->targets, "aarch64");
#else
    strcpy(properties->targets, "x86-64");
#endif
    return ACCEL_OK;
}

static uint32_t device_target_rank(accel_impl_device *device, const char *target, const char *format, char *reason,
                                   size_t reason_size)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    (void)device_info(device, &properties);
    const bool runs = strcmp(format, "so") == 0 && strcmp(target, properties.targets) == 0;
    snprintf(reason, reason_size, runs ? "the only target that it runs" : "it runs %s alone", properties.targets);
    return runs;
}

static void device_close(accel_impl_device *device)
{
    (void)device; /* it is static */
}

static const accel_device_vtable device_vtable = {
    .struct_size = sizeof(accel_device_vtable),
    .close = device_close,
    .info = device_info,
    .allocate = skeleton_allocate,
    .free = skeleton_free,
    .queue_create = skeleton_queue_create,
    .event_create = skeleton_event_create,
    .target_rank = device_target_rank,
    .module_load = skeleton_module_load,
};

static void backend_close(accel_impl_backend *backend)
{
    (void)backend; /* nothing was allocated */
}

static uint32_t backend_device_count(accel_impl_backend *backend)
{
    (void)backend;
    return 1;
}

static accel_status backend_device_open(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **device)
{
    (void)backend;
    (void)ordinal;
    *device = &skeleton_device;
    return ACCEL_OK;
}

static const accel_backend_vtable backend_vtable = {
    .struct_size = sizeof(accel_backend_vtable),
    .close = backend_close,
    .device_count = backend_device_count,
    .device_open = backend_device_open,
};

static accel_status backend_open(const accel_host_services *host, const accel_open_params *params,
                                 accel_open_result *result)
{
    (void)params;
    skeleton_host = host;
    result->backend = (accel_impl_backend *)&skeleton_device; /* any pointer: libaccel only carries it */
    result->backend_vtable = &backend_vtable;
    result->device_vtable = &device_vtable;
    result->queue_vtable = &skeleton_queue_vtable;
    result->event_vtable = &skeleton_event_vtable;
    result->module_vtable = &skeleton_module_vtable;
    return ACCEL_OK;
}

__attribute__((visibility("default"))) extern const accel_plugin accel_plugin_descriptor;
const accel_plugin accel_plugin_descriptor = {
    .abi = ACCEL_PLUGIN_ABI,
    .struct_size = sizeof(accel_plugin),
    .name = "skeleton",
    .build = "an example",
    .open = backend_open,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The host's memory as a device. */
#include "core/base/allocate.h"
#include "core/api/device.h"
#include "core/base/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t total_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* What programs can still get without swapping: more than what is free, since caches give way. */
static uint64_t available_memory(void)
{
    FILE *stream = fopen("/proc/meminfo", "re");
    unsigned long long kilobytes = 0;
    char line[128];
    bool found = false;

    while (stream != NULL && !found && fgets(line, sizeof(line), stream) != NULL)
        found = sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1;
    if (stream != NULL)
        fclose(stream);
    if (found)
        return (uint64_t)kilobytes * 1024;

    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

static uint32_t cache_line(void)
{
    long size = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);

    return size > 0 ? (uint32_t)size : 64;
}

accel_status accel_device_open_host(accel_instance *instance, accel_device **out)
{
    accel_device *device = accel_allocate(sizeof(*device));

    if (device == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_reference_init(&device->reference);
    device->instance = instance;
    device->root = device;
    device->fork_generation = accel_guard_fork_generation;
    device->properties = (accel_device_properties){
        .struct_size = (uint32_t)sizeof(device->properties),
        .kind = ACCEL_DEVICE_HOST,
        .name = "host",
        .backend = "host",
        .description = "memory of the host",
        .features = ACCEL_FEATURE_HOST_MEMORY,
        .memory_bytes = total_memory(),
        .max_allocation = PTRDIFF_MAX,
        .base_alignment = 64,
        .pitch_alignment = 64,
        .cache_line = cache_line(),
        .numa_node = -1,
        .pci_domain = -1,
        .pci_bus = -1,
        .pci_device = -1,
    };
    *out = device;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_device_memory(accel_device *device, size_t *free_bytes, size_t *total_bytes)
{
    static const char function[] = "accel_device_memory";
    size_t available = 0, total = 0;

    if (device == NULL)
        return accel_error_null(function, "device");

    accel_status status = accel_device_check(function, "device", device, device->fork_generation);

    if (status != ACCEL_OK)
        return status;
    if (device->backend == NULL) {
        available = (size_t)available_memory();
        total = (size_t)device->properties.memory_bytes;
    } else {
        status = device->backend->device_vtable.memory(device->impl, &available, &total);
        if (status != ACCEL_OK)
            return accel_device_failed(function, device, status);
    }
    if (free_bytes != NULL)
        *free_bytes = available;
    if (total_bytes != NULL)
        *total_bytes = total;
    return ACCEL_OK;
}

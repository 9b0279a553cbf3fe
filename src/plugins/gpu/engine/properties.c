/* SPDX-License-Identifier: Apache-2.0 */
/* What a device tells of itself, without a context. */
#include "plugins/gpu/engine/device.h"

#include <stdio.h>
#include <string.h>

/* Drivers know neither their priorities nor the node without a context; the kernel knows the node. */
static int32_t numa_node(const int attributes[])
{
    char path[80];
    int node = -1;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%04x:%02x:%02x.0/numa_node",
             (unsigned)attributes[GPU_ATTRIBUTE_PCI_DOMAIN], (unsigned)attributes[GPU_ATTRIBUTE_PCI_BUS],
             (unsigned)attributes[GPU_ATTRIBUTE_PCI_DEVICE]);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &node) != 1)
        node = -1;
    fclose(file);
    return node;
}

static uint32_t features(const accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;
    const int *attributes = device->attributes;
    uint32_t found = ACCEL_FEATURE_PINNED;

    if (attributes[GPU_ATTRIBUTE_MAPPED] != 0)
        found |= ACCEL_FEATURE_MAPPED;
    if (attributes[GPU_ATTRIBUTE_MANAGED] != 0 && driver->managed_allocate != NULL)
        found |= ACCEL_FEATURE_MANAGED;
    if (attributes[GPU_ATTRIBUTE_MEMORY_POOLS] != 0 && driver->allocate_async != NULL)
        found |= ACCEL_FEATURE_ASYNC_ALLOC;
    if (attributes[GPU_ATTRIBUTE_COOPERATIVE] != 0 && driver->launch_cooperative != NULL)
        found |= ACCEL_FEATURE_COOPERATIVE;
    return found;
}

static uint32_t count(const accel_impl_device *device, int attribute)
{
    return device->attributes[attribute] > 0 ? (uint32_t)device->attributes[attribute] : 0;
}

size_t gpu_max_args_size(const accel_impl_device *device)
{
    size_t parameters = device->description.max_parameter_bytes;

    return parameters == 0 || parameters >= ACCEL_MAX_ARGS_SIZE + sizeof(accel_grid) ? ACCEL_MAX_ARGS_SIZE
                                                                                     : parameters - sizeof(accel_grid);
}

static void fill_limits(const accel_impl_device *device, accel_device_properties *p)
{
    uint32_t plain = count(device, GPU_ATTRIBUTE_MAX_SHARED), most = count(device, GPU_ATTRIBUTE_MAX_SHARED_OPTIN);

    p->warp_size = count(device, GPU_ATTRIBUTE_WARP_SIZE);
    p->max_block_threads = count(device, GPU_ATTRIBUTE_MAX_BLOCK_THREADS);
    if (p->max_block_threads > ACCEL_MAX_BLOCK_THREADS)
        p->max_block_threads = ACCEL_MAX_BLOCK_THREADS;
    p->max_unit_threads = count(device, GPU_ATTRIBUTE_MAX_UNIT_THREADS);
    for (int i = 0; i < 3; ++i) {
        p->max_threads[i] = count(device, GPU_ATTRIBUTE_MAX_THREADS_X + i);
        p->max_blocks[i] = count(device, GPU_ATTRIBUTE_MAX_BLOCKS_X + i);
    }
    p->max_shared_bytes = device->driver->function_set_attribute != NULL && most > plain ? most : plain;
    p->max_args_size = gpu_max_args_size(device);
}

accel_status gpu_device_info(accel_impl_device *device, accel_device_properties *p)
{
    const gpu_driver *driver = device->driver;
    size_t memory = 0;

    gpu_result result = driver->device_name(p->description, sizeof(p->description), device->number);
    if (result == 0)
        result = driver->device_memory(&memory, device->number);
    if (result != 0)
        return gpu_device_failed(device, "asking for its name and memory", result);
    p->kind = ACCEL_DEVICE_GPU;
    snprintf(p->architecture, sizeof(p->architecture), "%s", device->description.architecture);
    snprintf(p->targets, sizeof(p->targets), "%s", device->description.targets);
    memcpy(p->uuid, device->description.uuid, sizeof(p->uuid));
    p->ordinal = device->ordinal;
    p->features = features(device);
    p->compute_units = count(device, GPU_ATTRIBUTE_COMPUTE_UNITS);
    fill_limits(device, p);
    p->memory_bytes = memory;
    p->max_allocation = memory;
    p->base_alignment = GPU_BASE_ALIGNMENT;
    p->pitch_alignment = GPU_BASE_ALIGNMENT;
    p->clock_mhz = count(device, GPU_ATTRIBUTE_CLOCK_KHZ) / 1000;
    p->memory_clock_mhz = count(device, GPU_ATTRIBUTE_MEMORY_CLOCK_KHZ) / 1000;
    p->memory_bus_bits = count(device, GPU_ATTRIBUTE_MEMORY_BUS_BITS);
    p->cache_bytes[1] = count(device, GPU_ATTRIBUTE_L2_BYTES);
    p->pci_domain = device->attributes[GPU_ATTRIBUTE_PCI_DOMAIN];
    p->pci_bus = device->attributes[GPU_ATTRIBUTE_PCI_BUS];
    p->pci_device = device->attributes[GPU_ATTRIBUTE_PCI_DEVICE];
    p->numa_node = numa_node(device->attributes);
    p->driver_version = (uint32_t)driver->driver_version;
    p->runtime_version = (uint32_t)driver->runtime_version;
    if (count(device, GPU_ATTRIBUTE_STREAM_PRIORITIES) != 0) { /* drivers count downwards */
        p->min_priority = -driver->least_priority;
        p->max_priority = -driver->greatest_priority;
    }
    return ACCEL_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-devices: parts of a device's CPUs, with threads of their own. Memory is the same everywhere. */
#include "plugins/cpu/engine/device.h"

#include <stdlib.h>
#include <string.h>

static accel_status check_cores(accel_impl_device *device, const accel_partition_desc *desc)
{
    for (uint32_t i = 0; i < desc->core_count; ++i)
        if (!cpu_mask_has(device->mask, desc->cores[i]))
            return cpu_host()->error(ACCEL_INVALID,
                                     "%s: cores[%u] is CPU %u, on which the device does not run; see taskset -p",
                                     device->executor->name, i, desc->cores[i]);
    return ACCEL_OK;
}

/* Does CPU i begin a new part? They lie side by side. */
static bool begins(const accel_partition_desc *desc, const cpu_location *locations, uint32_t count, uint32_t i)
{
    const cpu_location *before = &locations[i - 1], *own = &locations[i];
    switch (desc->by) {
    case ACCEL_PARTITION_NUMA:
        return own->node != before->node;
    case ACCEL_PARTITION_CACHE:
        return own->node != before->node || own->cache != before->cache;
    case ACCEL_PARTITION_EQUAL:
        return (uint64_t)i * desc->share_count / count != (uint64_t)(i - 1) * desc->share_count / count;
    default:
        return false;
    }
}

/* One mask after the other; returns how many. */
static size_t split(const accel_partition_desc *desc, const cpu_location *locations, uint32_t count,
                    uint8_t (*masks)[CPU_MASK_BYTES])
{
    size_t parts = 1;
    for (uint32_t i = 0; i < count; ++i) {
        if (i != 0 && begins(desc, locations, count, i))
            parts++;
        cpu_mask_add(masks[parts - 1], locations[i].cpu);
    }
    return parts;
}

/* All of them, or none. */
static accel_status make(accel_impl_device *device, uint8_t (*masks)[CPU_MASK_BYTES], size_t count,
                         accel_impl_device **devices)
{
    for (size_t i = 0; i < count; ++i) {
        accel_status status = cpu_device_make(device->backend, masks[i], &devices[i]);
        if (status == ACCEL_OK)
            continue;
        while (i != 0)
            cpu_device_release(devices[--i]);
        return status;
    }
    return ACCEL_OK;
}

accel_status cpu_device_partition_on(const cpu_topology *topology, accel_impl_device *device,
                                     const accel_partition_desc *desc, accel_impl_device **devices, size_t capacity,
                                     size_t *made)
{
    const accel_host_services *host = cpu_host();
    const char *name = device->executor->name;
    if (!device->executor->divisible)
        return host->error(ACCEL_UNSUPPORTED,
                           "%s has no sub-devices: it runs on the thread that launches; cpu-threads and cpu-omp have",
                           name);
    uint32_t count;
    size_t parts = 1;
    accel_status status = ACCEL_OK;
    cpu_device_after_fork(device);
    cpu_location *locations = cpu_locations(topology, device->mask, &count);
    uint8_t(*masks)[CPU_MASK_BYTES] = locations != NULL ? calloc(count, sizeof(*masks)) : NULL;
    if (masks == NULL) {
        status = host->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for sub-devices", name);
        goto done;
    }
    if (desc->by == ACCEL_PARTITION_CORES) {
        status = check_cores(device, desc);
        for (uint32_t i = 0; i < desc->core_count && status == ACCEL_OK; ++i)
            cpu_mask_add(masks[0], desc->cores[i]);
    } else if (desc->by == ACCEL_PARTITION_EQUAL && desc->share_count > count) {
        status = host->error(ACCEL_LIMIT, "%s: %u shares of %u CPUs; ask for fewer", name, desc->share_count, count);
    } else {
        parts = split(desc, locations, count, masks);
    }
    if (status == ACCEL_OK)
        status = make(device, masks, parts < capacity ? parts : capacity, devices);
    if (status == ACCEL_OK)
        *made = parts;
done:
    free(masks);
    free(locations);
    return status;
}

accel_status cpu_device_partition(accel_impl_device *device, const accel_partition_desc *desc,
                                  accel_impl_device **devices, size_t capacity, size_t *made)
{
    const cpu_topology *topology;
    accel_status status = cpu_topology_find(&topology);
    return status == ACCEL_OK ? cpu_device_partition_on(topology, device, desc, devices, capacity, made) : status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-devices. */
#include "core/base/allocate.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

#include <stdio.h>

static const char function[] = "accel_device_partition";

static accel_status check_desc(const accel_partition_desc *desc)
{
    if (desc->by < ACCEL_PARTITION_NUMA || desc->by > ACCEL_PARTITION_EQUAL)
        return accel_error_set(ACCEL_INVALID,
                               "%s: desc.by is %u; it takes ACCEL_PARTITION_NUMA, _CACHE, _CORES or _EQUAL", function,
                               desc->by);
    if (desc->by == ACCEL_PARTITION_EQUAL && desc->share_count == 0)
        return accel_error_set(ACCEL_INVALID, "%s: desc.share_count is 0; ask for at least one share", function);
    if (desc->by == ACCEL_PARTITION_CORES && (desc->core_count == 0 || desc->cores == NULL))
        return accel_error_set(ACCEL_INVALID, "%s: desc.cores names no CPU (core_count is %u); name at least one",
                               function, desc->core_count);
    return ACCEL_OK;
}

static accel_status make_share(accel_device *parent, accel_impl_device *impl, size_t index, accel_device **out)
{
    accel_device *device = NULL;
    accel_status status = accel_device_make(parent->backend, impl, &device);

    if (status != ACCEL_OK)
        return status;
    /* A name too long for the field is cut: it is for people. */
    int length =
        snprintf(device->properties.name, sizeof(device->properties.name), "%.40s/%zu", parent->properties.name, index);
    (void)length;
    snprintf(device->properties.backend, sizeof(device->properties.backend), "%s", parent->backend->name);
    device->properties.ordinal = parent->properties.ordinal;
    device->parent = accel_device_retain(parent);
    device->root = parent->root;
    device->fork_generation = parent->fork_generation;
    *out = device;
    return ACCEL_OK;
}

/* All of them, or none. */
static accel_status make_shares(accel_device *parent, accel_impl_device **impls, size_t written, accel_device **devices)
{
    accel_status status = ACCEL_OK;
    size_t made = 0;

    while (made < written && status == ACCEL_OK) {
        status = make_share(parent, impls[made], made, &devices[made]);
        made += status == ACCEL_OK;
    }
    if (status == ACCEL_OK)
        return ACCEL_OK;
    for (size_t i = made; i < written; ++i)
        parent->backend->device_vtable.close(impls[i]);
    while (made > 0) {
        accel_device_release(devices[--made]);
        devices[made] = NULL;
    }
    return status;
}

ACCEL_API accel_status accel_device_partition(accel_device *device, const accel_partition_desc *given,
                                              accel_device **devices, size_t capacity, size_t *count)
{
    accel_impl_device **impls = NULL;
    accel_device **made = NULL;
    accel_partition_desc desc;
    size_t available = 0;

    if (device == NULL)
        return accel_error_null(function, "device");
    if (given == NULL)
        return accel_error_null(function, "desc");
    if (count == NULL)
        return accel_error_null(function, "count");
    if (devices == NULL && capacity > 0)
        return accel_error_null(function, "devices");

    accel_status status = accel_device_check(function, "device", device, device->fork_generation);

    if (status == ACCEL_OK)
        status = accel_struct_import(function, "accel_partition_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = check_desc(&desc);
    if (status != ACCEL_OK)
        return status;
    if (device->backend == NULL)
        return accel_error_set(ACCEL_UNSUPPORTED,
                               "%s: \"host\" has no sub-devices; partition a device of a CPU backend", function);
    impls = accel_allocate_array(capacity, sizeof(*impls));
    made = impls != NULL ? accel_allocate_array(capacity, sizeof(*made)) : NULL;
    if (made == NULL) {
        status = accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
        goto cleanup;
    }
    status = device->backend->device_vtable.partition(device->impl, &desc, impls, capacity, &available);
    if (status == ACCEL_OK)
        status = make_shares(device, impls, available < capacity ? available : capacity, made);
    if (status != ACCEL_OK) {
        status = accel_device_failed(function, device, status);
        goto cleanup;
    }
    for (size_t i = 0; i < available && i < capacity; ++i)
        devices[i] = made[i];
    *count = available;
cleanup:
    accel_deallocate(made);
    accel_deallocate(impls);
    return status;
}

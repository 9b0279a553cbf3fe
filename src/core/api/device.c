/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/device.h"

#include "core/base/allocate.h"
#include "core/api/entry.h"
#include "core/api/instance.h"
#include "core/base/struct_size.h"

#include <stdio.h>
#include <string.h>

/* Texts that a plugin filled to the brim get an end. */
static void terminate(accel_device_properties *properties)
{
    properties->description[sizeof(properties->description) - 1] = '\0';
    properties->architecture[sizeof(properties->architecture) - 1] = '\0';
    properties->targets[sizeof(properties->targets) - 1] = '\0';
}

accel_status accel_device_make(accel_backend *backend, accel_impl_device *impl, accel_device **out)
{
    accel_device *device = accel_allocate(sizeof(*device));
    accel_status status = ACCEL_OK;

    if (device == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_reference_init(&device->reference);
    device->instance = backend->instance;
    device->backend = backend;
    device->root = device;
    device->fork_generation = accel_guard_fork_generation;
    device->properties.struct_size = (uint32_t)sizeof(device->properties);
    device->properties.numa_node = -1;
    device->properties.pci_domain = device->properties.pci_bus = device->properties.pci_device = -1;
    status = backend->device_vtable.info(impl, &device->properties);
    if (status != ACCEL_OK) {
        accel_deallocate(device);
        return status;
    }
    device->properties.struct_size = (uint32_t)sizeof(device->properties);
    terminate(&device->properties);
    device->impl = impl;
    *out = device;
    return ACCEL_OK;
}

accel_status accel_device_open(accel_backend *backend, uint32_t ordinal, accel_device **out)
{
    accel_impl_device *impl = NULL;
    accel_device *device = NULL;

    accel_error_set(ACCEL_OK, "the backend does not say why");
    accel_status status = backend->backend_vtable.device_open(backend->impl, ordinal, &impl);

    if (status != ACCEL_OK)
        return status;
    status = accel_device_make(backend, impl, &device);
    if (status != ACCEL_OK) {
        backend->device_vtable.close(impl);
        return status;
    }
    snprintf(device->properties.name, sizeof(device->properties.name), "%s:%u", backend->name, ordinal);
    snprintf(device->properties.backend, sizeof(device->properties.backend), "%s", backend->name);
    device->properties.ordinal = ordinal;
    *out = device;
    return ACCEL_OK;
}

void accel_device_close(accel_device *device)
{
    if (device == NULL)
        return;
    if (device->backend != NULL)
        device->backend->device_vtable.close(device->impl);
    accel_deallocate(device);
}

static void destroy_share(void *object)
{
    accel_device *device = object;
    accel_device *parent = device->parent;

    accel_device_close(device);
    accel_device_release(parent);
}

ACCEL_API accel_device *accel_device_retain(accel_device *device)
{
    if (device == NULL)
        return NULL;
    if (device->parent != NULL)
        accel_reference_retain(&device->reference);
    else
        accel_instance_retain(device->instance);
    return device;
}

ACCEL_API void accel_device_release(accel_device *device)
{
    if (device == NULL)
        return;
    if (device->parent == NULL)
        accel_instance_release(device->instance);
    else if (accel_reference_release(&device->reference))
        accel_entry_destroy(&device->deferred, destroy_share, device);
}

ACCEL_API accel_status accel_device_info(const accel_device *device, accel_device_properties *out)
{
    if (device == NULL)
        return accel_entry_null("accel_device_info", "device");
    if (out == NULL)
        return accel_entry_null("accel_device_info", "properties");
    return accel_struct_export("accel_device_info", "accel_device_properties", out, &device->properties,
                               sizeof(device->properties));
}

ACCEL_API accel_status accel_device_can_access(accel_device *device, accel_device *peer, bool *yes)
{
    static const char function[] = "accel_device_can_access";

    if (device == NULL)
        return accel_entry_null(function, "device");
    if (peer == NULL)
        return accel_entry_null(function, "peer");
    if (yes == NULL)
        return accel_entry_null(function, "yes");

    accel_status status = accel_entry_check(function, "device", device, device->fork_generation);

    if (status != ACCEL_OK)
        return status;
    if (device->instance != peer->instance)
        return accel_error_set(ACCEL_INVALID, "%s: \"%s\" and \"%s\" belong to different instances; take both from one",
                               function, device->properties.name, peer->properties.name);
    if (device->backend == NULL) { /* runs no kernels */
        *yes = false;
        return ACCEL_OK;
    }
    if (device->root == peer->root || (accel_device_on_host(device) && accel_device_on_host(peer))) {
        *yes = true;
        return ACCEL_OK;
    }
    if (device->backend != peer->backend || device->backend->device_vtable.can_access == NULL) {
        *yes = false;
        return ACCEL_OK;
    }

    bool answer = false;

    status = device->backend->device_vtable.can_access(device->impl, peer->impl, &answer);
    if (status == ACCEL_OK)
        *yes = answer;
    return accel_entry_result(function, device, status);
}

ACCEL_API accel_status accel_device_wait(accel_device *device)
{
    static const char function[] = "accel_device_wait";

    if (device == NULL)
        return accel_entry_null(function, "device");

    accel_status status = accel_entry_check(function, "device", device, device->fork_generation);

    if (status != ACCEL_OK || device->backend == NULL) /* the host has no queues */
        return status;
    return accel_queue_wait_listed(function, device);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/device.h"

#include "core/api/released.h"
#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"

#include <stdio.h>
#include <string.h>

accel_device accel_device_of_released = {
    .root = &accel_device_of_released,
    .properties = {.struct_size = sizeof(accel_device_properties), .name = "a released object's device"}};

/* Texts that a plugin filled to the brim get an end. */
static void terminate(accel_device_properties *properties)
{
    properties->description[sizeof(properties->description) - 1] = '\0';
    properties->architecture[sizeof(properties->architecture) - 1] = '\0';
    properties->targets[sizeof(properties->targets) - 1] = '\0';
    properties->topology[sizeof(properties->topology) - 1] = '\0';
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

    status = accel_slot_made("device_open", status, impl);
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

void accel_device_end(accel_device *device)
{
    if (device == NULL)
        return;
    if (atomic_load_explicit(&device->library, memory_order_acquire) != NULL)
        atomic_load_explicit(&device->end_library, memory_order_relaxed)(device);
    if (device->port != NULL)
        device->end_port(device);
    if (device->backend != NULL)
        device->backend->device_vtable.close(device->impl);
}

void accel_device_close(accel_device *device)
{
    accel_device_end(device);
    accel_deallocate(device);
}

static void destroy_share(void *object)
{
    accel_device *device = object;
    accel_device *parent = device->parent;

    accel_device_close(device);
    accel_device_release(parent);
}

/* Memory and code of CPUs live on in the child of a fork; what a driver keeps does not. */
static bool survives_fork(const accel_device *device)
{
    return device->properties.kind == ACCEL_DEVICE_HOST || device->properties.kind == ACCEL_DEVICE_CPU;
}

accel_status accel_device_check_lost(const char *function, const accel_device *device)
{
    if (atomic_load_explicit(&device->root->lost, memory_order_relaxed) == 0)
        return ACCEL_OK;
    return accel_error_set(
        ACCEL_DEVICE_LOST,
        "%s: device \"%s\" was lost by an earlier operation and serves no more calls in this process; release "
        "its objects, and go on with another device or in a new process",
        function, device->properties.name);
}

accel_status accel_device_usable_slow(const char *function, const char *object, const accel_device *device,
                                      uint32_t generation)
{
    if (accel_is_released(generation))
        return accel_released_use(function, generation);
    if (generation != accel_guard_fork_generation && !survives_fork(device))
        return accel_error_set(
            ACCEL_FORKED,
            "%s: the %s of \"%s\" was made before fork, and drivers do not survive a fork; create a new instance "
            "in the child, or fork before accel_instance_create",
            function, object, device->properties.name);
    return accel_device_check_lost(function, device);
}

accel_status accel_device_check(const char *function, const char *object, const accel_device *device,
                                uint32_t generation)
{
    accel_status status = accel_guard_check(function);

    return status != ACCEL_OK ? status : accel_device_usable(function, object, device, generation);
}

accel_status accel_slot_made(const char *slot, accel_status status, const void *object)
{
    if (status != ACCEL_OK || object != NULL)
        return status;
    return accel_error_set(ACCEL_INTERNAL, "the plugin's %s succeeded but gave nothing; fix the plugin", slot);
}

accel_status accel_device_failed(const char *function, accel_device *device, accel_status status)
{
    if (status == ACCEL_DEVICE_LOST)
        atomic_store_explicit(&device->root->lost, 1, memory_order_relaxed);
    if (strstr(accel_error_message(), device->properties.name) != NULL)
        return accel_error_prefix(status, function);

    /* A plugin's words, which need not name the device. */
    const char *text = accel_error_message();
    size_t length = strlen(function);

    if (strncmp(text, function, length) == 0 && text[length] == ':')
        text += length + 1 + (text[length + 1] == ' ');
    if (text[0] == '\0')
        return accel_error_set(status, "%s: \"%s\": %s, and the plugin does not say why", function,
                               device->properties.name, accel_status_name(status));
    return accel_error_set(status, "%s: \"%s\": %s", function, device->properties.name, text);
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
        accel_guard_destroy(&device->deferred, destroy_share, device);
}

ACCEL_API accel_status accel_device_info(const accel_device *device, accel_device_properties *out)
{
    if (device == NULL)
        return accel_error_null("accel_device_info", "device");
    if (out == NULL)
        return accel_error_null("accel_device_info", "properties");

    if (accel_is_released(device->fork_generation))
        return accel_released_use("accel_device_info", device->fork_generation);

    accel_device_properties known = device->properties;

    if (device->backend != NULL && device->backend->device_vtable.topology != NULL) {
        accel_status status = device->backend->device_vtable.topology(device->impl, &known);
        if (status != ACCEL_OK)
            return accel_error_prefix(status, "accel_device_info");
        known.struct_size = (uint32_t)sizeof(known);
        terminate(&known);
    }
    return accel_struct_export("accel_device_info", "accel_device_properties", out, &known, sizeof(known));
}

static uint64_t second_bytes(const accel_device_properties *device)
{
    return device->cache_bytes[1] * accel_device_units(device);
}

/* Virtual machines report all of a third level of which others have the most, so not all of it counts: more than eight times the
 * second levels gained nothing there (docs/notebook/scans.md). */
static uint64_t cached_bytes(const accel_device_properties *device)
{
    uint64_t second = 8 * second_bytes(device), third = device->cache_bytes[2];

    return second != 0 && second < third ? second : third;
}

/* What is kept, of a CPU's caches, and 1 more; 0: unknown. A failure is not kept: the next call may have memory. */
static uint64_t known(accel_device *device, _Atomic uint64_t *kept)
{
    if (device->properties.kind != ACCEL_DEVICE_CPU)
        return 0;
    uint64_t bytes = atomic_load_explicit(kept, memory_order_relaxed);
    accel_device_properties properties = device->properties;
    if (bytes != 0 || device->backend == NULL || device->backend->device_vtable.topology == NULL ||
        device->backend->device_vtable.topology(device->impl, &properties) != ACCEL_OK)
        return bytes;
    atomic_store_explicit(&device->second_bytes, second_bytes(&properties) + 1, memory_order_relaxed);
    atomic_store_explicit(&device->cached_bytes, cached_bytes(&properties) + 1, memory_order_relaxed);
    return atomic_load_explicit(kept, memory_order_relaxed);
}

uint64_t accel_device_second_bytes(accel_device *device)
{
    uint64_t bytes = known(device, &device->second_bytes);
    return bytes != 0 ? bytes - 1 : 0;
}

bool accel_device_bypasses_caches(accel_device *device, uint64_t bytes)
{
    enum { LEAST = 1 << 20 }; /* second levels keep less */

    if (bytes <= LEAST)
        return false;
    uint64_t cached = known(device, &device->cached_bytes);
    return cached > 1 && bytes > cached - 1;
}

ACCEL_API accel_status accel_device_can_access(accel_device *device, accel_device *peer, bool *yes)
{
    static const char function[] = "accel_device_can_access";

    if (device == NULL)
        return accel_error_null(function, "device");
    if (peer == NULL)
        return accel_error_null(function, "peer");
    if (yes == NULL)
        return accel_error_null(function, "yes");

    accel_status status = accel_device_check(function, "device", device, device->fork_generation);

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

    bool can = false;

    status = device->backend->device_vtable.can_access(device->impl, peer->impl, &can);
    if (status == ACCEL_OK)
        *yes = can;
    return accel_device_result(function, device, status);
}

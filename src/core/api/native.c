/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's handles below the objects. */
#include "core/api/queue.h"
#include "core/base/error.h"
#include "core/api/event.h"
#include "core/api/module.h"

static accel_status check(const char *function, const char *parameter, const void *object, const void *out)
{
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (object == NULL)
        return accel_error_null(function, parameter);
    return out != NULL ? ACCEL_OK : accel_error_null(function, "native");
}

/* The result of a slot; the caller's output is set on success only. */
static accel_status give(const char *function, accel_device *device, accel_status status, void *native, void **out)
{
    if (status != ACCEL_OK)
        return accel_device_failed(function, device, status);
    *out = native;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_device_native(accel_device *device, void **out)
{
    static const char function[] = "accel_device_native";
    void *native = NULL;
    accel_status status = check(function, "device", device, out);

    if (status == ACCEL_OK && device->backend == NULL)
        return accel_error_set(ACCEL_UNSUPPORTED, "%s: \"host\" has no native handle", function);
    if (status == ACCEL_OK)
        status = accel_device_usable(function, "device", device, device->fork_generation);
    if (status != ACCEL_OK)
        return status;
    status = device->backend->device_vtable.native(device->impl, &native);
    return give(function, device, status, native, out);
}

ACCEL_API accel_status accel_queue_native(accel_queue *queue, void **out)
{
    static const char function[] = "accel_queue_native";
    void *native = NULL;
    accel_status status = check(function, "queue", queue, out);

    if (status == ACCEL_OK)
        status = accel_queue_check(function, queue);
    if (status != ACCEL_OK)
        return status;
    status = queue->backend->queue_vtable.native(queue->impl, &native);
    return give(function, queue->device, status, native, out);
}

ACCEL_API accel_status accel_event_native(accel_event *event, void **out)
{
    static const char function[] = "accel_event_native";
    void *native = NULL;
    accel_status status = check(function, "event", event, out);

    if (status == ACCEL_OK)
        status = accel_device_usable(function, "event", event->device, event->fork_generation);
    if (status != ACCEL_OK)
        return status;
    if (event->backend == NULL)
        return accel_error_set(ACCEL_UNSUPPORTED, "%s: an event of the \"host\" has no native handle", function);
    status = event->backend->event_vtable.native(event->impl, &native);
    return give(function, event->device, status, native, out);
}

ACCEL_API accel_status accel_module_native(accel_module *module, void **out)
{
    static const char function[] = "accel_module_native";
    void *native = NULL;
    accel_status status = check(function, "module", module, out);

    if (status == ACCEL_OK)
        status = accel_device_usable(function, "module", module->device, module->fork_generation);
    if (status != ACCEL_OK)
        return status;
    status = module->backend->module_vtable.native(module->impl, &native);
    return give(function, module->device, status, native, out);
}

ACCEL_API accel_status accel_kernel_native(accel_kernel *kernel, void **out)
{
    static const char function[] = "accel_kernel_native";
    void *native = NULL;
    accel_status status = check(function, "kernel", kernel, out);

    if (status == ACCEL_OK)
        status = accel_device_usable(function, "kernel", kernel->origin.device, kernel->origin.fork_generation);
    if (status != ACCEL_OK)
        return status;
    status = kernel->origin.device->backend->module_vtable.kernel_native(kernel->impl, &native);
    return give(function, kernel->origin.device, status, native, out);
}

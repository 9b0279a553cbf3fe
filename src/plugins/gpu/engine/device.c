/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/device.h"

#include <stdio.h>

_Atomic(const accel_host_services *) gpu_host_services;

void gpu_device_listen(accel_impl_device *device, gpu_listener *listener)
{
    pthread_mutex_lock(&device->listener_lock);
    plugin_list_insert(&device->listeners, NULL, &listener->link);
    if (gpu_device_has_failed(device)) /* since it was made */
        listener->faulted(listener);
    pthread_mutex_unlock(&device->listener_lock);
}

void gpu_device_unlisten(accel_impl_device *device, gpu_listener *listener)
{
    pthread_mutex_lock(&device->listener_lock);
    plugin_list_remove(&device->listeners, &listener->link);
    pthread_mutex_unlock(&device->listener_lock);
}

bool gpu_device_has_submitted(accel_impl_device *device, uint64_t deferrals)
{
    bool submitted = true;

    pthread_mutex_lock(&device->listener_lock);
    for (plugin_link *link = device->listeners.first; link != NULL && submitted; link = link->next) {
        gpu_listener *listener = PLUGIN_OWNER(link, gpu_listener, link);
        submitted = listener->has_submitted(listener, deferrals);
    }
    pthread_mutex_unlock(&device->listener_lock);
    return submitted;
}

static void tell_of_fault(accel_impl_device *device)
{
    pthread_mutex_lock(&device->listener_lock);
    for (plugin_link *link = device->listeners.first; link != NULL; link = link->next) {
        gpu_listener *listener = PLUGIN_OWNER(link, gpu_listener, link);
        listener->faulted(listener);
    }
    pthread_mutex_unlock(&device->listener_lock);
}

/* ------------------------------------------------------------------------------------ last launches -- */

/* "Last launches, latest first: "axpy" (8x1x1 blocks of 256x1x1 threads), ...; on another queue: ..." */
static void list_launches(accel_impl_device *device, char *text, size_t size)
{
    bool any = false;

    text[0] = '\0';
    pthread_mutex_lock(&device->listener_lock);
    for (plugin_link *link = device->listeners.first; link != NULL; link = link->next) {
        const plugin_history *history = PLUGIN_OWNER(link, gpu_listener, link)->history;
        if (plugin_history_list(history, any ? "; on another queue:" : "Last launches, latest first:", text, size))
            any = true;
    }
    pthread_mutex_unlock(&device->listener_lock);
    if (!any)
        snprintf(text, size, "No kernel was launched on its queues");
}

/* ----------------------------------------------------------------------------------------- failures -- */

uint32_t gpu_error_class_of(const gpu_driver *driver, gpu_result result, accel_status *status)
{
    gpu_error_class class = {result, GPU_CLASS_REFUSED, ACCEL_DRIVER};

    if (result == 0)
        class = (gpu_error_class){0, GPU_CLASS_SUCCESS, ACCEL_OK};
    for (size_t i = 0; i < driver->error_class_count && result != 0; ++i) {
        if (driver->error_classes[i].result == result) {
            class = driver->error_classes[i];
            break;
        }
    }
    if (status != NULL)
        *status = class.status;
    return class.class;
}

/* The first to learn of it writes the text; everybody else repeats it. */
static accel_status fail_for_good(accel_impl_device *device, const char *what, gpu_result result, uint32_t class,
                                  accel_status status)
{
    const gpu_driver *driver = device->driver;
    char launches[PLUGIN_FAILURE_TEXT / 2];

    if (gpu_device_has_failed(device))
        return gpu_device_check(device);
    list_launches(device, launches, sizeof(launches));
    gpu_host()->error(status,
                      "\"%s\": %s, noticed in %s: %s (%d), %s; the device can no longer be used in this process. %s",
                      device->label, class == GPU_CLASS_FAULT ? "a kernel faulted" : "the device was lost", what,
                      driver->error_name(result), result, driver->error_text(result), launches);
    plugin_failure_keep(&device->fault, gpu_host(), status);
    if (device->ordinal < GPU_AWAITED)
        atomic_store_explicit(&device->backend->faults[device->ordinal], status, memory_order_release);
    tell_of_fault(device);
    return gpu_device_check(device);
}

accel_status gpu_device_failed(accel_impl_device *device, const char *what, gpu_result result)
{
    const gpu_driver *driver = device->driver;
    accel_status status;
    uint32_t class = gpu_error_class_of(driver, result, &status);

    if (class == GPU_CLASS_FAULT || class == GPU_CLASS_LOST)
        return fail_for_good(device, what, result, class, status);
    if (status == ACCEL_OK) /* a result that makes no sense here */
        status = ACCEL_DRIVER;
    return gpu_host()->error(status, "\"%s\": %s: %s (%d), %s", device->label, what, driver->error_name(result), result,
                             driver->error_text(result));
}

accel_status gpu_device_check(accel_impl_device *device)
{
    return plugin_failure_repeat(&device->fault, gpu_host());
}

accel_status gpu_backend_fault(accel_impl_backend *backend, uint64_t ordinals)
{
    for (uint32_t i = 0; i < GPU_AWAITED; ++i) {
        accel_status status = atomic_load_explicit(&backend->faults[i], memory_order_acquire);
        if ((ordinals >> i & 1) != 0 && status != ACCEL_OK)
            return status;
    }
    return ACCEL_OK;
}

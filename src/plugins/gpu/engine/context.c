/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/object.h"
#include "plugins/gpu/queue/stage.h"
#include "plugins/gpu/engine/thread.h"

accel_status gpu_scope_enter_from(gpu_scope *scope, accel_impl_device *device, gpu_context current, const char *what)
{
    *scope = (gpu_scope){.previous = current};
    if (current == device->context)
        return ACCEL_OK;
    gpu_result result = device->driver->context_set_current(device->context);
    scope->switched = result == 0;
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

accel_status gpu_scope_enter(gpu_scope *scope, accel_impl_device *device, const char *what)
{
    gpu_context current = NULL;
    gpu_result result = device->driver->context_get_current(&current);

    scope->switched = false;
    return result == 0 ? gpu_scope_enter_from(scope, device, current, what) : gpu_device_failed(device, what, result);
}

void gpu_scope_leave(const gpu_scope *scope, const accel_impl_device *device)
{
    if (scope->switched) /* if the driver cannot take it back there is nobody to tell */
        device->driver->context_set_current(scope->previous);
}

/* Under the device's lock. */
static accel_status retain(accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;
    gpu_context context = NULL;
    gpu_scope scope;
    accel_status status = gpu_threads_start();

    if (status != ACCEL_OK)
        return status;
    gpu_result result = driver->context_retain(&context, device->number);
    if (result != 0)
        return gpu_device_failed(device, "retaining its primary context", result);
    device->context = context;
    status = gpu_scope_enter(&scope, device, "making its primary context current");
    if (status != ACCEL_OK)
        goto failed;
    result = driver->stream_create(&device->stream, GPU_STREAM_NON_BLOCKING, driver->least_priority);
    gpu_scope_leave(&scope, device);
    if (result == 0) {
        atomic_store_explicit(&device->ready, 1, memory_order_release);
        return ACCEL_OK;
    }
    status = gpu_device_failed(device, "making the first stream", result);
failed:
    driver->context_release(device->number);
    device->context = NULL;
    return status;
}

accel_status gpu_device_use(gpu_scope *scope, accel_impl_device *device, const char *what)
{
    accel_status status = gpu_device_check(device);

    if (status == ACCEL_OK && atomic_load_explicit(&device->ready, memory_order_acquire) == 0) {
        pthread_mutex_lock(&device->lock);
        if (atomic_load_explicit(&device->ready, memory_order_relaxed) == 0)
            status = retain(device);
        pthread_mutex_unlock(&device->lock);
    }
    return status == ACCEL_OK ? gpu_scope_enter(scope, device, what) : status;
}

void gpu_context_end(accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;
    gpu_scope scope;

    if (atomic_load_explicit(&device->ready, memory_order_acquire) == 0)
        return;
    if (gpu_scope_enter(&scope, device, "giving its context back") == ACCEL_OK) {
        gpu_objects_end(device);
        gpu_stages_end(device);
        if (device->locks != NULL)
            driver->memory_free(device->locks);
        driver->stream_destroy(device->stream);
        gpu_scope_leave(&scope, device);
    } else {
        gpu_objects_forget(device);
        gpu_stages_forget(device);
    }
    driver->context_release(device->number);
}

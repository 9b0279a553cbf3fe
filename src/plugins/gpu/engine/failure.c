/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/failure.h"
#include "plugins/gpu/engine/engine.h"
#include "plugins/gpu/engine/history.h"
#include "plugins/gpu/queue/queue.h"

#include <stdio.h>
#include <string.h>

accel_status gpu_failure_keep(gpu_failure *failure, accel_status status)
{
    pthread_mutex_lock(&failure->lock);
    if (atomic_load_explicit(&failure->status, memory_order_relaxed) == ACCEL_OK) {
        snprintf(failure->text, sizeof(failure->text), "%s", gpu_host()->error_message());
        atomic_store_explicit(&failure->status, status, memory_order_release);
    }
    pthread_mutex_unlock(&failure->lock);
    return status;
}

static accel_status tell(gpu_failure *failure, bool clear)
{
    char text[GPU_FAILURE_TEXT];
    pthread_mutex_lock(&failure->lock);
    accel_status status = atomic_load_explicit(&failure->status, memory_order_relaxed);
    memcpy(text, failure->text, sizeof(text));
    if (clear)
        atomic_store_explicit(&failure->status, ACCEL_OK, memory_order_release);
    pthread_mutex_unlock(&failure->lock);
    return status != ACCEL_OK ? gpu_host()->error(status, "%s", text) : ACCEL_OK;
}

accel_status gpu_failure_repeat(gpu_failure *failure)
{
    return tell(failure, false);
}

accel_status gpu_failure_report(gpu_failure *failure)
{
    return gpu_failure_status(failure) != ACCEL_OK ? tell(failure, true) : ACCEL_OK;
}

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
    char launches[GPU_FAILURE_TEXT / 2];

    if (gpu_failure_status(&device->fault) != ACCEL_OK)
        return gpu_failure_repeat(&device->fault);
    gpu_history_list(device, launches, sizeof(launches));
    gpu_host()->error(status,
                      "\"%s\": %s, noticed in %s: %s (%d), %s; the device answers nothing more in this process. %s",
                      device->label, class == GPU_CLASS_FAULT ? "a kernel faulted" : "the device was lost", what,
                      driver->error_name(result), result, driver->error_text(result), launches);
    gpu_failure_keep(&device->fault, status);
    if (device->ordinal < GPU_AWAITED)
        atomic_store_explicit(&device->backend->faults[device->ordinal], status, memory_order_release);
    gpu_queues_fault(device);
    return gpu_failure_repeat(&device->fault);
}

accel_status gpu_device_failed(accel_impl_device *device, const char *what, gpu_result result)
{
    const gpu_driver *driver = device->driver;
    accel_status status;
    uint32_t class = gpu_error_class_of(driver, result, &status);

    if (class == GPU_CLASS_FAULT || class == GPU_CLASS_LOST)
        return fail_for_good(device, what, result, class, status);
    if (status == ACCEL_OK) /* an answer that makes no sense here */
        status = ACCEL_DRIVER;
    return gpu_host()->error(status, "\"%s\": %s: %s (%d), %s", device->label, what, driver->error_name(result), result,
                             driver->error_text(result));
}

accel_status gpu_device_check(accel_impl_device *device)
{
    if (gpu_failure_status(&device->fault) == ACCEL_OK)
        return ACCEL_OK;
    return gpu_failure_repeat(&device->fault);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/queue.h"

accel_status gpu_queue_fail(accel_impl_queue *queue, accel_status status)
{
    if (status == ACCEL_OK || gpu_device_has_failed(queue->device))
        return status;
    plugin_failure_keep(&queue->failure, gpu_host(), status);
    atomic_fetch_or_explicit(&queue->state, GPU_STATE_FAILED, memory_order_release);
    return status;
}

accel_status gpu_queue_inherit(accel_impl_queue *queue, accel_status status)
{
    if (status == ACCEL_OK)
        return status;
    return gpu_queue_fail(queue, plugin_failure_carried(gpu_host(), status));
}

accel_status gpu_queue_status(accel_impl_queue *queue)
{
    accel_status status = plugin_failure_status(&queue->failure);

    return status != ACCEL_OK ? status : plugin_failure_status(&queue->device->fault);
}

uint32_t gpu_queue_admit(accel_impl_queue *queue, accel_status *status)
{
    uint32_t state = atomic_load_explicit(&queue->state, memory_order_acquire);

    if ((state & GPU_STATE_FAULT) != 0) {
        *status = gpu_device_check(queue->device);
        return GPU_REFUSE;
    }
    if ((state & GPU_STATE_DEFERS) != 0) {
        pthread_mutex_lock(&queue->deferred.lock);
        if ((atomic_load_explicit(&queue->state, memory_order_relaxed) & GPU_STATE_DEFERS) != 0)
            return GPU_DEFER;
        pthread_mutex_unlock(&queue->deferred.lock);
    }
    if (plugin_failure_status(&queue->failure) == ACCEL_OK) {
        if ((state & GPU_STATE_FAILED) != 0) /* reported while another thread failed */
            atomic_fetch_and_explicit(&queue->state, ~(uint32_t)GPU_STATE_FAILED, memory_order_relaxed);
        return GPU_SUBMIT;
    }
    if (!queue->blocking)
        return GPU_SKIP;
    *status = plugin_failure_refuse(&queue->failure, gpu_host());
    return GPU_REFUSE;
}

accel_status gpu_queue_report(accel_impl_queue *queue)
{
    if (plugin_failure_status(&queue->failure) == ACCEL_OK)
        return ACCEL_OK;
    atomic_fetch_and_explicit(&queue->state, ~(uint32_t)GPU_STATE_FAILED, memory_order_relaxed);
    return plugin_failure_report(&queue->failure, gpu_host());
}

accel_status gpu_queue_finish(accel_impl_queue *queue, const char *what)
{
    accel_impl_device *device = queue->device;
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = device->driver->stream_synchronize(queue->stream);
    gpu_scope_leave(&scope, device);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

/* Deferred launches are submitted by another thread than the queue's other operations. */
accel_status gpu_queue_want_report(accel_impl_queue *queue, bool prints)
{
    if (atomic_load_explicit(&queue->report, memory_order_acquire) == NULL) {
        gpu_report *report = NULL, *none = NULL;
        accel_status status = gpu_report_take(queue->device, prints, &report);
        if (status != ACCEL_OK)
            return status;
        if (!atomic_compare_exchange_strong(&queue->report, &none, report))
            gpu_report_put(report);
    }
    gpu_report *report = atomic_load_explicit(&queue->report, memory_order_relaxed);
    accel_status status = prints ? gpu_report_want_lines(queue->device, report) : ACCEL_OK;
    if (status != ACCEL_OK)
        return status;
    atomic_store_explicit(&report->written, true, memory_order_release);
    return ACCEL_OK;
}

bool gpu_queue_reports(accel_impl_queue *queue)
{
    gpu_report *report = atomic_load_explicit(&queue->report, memory_order_acquire);

    return report != NULL && atomic_exchange_explicit(&report->written, false, memory_order_acq_rel);
}

accel_status gpu_queue_read_report(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;
    gpu_report *report = atomic_load_explicit(&queue->report, memory_order_acquire);
    accel_report read;
    accel_status status = gpu_report_print(device, report);

    if (status == ACCEL_OK)
        status = gpu_report_read(device, report, &read);
    if (status != ACCEL_OK || read.count == 0)
        return status;
    return gpu_queue_fail(queue, gpu_report_clear(device, report, &read));
}

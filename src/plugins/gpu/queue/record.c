/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/record.h"
#include "plugins/gpu/engine/context.h"

#include <stddef.h>
#include <stdlib.h>

accel_status gpu_record_make(accel_impl_device *device, bool timed, gpu_record **made)
{
    gpu_record *record = calloc(1, sizeof(*record));

    if (record == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "event: no memory for %zu bytes", sizeof(*record));
    gpu_result result = device->driver->event_create(&record->event, timed ? 0 : GPU_EVENT_NO_TIMING);
    if (result != 0) {
        free(record);
        return gpu_device_failed(device, "making an event", result);
    }
    gpu_device_retain(device);
    record->references = 1;
    record->device = device;
    record->timed = timed;
    *made = record;
    return ACCEL_OK;
}

void gpu_record_retain(gpu_record *record)
{
    atomic_fetch_add_explicit(&record->references, 1, memory_order_relaxed);
}

void gpu_record_release(gpu_record *record)
{
    accel_impl_device *device = record->device;
    gpu_scope scope;

    if (atomic_fetch_sub_explicit(&record->references, 1, memory_order_acq_rel) != 1)
        return;
    bool entered = gpu_scope_enter(&scope, device, "ending an event") == ACCEL_OK;
    device->driver->event_destroy(record->event);
    if (entered)
        gpu_scope_leave(&scope, device);
    if (record->deferred != NULL)
        gpu_host()->timeline_release(record->deferred);
    if (record->timeline != NULL)
        gpu_host()->timeline_release(record->timeline);
    free(record);
    gpu_device_release(device);
}

bool gpu_record_submitted(gpu_record *record)
{
    return record->deferred == NULL || gpu_host()->timeline_reached(record->deferred, record->deferred_value, NULL);
}

gpu_result gpu_record_query(gpu_record *record)
{
    return gpu_query_event(record->device, record->event);
}

accel_status gpu_record_status(gpu_record *record)
{
    accel_status status = atomic_load_explicit(&record->status, memory_order_acquire);

    return status != ACCEL_OK ? status : plugin_failure_status(&record->device->fault);
}

accel_status gpu_record_outcome(gpu_record *record)
{
    accel_status status = gpu_record_status(record);
    gpu_report *report = record->report;
    accel_report read;

    if (status != ACCEL_OK || report == NULL || report->owner != record->report_owner)
        return status;
    status = gpu_report_print(record->device, report);
    if (status == ACCEL_OK)
        status = gpu_report_read(record->device, report, &read);
    return status == ACCEL_OK && read.count != 0 ? ACCEL_KERNEL_FAULT : status;
}

static bool watch(gpu_job *job)
{
    gpu_record *record = (gpu_record *)(void *)((char *)job - offsetof(gpu_record, watch));

    if (!gpu_record_submitted(record))
        return false;
    gpu_result result = gpu_record_query(record);
    if (gpu_error_class_of(record->device->driver, result, NULL) == GPU_CLASS_NOT_READY)
        return false;
    accel_status status =
        result == 0 ? gpu_record_outcome(record) : gpu_device_failed(record->device, "asking for an event", result);
    gpu_host()->timeline_signal(record->timeline, 1, status);
    gpu_record_release(record);
    return true;
}

void gpu_record_watch(gpu_record *record)
{
    gpu_record_retain(record);
    record->watch.run = watch;
    gpu_thread_post(&gpu_watch_thread, &record->watch);
}

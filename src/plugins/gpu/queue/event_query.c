/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of an event. */
#include "plugins/gpu/queue/event.h"
#include "plugins/gpu/engine/context.h"

#include <stdlib.h>

static void destroy(accel_impl_event *event)
{
    if (event->generation != *gpu_host()->fork_generation)
        return;
    gpu_record_release(event->latest);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

/* ACCEL_OK and *complete, or the loss of the device. */
static accel_status completion(gpu_record *record, bool *complete)
{
    if (!record->recorded || !gpu_record_submitted(record)) {
        *complete = !record->recorded;
        return ACCEL_OK;
    }
    gpu_result result = gpu_record_query(record);
    uint32_t class = gpu_error_class_of(record->device->driver, result, NULL);
    if (class == GPU_CLASS_SUCCESS || class == GPU_CLASS_NOT_READY) {
        *complete = class == GPU_CLASS_SUCCESS;
        return ACCEL_OK;
    }
    accel_status status = gpu_device_failed(record->device, "asking for an event", result);
    if (class != GPU_CLASS_FAULT)
        return status;
    *complete = true; /* nothing runs any more; `wait` tells why */
    return ACCEL_OK;
}

static accel_status is_complete(accel_impl_event *event, bool *complete)
{
    gpu_record *record = gpu_event_latest(event);
    accel_status status = completion(record, complete);

    gpu_record_release(record);
    return status;
}

static accel_status wait_for(gpu_record *record)
{
    accel_impl_device *device = record->device;
    gpu_scope scope;

    if (!record->recorded)
        return ACCEL_OK;
    if (record->deferred != NULL)
        gpu_host()->timeline_wait(record->deferred, record->deferred_value);
    accel_status status = gpu_device_check(device);
    if (status == ACCEL_OK)
        status = gpu_scope_enter(&scope, device, "waiting for an event");
    if (status != ACCEL_OK)
        return status;
    gpu_result result = device->driver->event_synchronize(record->event);
    gpu_scope_leave(&scope, device);
    if (result != 0)
        return gpu_device_failed(device, "waiting for an event", result);
    status = gpu_record_outcome(record);
    if (status == ACCEL_OK)
        return ACCEL_OK;
    return gpu_host()->error(status, "event: it carries the failure of the queue where it was recorded; wait for that "
                                     "queue to see its text");
}

static accel_status wait(accel_impl_event *event)
{
    gpu_record *record = gpu_event_latest(event);
    accel_status status = wait_for(record);

    gpu_record_release(record);
    return status;
}

static accel_status difference(gpu_record *start, gpu_record *end, uint64_t *nanoseconds)
{
    const gpu_record *both[2] = {start, end};
    static const char *const names[2] = {"start", "end"};
    float milliseconds = 0;
    gpu_scope scope;

    for (int i = 0; i < 2; ++i) {
        if (!both[i]->recorded)
            return gpu_host()->error(ACCEL_INVALID, "event: the %s was never recorded", names[i]);
    }
    for (int i = 0; i < 2; ++i) {
        if (!both[i]->timed)
            return gpu_host()->error(ACCEL_INVALID, "event: the %s is not timed; create it with ACCEL_EVENT_TIMING",
                                     names[i]);
    }
    if (start->device != end->device)
        return gpu_host()->error(ACCEL_INVALID, "event: the start was recorded on \"%s\", the end on \"%s\"",
                                 start->device->label, end->device->label);
    for (int i = 0; i < 2; ++i) {
        bool complete = false;
        accel_status status = completion(i == 0 ? start : end, &complete);
        if (status != ACCEL_OK)
            return status;
        if (!complete)
            return gpu_host()->error(ACCEL_NOT_READY, "event: the %s is not complete", names[i]);
    }
    accel_status status = gpu_device_check(start->device);
    if (status == ACCEL_OK)
        status = gpu_scope_enter(&scope, start->device, "timing");
    if (status != ACCEL_OK)
        return status;
    gpu_result result = start->device->driver->event_elapsed(&milliseconds, start->event, end->event);
    gpu_scope_leave(&scope, start->device);
    if (result != 0)
        return gpu_device_failed(start->device, "timing", result);
    if (milliseconds < 0)
        return gpu_host()->error(ACCEL_INVALID, "event: the end was reached %g ms before the start",
                                 (double)-milliseconds);
    *nanoseconds = (uint64_t)((double)milliseconds * 1e6 + 0.5);
    return ACCEL_OK;
}

static accel_status elapsed(accel_impl_event *start_event, accel_impl_event *end_event, uint64_t *nanoseconds)
{
    gpu_record *start = gpu_event_latest(start_event), *end = gpu_event_latest(end_event);
    accel_status status = difference(start, end, nanoseconds);

    gpu_record_release(start);
    gpu_record_release(end);
    return status;
}

static accel_status timeline_of(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    accel_status status = ACCEL_OK;

    pthread_mutex_lock(&event->lock);
    gpu_record *record = event->latest;
    if (record->recorded && record->timeline == NULL) {
        status = gpu_host()->timeline_create(&record->timeline);
        if (status == ACCEL_OK)
            gpu_record_watch(record);
    }
    if (status == ACCEL_OK) {
        *timeline = record->recorded ? record->timeline : NULL;
        *value = record->recorded ? 1 : 0;
        if (*timeline != NULL)
            gpu_host()->timeline_retain(*timeline);
    }
    pthread_mutex_unlock(&event->lock);
    return status;
}

static accel_status native(accel_impl_event *event, void **handle)
{
    pthread_mutex_lock(&event->lock);
    *handle = event->latest->event;
    pthread_mutex_unlock(&event->lock);
    return ACCEL_OK;
}

const accel_event_vtable gpu_event_vtable = {
    .struct_size = sizeof(accel_event_vtable),
    .destroy = destroy,
    .is_complete = is_complete,
    .wait = wait,
    .elapsed = elapsed,
    .timeline = timeline_of,
    .native = native,
};

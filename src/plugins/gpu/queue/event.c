/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/event.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"

#include <stdlib.h>

gpu_record *gpu_event_latest(accel_impl_event *event)
{
    pthread_mutex_lock(&event->lock);
    gpu_record *record = event->latest;
    gpu_record_retain(record);
    pthread_mutex_unlock(&event->lock);
    return record;
}

accel_status gpu_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **made)
{
    accel_impl_event *event = calloc(1, sizeof(*event));
    gpu_scope scope;

    if (event == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "event: no memory for %zu bytes", sizeof(*event));
    accel_status status = gpu_device_use(&scope, device, "making an event");
    if (status == ACCEL_OK) {
        status = gpu_record_make(device, (flags & ACCEL_EVENT_TIMING) != 0, &event->latest);
        gpu_scope_leave(&scope, device);
    }
    if (status != ACCEL_OK) {
        free(event);
        return status;
    }
    pthread_mutex_init(&event->lock, NULL);
    event->flags = flags;
    event->generation = device->generation;
    *made = event;
    return ACCEL_OK;
}

/* ------------------------------------------------------------------------------------- recording -- */

/* Under the event's lock: a record for the queue, the event's own if nobody else has it. */
static accel_status renew(accel_impl_event *event, accel_impl_queue *queue, gpu_record **old)
{
    gpu_record *latest = event->latest;
    bool timed = queue->profiling || (event->flags & ACCEL_EVENT_TIMING) != 0;
    gpu_record *fresh;

    *old = NULL;
    if (atomic_load_explicit(&latest->references, memory_order_acquire) == 1 && latest->device == queue->device &&
        latest->deferred == NULL && latest->timeline == NULL && (latest->timed || !timed))
        return ACCEL_OK;
    accel_status status = gpu_record_make(queue->device, timed, &fresh);
    if (status != ACCEL_OK)
        return status;
    *old = latest;
    event->latest = fresh;
    return ACCEL_OK;
}

static accel_status record_now(accel_impl_queue *queue, gpu_record *record)
{
    gpu_report *report = atomic_load_explicit(&queue->report, memory_order_acquire);

    record->report = report != NULL && report->written ? report : NULL;
    record->report_owner = report != NULL ? report->owner : 0;
    atomic_store_explicit(&record->status, gpu_queue_status(queue), memory_order_release);
    gpu_result result = queue->device->driver->event_record(record->event, queue->stream);
    return result == 0 ? ACCEL_OK : gpu_device_failed(queue->device, "recording an event", result);
}

typedef struct record_command {
    gpu_command command;
    gpu_record *record; /* retained */
    bool waits;         /* the queue waits for it; else it is recorded */
} record_command;

static accel_status wait_now(accel_impl_queue *, gpu_record *);

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    record_command *own = (record_command *)(void *)command;
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, queue->device, "submitting what was deferred");

    if (status == ACCEL_OK) {
        status = !own->waits                           ? record_now(queue, own->record)
                 : gpu_queue_status(queue) == ACCEL_OK ? wait_now(queue, own->record)
                                                       : ACCEL_OK;
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK && !own->waits)
        atomic_store_explicit(&own->record->status, status, memory_order_release);
    gpu_queue_fail(queue, status);
    gpu_record_release(own->record);
    free(own);
}

static record_command *make_command(gpu_record *record, bool waits)
{
    record_command *own = malloc(sizeof(*own));

    if (own == NULL) {
        gpu_host()->error(ACCEL_OUT_OF_MEMORY, "event: no memory for %zu bytes", sizeof(*own));
        return NULL;
    }
    gpu_record_retain(record);
    *own = (record_command){.command.run = run_command, .record = record, .waits = waits};
    return own;
}

/* With deferred.lock taken. */
static accel_status defer_record(accel_impl_queue *queue, gpu_record *record)
{
    record_command *own = make_command(record, false);

    if (own == NULL) {
        pthread_mutex_unlock(&queue->deferred.lock);
        return ACCEL_OUT_OF_MEMORY;
    }
    gpu_host()->timeline_retain(queue->deferred.submitted);
    record->deferred = queue->deferred.submitted;
    record->deferred_value = queue->deferred.given + 1;
    record->recorded = true;
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

/* Under the event's lock, with the context current. */
static accel_status record_latest(accel_impl_queue *queue, gpu_record *record)
{
    accel_status status = ACCEL_OK;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER)
        return defer_record(queue, record);
    if (gpu_device_has_failed(queue->device)) /* perhaps only since */
        return gpu_device_check(queue->device);
    status = record_now(queue, record); /* also behind a failure, which it carries */
    if (status == ACCEL_OK)
        record->recorded = true;
    return status;
}

static accel_status record_event_in_turn(accel_impl_queue *queue, accel_impl_event *event)
{
    static const char what[] = "recording an event";
    gpu_record *old = NULL;
    gpu_scope scope;
    accel_status status = gpu_device_check(queue->device);

    if (status == ACCEL_OK)
        status = gpu_scope_enter(&scope, queue->device, what);
    if (status != ACCEL_OK)
        return status;
    pthread_mutex_lock(&event->lock);
    status = renew(event, queue, &old);
    if (status == ACCEL_OK)
        status = record_latest(queue, event->latest);
    if (status != ACCEL_OK && old != NULL) { /* the earlier record stays */
        gpu_record *fresh = event->latest;
        event->latest = old;
        old = fresh;
    }
    pthread_mutex_unlock(&event->lock);
    if (old != NULL)
        gpu_record_release(old);
    gpu_scope_leave(&scope, queue->device);
    if (status == ACCEL_OK && queue->blocking)
        status = gpu_queue_finish(queue, what);
    return status;
}

accel_status gpu_record_event(accel_impl_queue *queue, accel_impl_event *event)
{
    gpu_queue_enter(queue);
    accel_status status = record_event_in_turn(queue, event);
    gpu_queue_leave(queue);
    return status;
}

/* --------------------------------------------------------------------------------------- waiting -- */

/* Whose failure the driver reports by a wait for an event of another device. A queue's own device that has failed says so
 * by every call; its own stream is asked, because the queue's may be capturing. */
static accel_impl_device *failed_device(accel_impl_queue *queue, accel_impl_device *other)
{
    const gpu_driver *driver = queue->device->driver;
    uint32_t class = gpu_error_class_of(driver, driver->stream_query(queue->device->stream), NULL);

    return class == GPU_CLASS_FAULT || class == GPU_CLASS_LOST ? queue->device : other;
}

/* The record has reached the driver. With the queue's context current. */
static accel_status wait_now(accel_impl_queue *queue, gpu_record *record)
{
    accel_impl_device *other = record->device;
    accel_status status = gpu_record_status(record);

    if (!gpu_device_has_failed(other)) {
        gpu_result result = queue->device->driver->stream_wait(queue->stream, record->event, 0);
        if (result != 0)
            return gpu_device_failed(failed_device(queue, other), "waiting for an event", result);
        if (other != queue->device && other->ordinal < GPU_AWAITED)
            atomic_fetch_or_explicit(&queue->awaited, (uint64_t)1 << other->ordinal, memory_order_relaxed);
    }
    gpu_queue_inherit(queue, status);
    return ACCEL_OK;
}

static accel_status wait_later(accel_impl_queue *queue, gpu_record *record, bool submitted)
{
    record_command *own = make_command(record, true);
    accel_status status = own != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;

    if (submitted) { /* the queue itself defers, and its lock is taken */
        if (own != NULL)
            gpu_deferred_append(queue, &own->command);
        else
            pthread_mutex_unlock(&queue->deferred.lock);
        return status;
    }
    if (own != NULL)
        status = gpu_defer_until(queue, record->deferred, record->deferred_value, &own->command);
    if (own != NULL && status != ACCEL_OK) {
        gpu_record_release(record);
        free(own);
    }
    return status;
}

static accel_status wait_record(accel_impl_queue *queue, gpu_record *record)
{
    accel_status status = ACCEL_OK;
    bool submitted = gpu_record_submitted(record);
    gpu_scope scope;

    if (!submitted && queue->blocking) {
        gpu_host()->timeline_wait(record->deferred, record->deferred_value);
        submitted = true;
    }
    uint32_t admission = gpu_queue_admit(queue, &status);
    if (admission == GPU_DEFER && !submitted)
        pthread_mutex_unlock(&queue->deferred.lock);
    if (admission == GPU_DEFER || (admission == GPU_SUBMIT && !submitted))
        return wait_later(queue, record, submitted);
    if (admission != GPU_SUBMIT)
        return status;
    status = gpu_scope_enter(&scope, queue->device, "waiting for an event");
    if (status != ACCEL_OK)
        return status;
    status = wait_now(queue, record);
    gpu_scope_leave(&scope, queue->device);
    if (status == ACCEL_OK && queue->blocking) {
        status = gpu_queue_finish(queue, "waiting for an event");
        if (status == ACCEL_OK && plugin_failure_status(&queue->failure) != ACCEL_OK)
            status = plugin_failure_repeat(&queue->failure, gpu_host());
    }
    return status;
}

accel_status gpu_wait_event(accel_impl_queue *queue, accel_impl_event *event)
{
    gpu_record *record = gpu_event_latest(event);

    gpu_queue_enter(queue);
    accel_status status = record->recorded ? wait_record(queue, record) : gpu_device_check(queue->device);
    gpu_queue_leave(queue);
    gpu_record_release(record);
    return status;
}

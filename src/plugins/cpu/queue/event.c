/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/queue.h"

#include <stdlib.h>

cpu_event_record cpu_event_latest(accel_impl_event *event)
{
    cpu_event_record record = {.reached = true};
    cpu_lock_spin(&event->lock);
    if (event->queue != NULL) {
        record.reached = cpu_host()->timeline_reached(event->queue->timeline, event->value, NULL);
        record.queue = event->queue;
        record.value = event->value;
        record.ticket = event->ticket;
        record.time = event->time;
        record.timed = event->timed;
        cpu_queue_retain(record.queue);
    }
    cpu_lock_release(&event->lock);
    return record;
}

void cpu_event_record_release(cpu_event_record record)
{
    if (record.queue != NULL)
        cpu_queue_release(record.queue);
}

accel_status cpu_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **made)
{
    (void)device;
    accel_impl_event *event = calloc(1, sizeof(*event));
    if (event == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "event: no memory for %zu bytes", sizeof(*event));
    plugin_reference_begin(&event->references);
    event->flags = flags;
    *made = event;
    return ACCEL_OK;
}

void cpu_event_release(accel_impl_event *event)
{
    if (!plugin_reference_release(&event->references))
        return;
    if (event->queue != NULL)
        cpu_queue_release(event->queue);
    free(event);
}

void cpu_event_stamp(accel_impl_event *event, accel_impl_queue *queue, uint64_t value)
{
    cpu_lock_spin(&event->lock);
    if (event->timed && event->queue == queue && event->value == value)
        event->time = cpu_clock_ns();
    cpu_lock_release(&event->lock);
}

/* What was pending at a fork is never reached in the child. */
static accel_status reached_or_forked(cpu_event_record record)
{
    return record.reached || record.queue == NULL ? ACCEL_OK : cpu_queue_check_fork(record.queue);
}

accel_status cpu_event_is_complete(accel_impl_event *event, bool *complete)
{
    cpu_event_record record = cpu_event_latest(event);
    const accel_status status = reached_or_forked(record);
    *complete = record.reached;
    cpu_event_record_release(record);
    return status;
}

static accel_status difference(cpu_event_record start, cpu_event_record end, uint64_t *nanoseconds)
{
    if (start.queue == NULL || end.queue == NULL)
        return cpu_host()->error(ACCEL_INVALID, "event: the %s was never recorded",
                                 start.queue == NULL ? "start" : "end");
    if (!start.timed || !end.timed)
        return cpu_host()->error(ACCEL_INVALID, "event: the %s is not timed; create it with ACCEL_EVENT_TIMING",
                                 !start.timed ? "start" : "end");
    if (reached_or_forked(start) != ACCEL_OK || reached_or_forked(end) != ACCEL_OK)
        return ACCEL_FORKED;
    if (!start.reached || !end.reached)
        return cpu_host()->error(ACCEL_NOT_READY, "event: the %s is not complete", !start.reached ? "start" : "end");
    if (end.time < start.time)
        return cpu_host()->error(ACCEL_INVALID, "event: the end was reached %llu ns before the start",
                                 (unsigned long long)(start.time - end.time));
    *nanoseconds = end.time - start.time;
    return ACCEL_OK;
}

accel_status cpu_event_elapsed(accel_impl_event *start_event, accel_impl_event *end_event, uint64_t *nanoseconds)
{
    cpu_event_record start = cpu_event_latest(start_event), end = cpu_event_latest(end_event);
    accel_status status = difference(start, end, nanoseconds);
    cpu_event_record_release(start);
    cpu_event_record_release(end);
    return status;
}

accel_status cpu_event_timeline(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    cpu_event_record record = cpu_event_latest(event);
    accel_status status = reached_or_forked(record);
    if (status == ACCEL_OK) {
        *timeline = record.queue != NULL ? record.queue->timeline : NULL;
        *value = record.value;
        if (*timeline != NULL)
            cpu_host()->timeline_retain(*timeline);
    }
    cpu_event_record_release(record);
    return status;
}

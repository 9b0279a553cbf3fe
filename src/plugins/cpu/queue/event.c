/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/queue.h"

#include <stdlib.h>

/* The latest record, with a reference to its queue, or queue NULL. If it is reached, its time is there. */
typedef struct latest {
    accel_impl_queue *queue;
    uint64_t value, ticket, time;
    bool timed, reached;
} latest;

static latest latest_of(accel_impl_event *event)
{
    latest record = {.reached = true};
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

static void done_with(latest record)
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
    event->references = 1;
    event->flags = flags;
    *made = event;
    return ACCEL_OK;
}

void cpu_event_release(accel_impl_event *event)
{
    if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) != 1)
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

static accel_status is_complete(accel_impl_event *event, bool *complete)
{
    latest record = latest_of(event);
    *complete = record.reached;
    done_with(record);
    return ACCEL_OK;
}

static accel_status wait(accel_impl_event *event)
{
    latest record = latest_of(event);
    accel_status status = ACCEL_OK;
    if (!record.reached)
        status = cpu_queue_check_fork(record.queue);
    if (record.queue != NULL && status == ACCEL_OK) {
        if (record.ticket != 0)
            cpu_queue_wait_ticket(record.queue, record.ticket);
        status = cpu_host()->timeline_wait(record.queue->timeline, record.value);
        if (status != ACCEL_OK)
            cpu_host()->error(
                status, "event: it carries the failure of the queue where it was recorded; wait for that queue to "
                        "see its text");
    }
    done_with(record);
    return status;
}

static accel_status difference(latest start, latest end, uint64_t *nanoseconds)
{
    if (start.queue == NULL || end.queue == NULL)
        return cpu_host()->error(ACCEL_INVALID, "event: the %s was never recorded",
                                 start.queue == NULL ? "start" : "end");
    if (!start.timed || !end.timed)
        return cpu_host()->error(ACCEL_INVALID, "event: the %s is not timed; create it with ACCEL_EVENT_TIMING",
                                 !start.timed ? "start" : "end");
    if (!start.reached || !end.reached)
        return cpu_host()->error(ACCEL_NOT_READY, "event: the %s is not complete", !start.reached ? "start" : "end");
    if (end.time < start.time)
        return cpu_host()->error(ACCEL_INVALID, "event: the end was reached %llu ns before the start",
                                 (unsigned long long)(start.time - end.time));
    *nanoseconds = end.time - start.time;
    return ACCEL_OK;
}

static accel_status elapsed(accel_impl_event *start_event, accel_impl_event *end_event, uint64_t *nanoseconds)
{
    latest start = latest_of(start_event), end = latest_of(end_event);
    accel_status status = difference(start, end, nanoseconds);
    done_with(start);
    done_with(end);
    return status;
}

static accel_status timeline_of(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    latest record = latest_of(event);
    accel_status status = record.reached ? ACCEL_OK : cpu_queue_check_fork(record.queue);
    if (status == ACCEL_OK) {
        *timeline = record.queue != NULL ? record.queue->timeline : NULL;
        *value = record.value;
        if (*timeline != NULL)
            cpu_host()->timeline_retain(*timeline);
    }
    done_with(record);
    return status;
}

const accel_event_vtable cpu_event_vtable = {
    .struct_size = sizeof(accel_event_vtable),
    .destroy = cpu_event_release,
    .is_complete = is_complete,
    .wait = wait,
    .elapsed = elapsed,
    .timeline = timeline_of,
    .native = NULL,
};

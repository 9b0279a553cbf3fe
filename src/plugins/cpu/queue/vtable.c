/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of queues and events that wait, and the tables. */
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/operation.h"
#include "plugins/cpu/queue/scheduler.h"

static void destroy(accel_impl_queue *queue)
{
    /* What was pending at a fork stays where it is: other threads' locks guard it. */
    if (cpu_queue_after_fork(queue) != ACCEL_OK)
        return;
    if (!queue->blocking)
        cpu_queue_close(queue);
    cpu_queue_release(queue);
}

static accel_status queue_wait(accel_impl_queue *queue)
{
    if (queue->blocking) {
        /* Another thread's operation is complete when its call returns: wait for that call. */
        if (__builtin_expect(cpu_lock_is_held(&queue->run), 0)) {
            cpu_lock_acquire(&queue->run);
            cpu_queue_end(queue);
        }
    } else {
        cpu_queue_wait_ticket(queue, cpu_ring_published(&queue->ring));
    }
    accel_status status = plugin_failure_status(&queue->failure);
    if (__builtin_expect(status == ACCEL_OK, 1))
        return ACCEL_OK;
    return plugin_failure_report(&queue->failure, cpu_host());
}

static accel_status is_idle(accel_impl_queue *queue, bool *idle)
{
    if (queue->blocking)
        *idle = !cpu_lock_is_held(&queue->run);
    else
        *idle = cpu_ring_completed(&queue->ring) == cpu_ring_published(&queue->ring);
    return ACCEL_OK;
}

const accel_queue_vtable cpu_queue_vtable = {
    .struct_size = sizeof(accel_queue_vtable),
    .destroy = destroy,
    .launch = cpu_operation_launch,
    .copy = cpu_operation_copy,
    .fill = cpu_operation_fill,
    .call = cpu_operation_call,
    .record = cpu_operation_record,
    .wait_event = cpu_operation_wait_event,
    .wait_timeline = cpu_operation_wait_timeline,
    .wait = queue_wait,
    .is_idle = is_idle,
    .allocate_async = cpu_operation_allocate,
    .free_async = cpu_operation_free,
    .after_fork = cpu_queue_after_fork,
    .native = NULL,
    .launch_watched = cpu_operation_launch_watched,
    .begin_steps = cpu_queue_begin_steps,
    .end_steps = cpu_queue_end_steps,
};

static accel_status event_wait(accel_impl_event *event)
{
    cpu_event_record record = cpu_event_latest(event);
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
    cpu_event_record_release(record);
    return status;
}

const accel_event_vtable cpu_event_vtable = {
    .struct_size = sizeof(accel_event_vtable),
    .destroy = cpu_event_release,
    .is_complete = cpu_event_is_complete,
    .wait = event_wait,
    .elapsed = cpu_event_elapsed,
    .timeline = cpu_event_timeline,
    .native = NULL,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/operation.h"
#include "plugins/cpu/queue/command.h"
#include "plugins/cpu/queue/scheduler.h"
#include "plugins/cpu/engine/memory.h"

#include <string.h>

accel_status cpu_operation_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    accel_status status;
    if (queue->blocking) {
        status = cpu_queue_begin(queue);
        if (status != ACCEL_OK)
            return status;
        cpu_transfer_site site = cpu_queue_transfer_site(queue);
        cpu_copy(&site, params);
        cpu_queue_end(queue);
        return ACCEL_OK;
    }
    cpu_record *record;
    status = cpu_submit_begin(queue, CPU_COMMAND_COPY, sizeof(cpu_command_copy), &record);
    if (status != ACCEL_OK)
        return status;
    ((cpu_command_copy *)(void *)record)->params = *params;
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

accel_status cpu_operation_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    accel_status status;
    if (queue->blocking) {
        status = cpu_queue_begin(queue);
        if (status != ACCEL_OK)
            return status;
        cpu_transfer_site site = cpu_queue_transfer_site(queue);
        cpu_fill(&site, params, params->pattern);
        cpu_queue_end(queue);
        return ACCEL_OK;
    }
    cpu_record *record;
    status = cpu_submit_begin(queue, CPU_COMMAND_FILL, sizeof(cpu_command_fill) + params->pattern_size, &record);
    if (status != ACCEL_OK)
        return status;
    cpu_command_fill *fill = (cpu_command_fill *)(void *)record;
    fill->params = *params;
    memcpy(fill->pattern, params->pattern, params->pattern_size);
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

accel_status cpu_operation_call(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    if (queue->blocking) {
        cpu_lock_acquire(&queue->run);
        function(user, plugin_failure_status(&queue->failure));
        cpu_queue_end(queue);
        return ACCEL_OK;
    }
    cpu_record *record;
    accel_status status = cpu_submit_begin(queue, CPU_COMMAND_CALL, sizeof(cpu_command_call), &record);
    if (status != ACCEL_OK)
        return status;
    cpu_command_call *call = (cpu_command_call *)(void *)record;
    call->function = function;
    call->user = user;
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

/* Puts a new record into the event, whose lock is held. Returns what the old one held, to be released without the lock.
 */
static accel_impl_queue *replace(accel_impl_event *event, accel_impl_queue *queue, uint64_t value)
{
    accel_impl_queue *old = event->queue;
    cpu_queue_retain(queue);
    event->queue = queue;
    event->value = value;
    event->ticket = 0;
    event->timed = queue->profiling || (event->flags & ACCEL_EVENT_TIMING) != 0;
    event->time = 0;
    return old;
}

static accel_impl_queue *record_now(accel_impl_queue *queue, accel_impl_event *event)
{
    cpu_lock_acquire(&queue->run);
    uint64_t value = ++queue->timeline_value;
    cpu_lock_spin(&event->lock);
    accel_impl_queue *old = replace(event, queue, value);
    if (event->timed)
        event->time = cpu_clock_ns();
    cpu_lock_release(&event->lock);
    cpu_host()->timeline_signal(queue->timeline, value, plugin_failure_status(&queue->failure));
    cpu_queue_end(queue);
    return old;
}

accel_status cpu_operation_record(accel_impl_queue *queue, accel_impl_event *event)
{
    accel_impl_queue *old;
    if (queue->blocking) {
        old = record_now(queue, event);
    } else {
        /* The event is locked until it knows the record: the command may be executed before submit_end returns. */
        cpu_lock_spin(&event->lock);
        cpu_record *record;
        accel_status status = cpu_submit_begin(queue, CPU_COMMAND_SIGNAL, sizeof(cpu_command_signal), &record);
        if (status != ACCEL_OK) {
            cpu_lock_release(&event->lock);
            return status;
        }
        cpu_command_signal *signal = (cpu_command_signal *)(void *)record;
        signal->value = ++queue->timeline_value;
        old = replace(event, queue, signal->value);
        signal->event = event->timed ? event : NULL;
        if (event->timed)
            plugin_reference_retain(&event->references);
        event->ticket = cpu_submit_end(queue, record);
        cpu_lock_release(&event->lock);
    }
    if (old != NULL)
        cpu_queue_release(old);
    return ACCEL_OK;
}

/* Of a blocking queue: the caller waits, and executes what it waits for if that is in a queue of this backend. */
static accel_status wait_now(accel_impl_queue *queue, accel_impl_queue *other, uint64_t ticket,
                             accel_timeline *timeline, uint64_t value)
{
    accel_status status = cpu_queue_begin(queue);
    if (status != ACCEL_OK)
        return status;
    if (other != NULL && ticket != 0)
        cpu_queue_wait_ticket(other, ticket);
    status = cpu_queue_inherit(queue, cpu_host()->timeline_wait(timeline, value));
    cpu_queue_end(queue);
    return status;
}

static accel_status wait_later(accel_impl_queue *queue, accel_impl_queue *other, uint64_t ticket,
                               accel_timeline *timeline, uint64_t value)
{
    cpu_record *record;
    accel_status status = cpu_submit_begin(queue, CPU_COMMAND_WAIT, sizeof(cpu_command_wait), &record);
    if (status != ACCEL_OK)
        return status;
    cpu_command_wait *wait = (cpu_command_wait *)(void *)record;
    wait->timeline = timeline;
    wait->value = value;
    wait->other = other != NULL && other->device == queue->device && ticket != 0 ? other : NULL;
    wait->ticket = ticket;
    if (wait->other != NULL)
        cpu_queue_retain(wait->other);
    else
        cpu_host()->timeline_retain(timeline);
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

accel_status cpu_operation_wait_event(accel_impl_queue *queue, accel_impl_event *event)
{
    cpu_lock_spin(&event->lock);
    accel_impl_queue *other = event->queue;
    uint64_t value = event->value, ticket = event->ticket;
    if (other != NULL)
        cpu_queue_retain(other);
    cpu_lock_release(&event->lock);
    if (other == NULL)
        return ACCEL_OK;
    accel_status status;
    if (!cpu_host()->timeline_reached(other->timeline, value, NULL) &&
        (status = cpu_queue_check_fork(other)) != ACCEL_OK)
        ; /* nobody will ever reach it in this process */
    else if (queue->blocking)
        status = wait_now(queue, other, ticket, other->timeline, value);
    else
        status = wait_later(queue, other, ticket, other->timeline, value);
    cpu_queue_release(other);
    return status;
}

accel_status cpu_operation_wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    return queue->blocking ? wait_now(queue, NULL, 0, timeline, value) : wait_later(queue, NULL, 0, timeline, value);
}

accel_status cpu_operation_allocate(accel_impl_queue *queue, const accel_memory_request *request,
                                    accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    return cpu_memory_allocate(queue->device, request, memory, ptr, host_ptr);
}

/* Must not fail and must not wait. Without memory for a command, the queue's list of retired memory takes it. */
void cpu_operation_free(accel_impl_queue *queue, accel_impl_memory *memory)
{
    cpu_record *record;
    if (queue->blocking || cpu_submit_begin(queue, CPU_COMMAND_FREE, sizeof(cpu_command_free), &record) != ACCEL_OK) {
        cpu_retire_after(&queue->retired, memory);
        return;
    }
    ((cpu_command_free *)(void *)record)->memory = memory;
    cpu_submit_end(queue, record);
}

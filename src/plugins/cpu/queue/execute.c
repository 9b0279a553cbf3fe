/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/command.h"
#include "plugins/cpu/engine/memory.h"

bool cpu_queue_is_ready(accel_impl_queue *queue)
{
    return cpu_ring_published(&queue->ring) != cpu_ring_completed(&queue->ring) &&
           atomic_load_explicit(&queue->parked, memory_order_seq_cst) == 0 && !cpu_lock_is_held(&queue->run);
}

bool cpu_queue_execute(accel_impl_queue *queue, uint64_t ticket)
{
    uint64_t begun = atomic_load_explicit(&queue->ring.completed, memory_order_relaxed);
    uint64_t done = begun;
    /* One look at what there is: each takes a line away from the submitters, and at equal speed every command would
     * cost one. */
    uint64_t last = cpu_ring_published(&queue->ring);
    if (last > ticket)
        last = ticket;
    while (done < last && atomic_load_explicit(&queue->parked, memory_order_acquire) == 0) {
        cpu_record *record = cpu_ring_peek(&queue->ring);
        if (!cpu_command_execute(queue, record))
            break;
        cpu_ring_pop(&queue->ring, record);
        cpu_queue_completed(queue, ++done);
    }
    return done != begun;
}

static inline cpu_work work_of(const cpu_command_launch *command)
{
    size_t dims = command->dims;
    return (cpu_work){(uint32_t)dims, command->extents, command->extents + dims, command->extents + 2 * dims,
                      command->shared_bytes};
}

static __attribute__((noinline)) void prepare(accel_impl_queue *queue, const cpu_command_launch *command)
{
    const cpu_work work = work_of(command);
    cpu_prepared_make(&queue->prepared, command->kernel, &work, &queue->site);
}

static void launch(accel_impl_queue *queue, const cpu_command_launch *command)
{
    const cpu_work work = work_of(command);
    if (!cpu_prepared_fits(&queue->prepared, command->kernel, &work))
        prepare(queue, command);
    cpu_queue_run(queue, command->args);
}

/* Tells the queue that its timeline has moved on. Runs on the signalling thread, perhaps in another queue. */
static void unpark(accel_timeline_waiter *waiter, accel_status status)
{
    (void)status; /* the command asks again */
    accel_impl_queue *queue = waiter->user;
    atomic_store_explicit(&queue->parked, 0, memory_order_seq_cst);
    cpu_lock_look(&queue->ring.lock);
    bool rouse = cpu_worker_rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (rouse)
        cpu_worker_wake(queue);
    cpu_queue_wake_waiters(queue);
    cpu_queue_release(queue);
}

/* The event is of another queue of this device. If nobody works on that one, this thread does, up to the event (semantics
 * Q4): telling another thread takes longer than most commands. If somebody does, a short while of polling is still
 * cheaper than to be told. Waits of waits are bounded, so that the stack is. */
static bool reach(const accel_impl_queue *queue, const cpu_command_wait *command, accel_status *status)
{
    enum { DEEPEST = 4, TURNS = 32 };
    if (command->other == NULL || queue->depth == DEEPEST || queue->site.settings->spin_ns == 0)
        return false;
    for (int turn = 0; turn < TURNS; ++turn) {
        if (!cpu_queue_help(command->other, command->ticket, queue->depth + 1))
            cpu_relax();
        if (cpu_host()->timeline_reached(command->timeline, command->value, status))
            return true;
    }
    return false;
}

static void release_wait(const cpu_command_wait *command)
{
    if (command->other != NULL)
        cpu_queue_release(command->other);
    else
        cpu_host()->timeline_release(command->timeline);
}

static bool wait(accel_impl_queue *queue, const cpu_command_wait *command, bool skip)
{
    const accel_host_services *host = cpu_host();
    accel_status status = ACCEL_OK;
    if (!skip && !host->timeline_reached(command->timeline, command->value, &status) &&
        !reach(queue, command, &status)) {
        atomic_store_explicit(&queue->parked, 1, memory_order_relaxed);
        cpu_queue_retain(queue);
        queue->waiter = (accel_timeline_waiter){.notify = unpark, .user = queue};
        if (host->timeline_on_signal(command->timeline, command->value, &queue->waiter))
            return false;
        cpu_queue_release(queue);
        atomic_store_explicit(&queue->parked, 0, memory_order_relaxed);
        host->timeline_reached(command->timeline, command->value, &status);
    }
    cpu_failure_inherit(&queue->failure, status);
    release_wait(command);
    return true;
}

static void release_holds(accel_hold *const holds[], size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (holds[i] != NULL)
            cpu_host()->hold_release(holds[i]);
}

bool cpu_command_execute(accel_impl_queue *queue, cpu_record *record)
{
    void *command = record;
    bool skip = cpu_failure_status(&queue->failure) != ACCEL_OK;
    switch (record->kind) {
    case CPU_COMMAND_LAUNCH:
        if (!skip)
            launch(queue, command);
        break;
    case CPU_COMMAND_COPY: {
        cpu_command_copy *copy = command;
        cpu_transfer_site site = cpu_queue_transfer_site(queue);
        if (!skip)
            cpu_copy(&site, &copy->params);
        release_holds(copy->params.holds, 2);
        break;
    }
    case CPU_COMMAND_FILL: {
        cpu_command_fill *fill = command;
        cpu_transfer_site site = cpu_queue_transfer_site(queue);
        if (!skip)
            cpu_fill(&site, &fill->params, fill->pattern);
        release_holds(&fill->params.hold, 1);
        break;
    }
    case CPU_COMMAND_CALL: {
        cpu_command_call *call = command;
        call->function(call->user, cpu_failure_status(&queue->failure));
        break;
    }
    case CPU_COMMAND_SIGNAL: {
        cpu_command_signal *signal = command;
        if (signal->event != NULL)
            cpu_event_stamp(signal->event, queue, signal->value);
        cpu_host()->timeline_signal(queue->timeline, signal->value, cpu_failure_status(&queue->failure));
        if (signal->event != NULL)
            cpu_event_release(signal->event);
        break;
    }
    case CPU_COMMAND_WAIT:
        return wait(queue, command, skip);
    case CPU_COMMAND_FREE: {
        cpu_command_free *release = command;
        cpu_memory_free(release->memory);
        break;
    }
    default:
        break;
    }
    return true;
}

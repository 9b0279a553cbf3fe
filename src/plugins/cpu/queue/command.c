/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/command.h"
#include "plugins/cpu/engine/memory.h"

static inline cpu_work work_of(const cpu_command_launch *command)
{
    size_t dims = command->record.more;
    return (cpu_work){(uint32_t)dims, command->extents, command->extents + dims, command->extents + 2 * dims,
                      command->shared_bytes};
}

static __attribute__((noinline)) void prepare(accel_impl_queue *queue, const cpu_command_launch *command)
{
    const cpu_work work = work_of(command);
    cpu_prepared_make(&queue->prepared, command->kernel, &work, &queue->site);
}

static void launch(accel_impl_queue *queue, cpu_command_launch *command)
{
    const cpu_work work = work_of(command);
    if (!cpu_prepared_fits(&queue->prepared, command->kernel, &work))
        prepare(queue, command);
    accel_status status = cpu_queue_run(queue, cpu_command_args(command));
    if (cpu_absent_shared_is_used(&queue->absent_shared))
        cpu_queue_report_shared(queue, status);
}

static void release_holds(accel_hold *const holds[], size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (holds[i] != NULL)
            cpu_host()->hold_release(holds[i]);
}

void cpu_command_execute(accel_impl_queue *queue, cpu_record *record)
{
    void *command = record;
    bool skip = plugin_failure_status(&queue->failure) != ACCEL_OK;
    switch (record->kind) {
    case CPU_COMMAND_LAUNCH:
        if (!skip)
            launch(queue, command);
        break;
    case CPU_COMMAND_WATCHED: {
        cpu_command_watched *watched = command;
        uint64_t begun = watched->watch->begin(watched->data);
        if (!skip)
            launch(queue, (cpu_command_launch *)(void *)(watched->data + record->more));
        watched->watch->end(watched->data, begun, plugin_failure_status(&queue->failure));
        break;
    }
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
        call->function(call->user, plugin_failure_status(&queue->failure));
        break;
    }
    case CPU_COMMAND_SIGNAL: {
        cpu_command_signal *signal = command;
        if (signal->event != NULL)
            cpu_event_stamp(signal->event, queue, signal->value);
        cpu_host()->timeline_signal(queue->timeline, signal->value, plugin_failure_status(&queue->failure));
        if (signal->event != NULL)
            cpu_event_release(signal->event);
        break;
    }
    case CPU_COMMAND_FREE: {
        cpu_command_free *release = command;
        cpu_memory_free(release->memory);
        break;
    }
    default:
        break;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/command.h"
#include "plugins/cpu/queue/scheduler.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/operation.h"

#include <string.h>

/* Arguments that do not lie where the kernel's compiler expects them. */
static __attribute__((noinline)) accel_status run_aligned(accel_impl_queue *queue, const void *args, size_t args_size)
{
    _Alignas(CPU_MAX_ARGS_ALIGN) unsigned char copy[ACCEL_MAX_ARGS_SIZE];
    memcpy(copy, args, args_size);
    return cpu_queue_run(queue, copy);
}

/* What is prepared, and gives `run` back. */
static inline accel_status run_and_end(accel_impl_queue *queue, const accel_descriptor *kernel, const void *args)
{
    accel_status status;
    if (__builtin_expect(((uintptr_t)args & (kernel->args_align - 1)) != 0, 0))
        status = run_aligned(queue, args, kernel->args_size);
    else
        status = cpu_queue_run(queue, args);
    return cpu_queue_end_launch(queue, status);
}

static __attribute__((noinline)) void prepare(accel_impl_queue *queue, const accel_descriptor *kernel,
                                              const accel_work *given)
{
    const cpu_work work = cpu_work_of(given);
    cpu_prepared_make(&queue->prepared, kernel, &work, &queue->site);
}

static inline accel_status launch_now(accel_impl_queue *queue, const accel_descriptor *kernel, const accel_work *given,
                                      const void *args)
{
    const cpu_work work = cpu_work_of(given);
    accel_status status = cpu_queue_begin(queue);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    if (!cpu_prepared_fits(&queue->prepared, kernel, &work))
        prepare(queue, kernel, given);
    return run_and_end(queue, kernel, args);
}

/* Bytes of a command. The struct and the extents are a multiple of 8, and so aligned for most arguments. */
static inline size_t size_of(const accel_descriptor *kernel, const accel_work *work)
{
    const size_t align = kernel->args_align, slack = align > sizeof(size_t) ? align : 0;
    return sizeof(cpu_command_launch) + 3 * work->dims * sizeof(size_t) + slack + kernel->args_size;
}

static inline void write_launch(cpu_command_launch *launch, const accel_descriptor *kernel, const accel_work *work,
                                const void *args)
{
    size_t dims = work->dims;
    launch->record.more = (uint16_t)dims;
    launch->kernel = kernel;
    launch->shared_bytes = work->shared_bytes;
    size_t *extents = launch->extents;
    if (__builtin_expect(dims == 1, 1)) {
        extents[0] = work->blocks[0];
        extents[1] = work->threads[0];
        extents[2] = work->elems[0];
    } else {
        for (size_t d = 0; d < dims; ++d) {
            extents[d] = work->blocks[d];
            extents[dims + d] = work->threads[d];
            extents[2 * dims + d] = work->elems[d];
        }
    }
    memcpy(cpu_command_args(launch), args, kernel->args_size);
}

static __attribute__((noinline)) accel_status launch_later(accel_impl_queue *queue, const accel_descriptor *kernel,
                                                           const accel_work *work, const void *args)
{
    cpu_record *record;
    accel_status status = cpu_submit_begin(queue, CPU_COMMAND_LAUNCH, size_of(kernel, work), &record);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    write_launch((cpu_command_launch *)(void *)record, kernel, work, args);
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

accel_status cpu_operation_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                  const void *args)
{
    if (queue->blocking)
        return launch_now(queue, kernel->descriptor, work, args);
    return launch_later(queue, kernel->descriptor, work, args);
}

accel_status cpu_operation_launch_watched(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                          const void *args, const accel_operation_watch *watch, const void *data)
{
    const accel_descriptor *descriptor = kernel->descriptor;
    const size_t align = _Alignof(cpu_command_launch), room = (watch->data_size + align - 1) & ~(align - 1);
    cpu_record *record;
    accel_status status = cpu_submit_begin(queue, CPU_COMMAND_WATCHED,
                                           sizeof(cpu_command_watched) + room + size_of(descriptor, work), &record);
    if (status != ACCEL_OK)
        return status;
    cpu_command_watched *watched = (cpu_command_watched *)(void *)record;
    record->more = (uint16_t)room;
    watched->watch = watch;
    memcpy(watched->data, data, watch->data_size);
    write_launch((cpu_command_launch *)(void *)(watched->data + room), descriptor, work, args);
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

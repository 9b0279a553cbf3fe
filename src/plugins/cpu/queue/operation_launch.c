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
static inline accel_status run_and_end(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const void *args)
{
    accel_status status;
    if (__builtin_expect(((uintptr_t)args & (kernel->args_align - 1)) != 0, 0))
        status = run_aligned(queue, args, kernel->args_size);
    else
        status = cpu_queue_run(queue, args);
    return cpu_queue_end_launch(queue, status);
}

static __attribute__((noinline)) void prepare(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                                              const accel_work *given)
{
    const cpu_work work = cpu_work_of(given);
    cpu_prepared_make(&queue->prepared, kernel, &work, &queue->site);
}

static inline accel_status launch_now(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                                      const accel_work *given, const void *args)
{
    const cpu_work work = cpu_work_of(given);
    accel_status status = cpu_queue_begin(queue);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    if (!cpu_prepared_fits(&queue->prepared, kernel, &work))
        prepare(queue, kernel, given);
    return run_and_end(queue, kernel, args);
}

/* Of a command, in bytes. */
typedef struct launch_layout {
    size_t head, all; /* where the arguments begin, unless that is no multiple of their alignment */
} launch_layout;

static inline launch_layout layout_of(const accel_kernel_descriptor *kernel, const accel_work *work)
{
    size_t align = kernel->args_align, head = sizeof(cpu_command_launch) + 3 * work->dims * sizeof(size_t);
    size_t slack = align > sizeof(size_t) ? align : 0; /* the head is a multiple of 8 bytes */
    return (launch_layout){head, head + slack + kernel->args_size};
}

static inline void write_launch(cpu_record *record, const accel_kernel_descriptor *kernel, const accel_work *work,
                                const void *args, size_t head)
{
    size_t dims = work->dims, align = kernel->args_align;
    cpu_command_launch *launch = (cpu_command_launch *)(void *)record;
    launch->kernel = kernel;
    launch->shared_bytes = work->shared_bytes;
    launch->dims = dims;
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
    unsigned char *copy = (unsigned char *)record + head;
    copy += (uintptr_t) - (uintptr_t)copy & (align - 1);
    memcpy(copy, args, kernel->args_size);
    launch->args = copy;
}

static __attribute__((noinline)) accel_status
launch_later(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const accel_work *work, const void *args)
{
    const launch_layout layout = layout_of(kernel, work);
    cpu_record *record;
    accel_status status = cpu_submit_begin(queue, CPU_COMMAND_LAUNCH, layout.all, &record);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    write_launch(record, kernel, work, args, layout.head);
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
                                          const void *args, const accel_operation_watch *watch)
{
    const accel_kernel_descriptor *descriptor = kernel->descriptor;
    const launch_layout layout = layout_of(descriptor, work);
    const size_t data = (watch->data_size + CPU_RING_ALIGN - 1) & ~(size_t)(CPU_RING_ALIGN - 1);
    cpu_record *record;
    accel_status status =
        cpu_submit_begin(queue, CPU_COMMAND_WATCHED, sizeof(cpu_command_watched) + data + layout.all, &record);
    if (status != ACCEL_OK)
        return status;
    cpu_command_watched *watched = (cpu_command_watched *)(void *)record;
    watched->begin = watch->begin;
    watched->end = watch->end;
    watched->inner = (cpu_record *)(void *)(watched->data + data);
    memcpy(watched->data, watch->data, watch->data_size);
    *watched->inner = (cpu_record){.size = (uint32_t)layout.all, .kind = CPU_COMMAND_LAUNCH};
    write_launch(watched->inner, descriptor, work, args, layout.head);
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

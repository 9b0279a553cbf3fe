/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/command.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/operation.h"

#include <string.h>

/* What kernels without arguments are given. */
static const _Alignas(CPU_MAX_ARGS_ALIGN) unsigned char no_args[CPU_MAX_ARGS_ALIGN];

/* Arguments that are missing, or lie where the kernel's compiler does not expect them. */
static __attribute__((noinline)) accel_status run_aligned(accel_impl_queue *queue, const void *args, size_t args_size)
{
    _Alignas(CPU_MAX_ARGS_ALIGN) unsigned char copy[ACCEL_MAX_ARGS_SIZE];
    if (args == NULL)
        return cpu_queue_run(queue, no_args);
    memcpy(copy, args, args_size);
    return cpu_queue_run(queue, copy);
}

/* What is prepared, and gives `run` back. */
static inline accel_status run_and_end(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const void *args)
{
    accel_status status;
    if (__builtin_expect(args == NULL || ((uintptr_t)args & (kernel->args_align - 1)) != 0, 0))
        status = run_aligned(queue, args, kernel->args_size);
    else
        status = cpu_queue_run(queue, args);
    cpu_lock_release(&queue->run);
    return status;
}

/* Takes `run`; if the queue has failed, gives its failure and does not. */
static inline accel_status begin_now(accel_impl_queue *queue)
{
    cpu_lock_acquire(&queue->run);
    if (__builtin_expect(cpu_failure_status(&queue->failure) == ACCEL_OK, 1))
        return ACCEL_OK;
    accel_status status = cpu_failure_repeat(&queue->failure);
    if (status != ACCEL_OK) /* else another thread has just been told, and the queue goes on */
        cpu_lock_release(&queue->run);
    return status;
}

static accel_status launch_now(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                               const accel_launch_params *params)
{
    const accel_grid *grid = &params->grid;
    accel_status status = begin_now(queue);
    if (status != ACCEL_OK)
        return status;
    if (!cpu_prepared_fits(&queue->prepared, kernel, grid->dims, params->blocks, params->threads, grid->elems,
                           params->shared_bytes))
        cpu_prepared_make(&queue->prepared, kernel, params->blocks, params->threads, params->shared_bytes, grid,
                          &queue->site);
    return run_and_end(queue, kernel, params->args);
}

/* Makes the command, but for its shape, and holds ring.lock then. */
static inline accel_status begin_later(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, bool wide,
                                       const void *args, cpu_command_launch **made)
{
    size_t head = wide ? sizeof(cpu_command_launch_wide) : sizeof(cpu_command_launch);
    size_t args_size = args != NULL ? kernel->args_size : 0;
    size_t slack =
        kernel->args_align > sizeof(uint64_t) ? kernel->args_align : 0; /* the head is a multiple of 8 bytes */
    cpu_record *record;
    accel_status status =
        cpu_submit_begin(queue, wide ? CPU_COMMAND_LAUNCH_WIDE : CPU_COMMAND_LAUNCH, head + slack + args_size, &record);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    cpu_command_launch *launch = (cpu_command_launch *)(void *)record;
    launch->kernel = kernel;
    launch->args = no_args;
    if (args_size != 0) {
        uintptr_t mask = kernel->args_align - 1;
        unsigned char *copy = (unsigned char *)record + head;
        copy += (uintptr_t) - (uintptr_t)copy & mask;
        memcpy(copy, args, args_size);
        launch->args = copy;
    }
    *made = launch;
    return ACCEL_OK;
}

static __attribute__((noinline)) accel_status
launch_later(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const accel_launch_params *params)
{
    const accel_grid *grid = &params->grid;
    bool wide = grid->dims > 3;
    cpu_command_launch *launch;
    accel_status status = begin_later(queue, kernel, wide, params->args, &launch);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    launch->shared_bytes = params->shared_bytes;
    launch->dims = grid->dims;
    for (int i = 0; i < 3; ++i) {
        launch->blocks[i] = params->blocks[i];
        launch->threads[i] = params->threads[i];
        launch->elems[i] = grid->elems[i];
    }
    if (wide)
        ((cpu_command_launch_wide *)(void *)launch)->grid = *grid;
    cpu_submit_end(queue, &launch->record);
    return ACCEL_OK;
}

static __attribute__((noinline)) accel_status line_later(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                                                         uint32_t blocks, uint32_t threads, uint64_t elems,
                                                         const void *args)
{
    cpu_command_launch *launch;
    accel_status status = begin_later(queue, kernel, false, args, &launch);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    launch->shared_bytes = 0;
    launch->dims = 1;
    for (int i = 0; i < 3; ++i) {
        launch->blocks[i] = i == 0 ? blocks : 1;
        launch->threads[i] = i == 0 ? threads : 1;
        launch->elems[i] = i == 0 ? elems : 1;
    }
    cpu_submit_end(queue, &launch->record);
    return ACCEL_OK;
}

accel_status cpu_operation_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    return queue->blocking ? launch_now(queue, kernel->descriptor, params)
                           : launch_later(queue, kernel->descriptor, params);
}

static __attribute__((noinline)) void prepare_line(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                                                   uint32_t blocks, uint32_t threads, uint64_t elems)
{
    const accel_grid grid = {.struct_size = sizeof(grid),
                             .dims = 1,
                             .blocks = {blocks, 1, 1, 1, 1, 1},
                             .threads = {threads, 1, 1, 1, 1, 1},
                             .elems = {elems, 1, 1, 1, 1, 1}};
    cpu_prepared_make(&queue->prepared, kernel, grid.blocks, grid.threads, 0, &grid, &queue->site);
}

accel_status cpu_operation_launch_line(accel_impl_queue *queue, accel_impl_kernel *impl, uint32_t blocks,
                                       uint32_t threads, uint64_t elems, const void *args)
{
    const accel_kernel_descriptor *kernel = impl->descriptor;
    if (!queue->blocking)
        return line_later(queue, kernel, blocks, threads, elems, args);
    accel_status status = begin_now(queue);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    if (!cpu_prepared_begins(&queue->prepared, kernel, 1, blocks, threads, elems, 0))
        prepare_line(queue, kernel, blocks, threads, elems);
    return run_and_end(queue, kernel, args);
}

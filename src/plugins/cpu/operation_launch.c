/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "module.h"
#include "operation.h"

#include <string.h>

/* What kernels without arguments are given. */
static const _Alignas(CPU_MAX_ARGS_ALIGN) unsigned char no_args[CPU_MAX_ARGS_ALIGN];

static accel_status run(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                        const accel_launch_params *params, const void *args)
{
    cpu_prepared *prepared = &queue->prepared;
    const accel_grid *grid = &params->grid;
    if (!cpu_prepared_fits(prepared, kernel, grid->dims, params->blocks, params->threads, grid->elems,
                           params->shared_bytes))
        cpu_prepared_make(prepared, kernel, params->blocks, params->threads, params->shared_bytes, grid, &queue->site);
    return cpu_queue_run(queue, args);
}

/* Arguments that are missing, or lie where the kernel's compiler does not expect them. */
static __attribute__((noinline)) accel_status
run_aligned(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const accel_launch_params *params)
{
    _Alignas(CPU_MAX_ARGS_ALIGN) unsigned char copy[ACCEL_MAX_ARGS_SIZE];
    if (params->args == NULL)
        return run(queue, kernel, params, no_args);
    memcpy(copy, params->args, params->args_size);
    return run(queue, kernel, params, copy);
}

static accel_status launch_now(accel_impl_queue *queue, const accel_kernel_descriptor *kernel,
                               const accel_launch_params *params)
{
    accel_status status;
    cpu_lock_acquire(&queue->run);
    if (__builtin_expect(cpu_failure_status(&queue->failure) != ACCEL_OK, 0))
        status = cpu_failure_repeat(&queue->failure);
    else if (__builtin_expect(params->args == NULL || ((uintptr_t)params->args & (kernel->args_align - 1)) != 0, 0))
        status = run_aligned(queue, kernel, params);
    else
        status = run(queue, kernel, params, params->args);
    cpu_lock_release(&queue->run);
    return status;
}

static __attribute__((noinline)) accel_status
launch_later(accel_impl_queue *queue, const accel_kernel_descriptor *kernel, const accel_launch_params *params)
{
    const accel_grid *grid = &params->grid;
    bool wide = grid->dims > 3;
    size_t head = wide ? sizeof(cpu_command_launch_wide) : sizeof(cpu_command_launch);
    size_t args_size = params->args != NULL ? params->args_size : 0;
    size_t slack =
        kernel->args_align > sizeof(uint64_t) ? kernel->args_align : 0; /* the head is a multiple of 8 bytes */
    cpu_record *record;
    accel_status status =
        cpu_submit_begin(queue, wide ? CPU_COMMAND_LAUNCH_WIDE : CPU_COMMAND_LAUNCH, head + slack + args_size, &record);
    if (__builtin_expect(status != ACCEL_OK, 0))
        return status;
    cpu_command_launch *launch = (cpu_command_launch *)(void *)record;
    launch->kernel = kernel;
    launch->shared_bytes = params->shared_bytes;
    launch->dims = grid->dims;
    for (int i = 0; i < 3; ++i) {
        launch->blocks[i] = params->blocks[i];
        launch->threads[i] = params->threads[i];
        launch->elems[i] = grid->elems[i];
    }
    if (wide)
        ((cpu_command_launch_wide *)(void *)record)->grid = *grid;
    if (args_size != 0) {
        uintptr_t mask = kernel->args_align - 1;
        unsigned char *args = (unsigned char *)record + head;
        args += (uintptr_t) - (uintptr_t)args & mask;
        memcpy(args, params->args, args_size);
        launch->args = args;
    } else {
        launch->args = no_args;
    }
    cpu_submit_end(queue, record);
    return ACCEL_OK;
}

accel_status cpu_operation_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    return queue->blocking ? launch_now(queue, kernel->descriptor, params)
                           : launch_later(queue, kernel->descriptor, params);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch path. On the good path: two loads, one question which context is current, the entry for a fault's text, the
 * driver's launch. No lock, no allocation, no text.
 */
#include "plugins/gpu/engine/kernel.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/support/division.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLD __attribute__((cold, noinline))

static inline void narrow(uint32_t axes[3], const size_t values[], uint32_t dims)
{
    size_t folded[3];

    division_fold(values, dims, folded);
    for (int i = 0; i < 3; ++i)
        axes[i] = (uint32_t)folded[i]; /* libaccel has checked the limits */
}

/* The driver's words do not tell how many blocks would be possible. */
static accel_status refuse_cooperative(const accel_impl_device *device, const accel_impl_kernel *kernel,
                                       uint32_t threads, size_t shared, const char *what, accel_status refused)
{
    uint64_t blocks = 0;

    if (gpu_kernel_count_resident(device, kernel, threads, shared + kernel->own_shared, &blocks) != 0)
        return refused;
    return gpu_host()->error(ACCEL_LIMIT,
                             "\"%s\": cooperative %s: the device holds %llu such blocks at once; launch no more (see "
                             "ACCEL_DIVIDE_COOPERATIVE)",
                             device->label, what, (unsigned long long)blocks);
}

COLD static accel_status failed(accel_impl_queue *queue, const accel_impl_kernel *kernel, const accel_work *work,
                                const gpu_driver_launch *launch, gpu_result result)
{
    const uint32_t *blocks = launch->blocks, *threads = launch->threads;
    char what[256];

    snprintf(what, sizeof(what),
             "launch of \"%.100s\" (%ux%ux%u blocks of %ux%ux%u threads, %zu bytes of shared memory)", kernel->name,
             blocks[0], blocks[1], blocks[2], threads[0], threads[1], threads[2], work->shared_bytes);
    accel_status status = gpu_device_failed(queue->device, what, result);
    if ((work->flags & ACCEL_WORK_COOPERATIVE) != 0 && status == ACCEL_LIMIT)
        status = refuse_cooperative(queue->device, kernel, threads[0] * threads[1] * threads[2], work->shared_bytes,
                                    what, status);
    return status;
}

/* The first launch of a kernel, and each of one that asserts or prints: it is told where to write. */
COLD static accel_status settle(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_grid *grid)
{
    atomic_store_explicit(&kernel->object->used, 1, memory_order_relaxed);
    if (!gpu_kernel_reports(kernel)) {
        atomic_store_explicit(&kernel->settled, 1, memory_order_relaxed);
        return ACCEL_OK;
    }
    accel_status status = gpu_queue_want_report(queue, gpu_kernel_prints(kernel));
    if (status != ACCEL_OK)
        return status;
    grid->report = queue->report->memory;
    grid->launch = (uintptr_t)kernel;
    return ACCEL_OK;
}

/* With the context current; the queue admits it. */
static accel_status launch_now(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                               const void *args)
{
    accel_impl_device *device = queue->device;
    const gpu_driver *driver = device->driver;
    gpu_driver_launch launch;

    launch.function = kernel->function;
    launch.shared_bytes = (uint32_t)work->shared_bytes + kernel->own_shared;
    launch.args = args;
    if (GPU_UNLIKELY(launch.shared_bytes > atomic_load_explicit(&kernel->shared_ceiling, memory_order_relaxed))) {
        accel_status status = gpu_kernel_allow_shared(device, kernel, launch.shared_bytes);
        if (status != ACCEL_OK)
            return status;
    }
    narrow(launch.blocks, work->blocks, work->dims);
    narrow(launch.threads, work->threads, work->dims);
    division_grid(&launch.grid, work->dims, work->blocks, work->threads, work->elems);
    launch.grid.locks = device->locks;
    launch.grid.lock_mask = GPU_LOCKS - 1;
    if (GPU_UNLIKELY(atomic_load_explicit(&kernel->settled, memory_order_relaxed) == 0)) {
        accel_status status = settle(queue, kernel, &launch.grid);
        if (status != ACCEL_OK)
            return status;
    }
    plugin_history_add(&queue->history, kernel->name, launch.blocks, launch.threads);
    gpu_result result = GPU_UNLIKELY(work->flags != 0) ? driver->launch_cooperative(&launch, queue->stream)
                                                       : driver->launch(&launch, queue->stream);
    return GPU_UNLIKELY(result != 0) ? failed(queue, kernel, work, &launch, result) : ACCEL_OK;
}

/* Another context is current, or none: that of a program which has made none current itself. */
static accel_status launch_switched(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                    const void *args, gpu_context current)
{
    gpu_scope scope;
    accel_status status = gpu_scope_enter_from(&scope, queue->device, current, "launch");

    if (status != ACCEL_OK)
        return status;
    status = launch_now(queue, kernel, work, args);
    gpu_scope_leave(&scope, queue->device);
    return status;
}

COLD static accel_status finish(accel_impl_queue *queue, const accel_impl_kernel *kernel)
{
    char what[128];

    snprintf(what, sizeof(what), "launch of \"%.100s\"", kernel->name);
    bool reports = gpu_queue_reports(queue);
    accel_status status = gpu_queue_fail(queue, gpu_queue_finish(queue, what));
    return status == ACCEL_OK && reports ? gpu_queue_read_report(queue) : status;
}

/* The queue admits it. */
static inline accel_status submit(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                  const void *args)
{
    accel_impl_device *device = queue->device;
    gpu_context current = NULL;
    accel_status status;
    gpu_result result = device->driver->context_get_current(&current);

    if (GPU_UNLIKELY(result != 0))
        return gpu_device_failed(device, "launch", result);
    if (current == device->context)
        status = launch_now(queue, kernel, work, args);
    else
        status = launch_switched(queue, kernel, work, args, current);
    return GPU_UNLIKELY(queue->blocking) && status == ACCEL_OK ? finish(queue, kernel) : status;
}

/* A launch that is deferred. */
typedef struct launch_command {
    gpu_command command;
    accel_impl_kernel *kernel;
    accel_work work;
    _Alignas(16) unsigned char args[];
} launch_command;

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    launch_command *own = (launch_command *)(void *)command;
    gpu_scope scope;

    if (gpu_deferred_enter(queue, &scope)) {
        gpu_queue_fail(queue, launch_now(queue, own->kernel, &own->work, own->args));
        gpu_scope_leave(&scope, queue->device);
    }
    free(own);
}

static accel_status defer(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    size_t args_size = kernel->descriptor.args_size;
    launch_command *own = gpu_command_make(queue, sizeof(*own) + args_size, run_command);

    if (own == NULL)
        return ACCEL_OUT_OF_MEMORY;
    own->kernel = kernel;
    own->work = *work;
    memcpy(own->args, args, args_size);
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

COLD static accel_status launch_or_not(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                       const void *args)
{
    accel_status status = ACCEL_OK;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER)
        return defer(queue, kernel, work, args);
    return admission == GPU_SUBMIT ? submit(queue, kernel, work, args) : status;
}

static accel_status launch_in_turn(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                   const void *args)
{
    if (GPU_UNLIKELY(atomic_load_explicit(&queue->state, memory_order_acquire) != 0))
        return launch_or_not(queue, kernel, work, args);
    return submit(queue, kernel, work, args);
}

accel_status gpu_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    gpu_queue_enter(queue);
    accel_status status = launch_in_turn(queue, kernel, work, args);
    gpu_queue_leave(queue);
    return status;
}

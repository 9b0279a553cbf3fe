/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch path. On the good path: two loads, one question which context is current, the note for a fault's text, the
 * driver's launch. No lock, no allocation, no text.
 */
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/queue/queue.h"

#include <stdio.h>

#define COLD __attribute__((cold, noinline))

/* The driver's words do not tell how many blocks would be possible. */
static accel_status refuse_cooperative(const accel_impl_device *device, const accel_impl_kernel *kernel,
                                       const accel_launch_params *params, const char *what, accel_status refused)
{
    uint32_t threads = params->threads[0] * params->threads[1] * params->threads[2];
    uint64_t blocks = 0;

    if (gpu_kernel_count_resident(device, kernel, threads, params->shared_bytes + kernel->own_shared, &blocks) != 0)
        return refused;
    return gpu_host()->error(ACCEL_LIMIT,
                             "\"%s\": cooperative %s: the device holds %llu such blocks at once; launch no more (see "
                             "ACCEL_DIVIDE_COOPERATIVE)",
                             device->label, what, (unsigned long long)blocks);
}

COLD static accel_status failed(accel_impl_queue *queue, const accel_impl_kernel *kernel,
                                const accel_launch_params *params, gpu_result result)
{
    char what[256];

    snprintf(what, sizeof(what),
             "launch of \"%.100s\" (%ux%ux%u blocks of %ux%ux%u threads, %zu bytes of shared memory)", kernel->name,
             params->blocks[0], params->blocks[1], params->blocks[2], params->threads[0], params->threads[1],
             params->threads[2], params->shared_bytes);
    accel_status status = gpu_device_failed(queue->device, what, result);
    if ((params->flags & ACCEL_WORK_COOPERATIVE) != 0 && status == ACCEL_LIMIT)
        status = refuse_cooperative(queue->device, kernel, params, what, status);
    return status;
}

accel_status gpu_launch_now(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    accel_impl_device *device = queue->device;
    uint32_t shared = (uint32_t)params->shared_bytes + kernel->own_shared;
    union { /* the driver reads them only */
        const void *given;
        void *wanted;
    } args = {params->args};
    void *parameters[2] = {args.wanted, &params->grid};

    if (GPU_UNLIKELY(shared > atomic_load_explicit(&kernel->shared_ceiling, memory_order_relaxed))) {
        accel_status status = gpu_kernel_allow_shared(device, kernel, shared);
        if (status != ACCEL_OK)
            return status;
    }
    params->grid.locks = device->locks;
    params->grid.lock_mask = GPU_LOCKS - 1;
    if (GPU_UNLIKELY(atomic_load_explicit(&kernel->object->used, memory_order_relaxed) == 0))
        atomic_store_explicit(&kernel->object->used, 1, memory_order_relaxed);
    gpu_history_add(&queue->history, kernel, params->blocks, params->threads);
    gpu_result result;
    if (GPU_UNLIKELY(params->flags != 0)) /* cooperative */
        result = device->driver->launch_cooperative(kernel->function, params->blocks, params->threads, shared,
                                                    queue->stream, parameters);
    else
        result = device->driver->launch(kernel->function, params->blocks, params->threads, shared, queue->stream,
                                        parameters);
    return GPU_UNLIKELY(result != 0) ? failed(queue, kernel, params, result) : ACCEL_OK;
}

/* Another context is current, or none: that of a program which has made none current itself. */
static accel_status launch_switched(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params,
                                    gpu_context current)
{
    gpu_scope scope;
    accel_status status = gpu_scope_enter_from(&scope, queue->device, current, "launch");

    if (status != ACCEL_OK)
        return status;
    status = gpu_launch_now(queue, kernel, params);
    gpu_scope_leave(&scope, queue->device);
    return status;
}

COLD static accel_status finish(accel_impl_queue *queue, const accel_impl_kernel *kernel)
{
    char what[128];

    snprintf(what, sizeof(what), "launch of \"%.100s\"", kernel->name);
    return gpu_queue_fail(queue, gpu_queue_finish(queue, what));
}

/* Nothing is in the way. */
static inline accel_status submit(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    accel_impl_device *device = queue->device;
    gpu_context current = NULL;
    accel_status status;
    gpu_result result = device->driver->context_get_current(&current);

    if (GPU_UNLIKELY(result != 0))
        return gpu_device_failed(device, "launch", result);
    if (current == device->context)
        status = gpu_launch_now(queue, kernel, params);
    else
        status = launch_switched(queue, kernel, params, current);
    return GPU_UNLIKELY(queue->blocking) && status == ACCEL_OK ? finish(queue, kernel) : status;
}

COLD static accel_status obstructed(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    accel_status status = ACCEL_OK;
    uint32_t way = gpu_queue_way(queue, &status);

    if (way == GPU_WAY_HELD)
        return gpu_hold_launch(queue, kernel, params);
    return way == GPU_WAY_CLEAR ? submit(queue, kernel, params) : status;
}

static accel_status launch_in_turn(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    if (GPU_UNLIKELY(atomic_load_explicit(&queue->obstacle, memory_order_acquire) != 0))
        return obstructed(queue, kernel, params);
    return submit(queue, kernel, params);
}

accel_status gpu_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, accel_launch_params *params)
{
    gpu_queue_enter(queue);
    accel_status status = launch_in_turn(queue, kernel, params);
    gpu_queue_leave(queue);
    return status;
}

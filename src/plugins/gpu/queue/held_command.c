/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of operations that are held back. Run by the submitter: a refusal of the driver is then the queue's failure. */
#include "plugins/gpu/engine/module.h"
#include "plugins/gpu/queue/queue.h"

#include <stdlib.h>
#include <string.h>

typedef struct launch_command {
    gpu_command command;
    accel_impl_kernel *kernel;
    accel_work work;
    _Alignas(16) unsigned char args[];
} launch_command;

typedef struct copy_command {
    gpu_command command;
    accel_copy_params params;
} copy_command;

typedef struct fill_command {
    gpu_command command;
    accel_fill_params params;
    unsigned char pattern[];
} fill_command;

/* With held.lock taken, which is given back without memory. */
static void *make(accel_impl_queue *queue, size_t size, void (*run)(accel_impl_queue *, gpu_command *))
{
    gpu_command *command = malloc(size);

    if (command != NULL) {
        command->run = run;
        return command;
    }
    pthread_mutex_unlock(&queue->deferred.lock);
    gpu_host()->error(ACCEL_OUT_OF_MEMORY, "no memory for %zu bytes to hold an operation back", size);
    return NULL;
}

/* False: to be skipped. */
static bool enter(accel_impl_queue *queue, gpu_scope *scope)
{
    if (gpu_queue_status(queue) != ACCEL_OK)
        return false;
    accel_status status = gpu_scope_enter(scope, queue->device, "submitting what was held back");
    gpu_queue_fail(queue, status);
    return status == ACCEL_OK;
}

static void run_launch(accel_impl_queue *queue, gpu_command *command)
{
    launch_command *launch = (launch_command *)(void *)command;
    gpu_scope scope;

    if (enter(queue, &scope)) {
        gpu_queue_fail(queue, gpu_launch_now(queue, launch->kernel, &launch->work, launch->args));
        gpu_scope_leave(&scope, queue->device);
    }
    free(launch);
}

accel_status gpu_defer_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                              const void *args)
{
    size_t args_size = kernel->descriptor.args_size;
    launch_command *launch = make(queue, sizeof(*launch) + args_size, run_launch);

    if (launch == NULL)
        return ACCEL_OUT_OF_MEMORY;
    launch->kernel = kernel;
    launch->work = *work;
    memcpy(launch->args, args, args_size);
    gpu_deferred_append(queue, &launch->command);
    return ACCEL_OK;
}

static void give_back(accel_hold *const holds[2])
{
    gpu_host()->hold_release(holds[0]);
    gpu_host()->hold_release(holds[1]);
}

static void run_copy(accel_impl_queue *queue, gpu_command *command)
{
    copy_command *copy = (copy_command *)(void *)command;
    accel_status status = ACCEL_INTERNAL;
    gpu_scope scope;

    if (enter(queue, &scope)) {
        status = gpu_queue_fail(queue, gpu_copy_now(queue, &copy->params));
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK)
        give_back(copy->params.holds);
    free(copy);
}

accel_status gpu_defer_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    copy_command *copy = make(queue, sizeof(*copy), run_copy);

    if (copy == NULL)
        return ACCEL_OUT_OF_MEMORY;
    copy->params = *params;
    gpu_deferred_append(queue, &copy->command);
    return ACCEL_OK;
}

static void run_fill(accel_impl_queue *queue, gpu_command *command)
{
    fill_command *fill = (fill_command *)(void *)command;
    accel_status status = ACCEL_INTERNAL;
    gpu_scope scope;

    if (enter(queue, &scope)) {
        status = gpu_queue_fail(queue, gpu_fill_now(queue, &fill->params));
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK)
        gpu_host()->hold_release(fill->params.hold);
    free(fill);
}

accel_status gpu_defer_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    fill_command *fill = make(queue, sizeof(*fill) + params->pattern_size, run_fill);

    if (fill == NULL)
        return ACCEL_OUT_OF_MEMORY;
    fill->params = *params;
    memcpy(fill->pattern, params->pattern, params->pattern_size);
    fill->params.pattern = fill->pattern;
    gpu_deferred_append(queue, &fill->command);
    return ACCEL_OK;
}

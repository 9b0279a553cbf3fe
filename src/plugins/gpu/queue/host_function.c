/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host functions of the program. A queue that has one defers what follows until the function has run: the stream itself
 * never waits for a function. So a function that waits holds up its own queue only, and submitting behind it never blocks
 * on a driver whose streams have bounded room (semantics Q1, Q5). A stream of the caller's runs them in its own order,
 * with whatever else the caller submits there.
 */
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"

#include <stdlib.h>

typedef struct host_call {
    gpu_call call;
    accel_host_fn function;
    void *user;
} host_call;

static const char what[] = "host function";

static void run_host(gpu_call *call, accel_status status)
{
    host_call *host = PLUGIN_OWNER(call, host_call, call);
    host->function(host->user, status);
}

static void end_host(gpu_call *call)
{
    free(call);
}

/* It may wait for anything, so it gets a thread of its own. */
static bool post_host(gpu_call *call)
{
    return gpu_runner_post(&call->job);
}

/* Everything before is complete, so the caller may as well run it here. */
static accel_status call_here(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    gpu_call listed = {.claimed = 1}; /* so that the queue is not idle */
    accel_status status = gpu_queue_finish(queue, "waiting before a host function");

    if (status != ACCEL_OK)
        return status;
    gpu_call_append(queue, &listed);
    function(user, gpu_queue_status(queue));
    gpu_call_remove(&listed);
    return ACCEL_OK;
}

/* A failed queue runs host functions all the same. */
static accel_status submit(accel_impl_queue *queue, host_call *call)
{
    gpu_scope scope;

    call->call.status = gpu_queue_status(queue);
    accel_status status = gpu_scope_enter(&scope, queue->device, what);
    if (status != ACCEL_OK)
        return status;
    if (call->call.holds)
        gpu_deferred_wait_for_program(queue);
    status = gpu_call_submit(queue, &call->call, what);
    gpu_scope_leave(&scope, queue->device);
    return status;
}

typedef struct call_command {
    gpu_command command;
    host_call *call;
} call_command;

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    call_command *own = PLUGIN_OWNER(command, call_command, command);
    host_call *call = own->call;

    free(own);
    accel_status status = submit(queue, call);
    if (status == ACCEL_OK)
        return;
    /* It was promised: what cannot be submitted runs after what is before it. */
    gpu_queue_fail(queue, status);
    if (!gpu_device_has_failed(queue->device))
        gpu_queue_finish(queue, "waiting before a host function");
    call->call.status = gpu_queue_status(queue);
    gpu_call_run_instead(queue, &call->call);
}

static accel_status defer(accel_impl_queue *queue, host_call *call)
{
    call_command *own = gpu_command_make(queue, sizeof(*own), run_command);

    if (own == NULL)
        return ACCEL_OUT_OF_MEMORY;
    own->command.holds = call->call.holds;
    own->call = call;
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

static accel_status submit_or_defer(accel_impl_queue *queue, host_call *call)
{
    accel_status status = ACCEL_OK;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER)
        return defer(queue, call);
    if (admission == GPU_REFUSE)
        return status;
    if (!call->call.holds)
        return submit(queue, call);
    gpu_deferred_hold(queue);
    status = submit(queue, call);
    if (status != ACCEL_OK)
        gpu_deferred_resume(queue);
    return status;
}

accel_status gpu_call_host(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    if (queue->blocking) {
        gpu_queue_enter(queue);
        accel_status status = call_here(queue, function, user);
        gpu_queue_leave(queue);
        return status;
    }
    host_call *call = malloc(sizeof(*call));
    if (call == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %zu bytes", what, sizeof(*call));
    *call = (host_call){.call = {.run = run_host, .end = end_host, .post = post_host, .holds = !queue->wrapped},
                        .function = function,
                        .user = user};
    gpu_queue_enter(queue);
    accel_status status = submit_or_defer(queue, call);
    gpu_queue_leave(queue);
    if (status != ACCEL_OK)
        free(call);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"

#include <stdlib.h>

static void append(gpu_calls *calls, gpu_call *call)
{
    pthread_mutex_lock(&calls->lock);
    plugin_list_append(&calls->pending, &call->link);
    pthread_mutex_unlock(&calls->lock);
}

/* Whoever claims a call runs it, or sees to it that it never runs. Under the lock, or on the driver's thread, to which the
 * call belongs until it is claimed. */
static bool claim(gpu_call *call)
{
    return atomic_exchange_explicit(&call->claimed, 1, memory_order_acq_rel) == 0;
}

static void run(gpu_call *call)
{
    accel_status fault = plugin_failure_status(&call->queue->device->fault);
    call->run(call, call->status != ACCEL_OK ? call->status : fault);
}

/* On a thread of the driver. */
static void called(void *user)
{
    gpu_call *call = user;
    gpu_calls *calls = &call->queue->calls;

    if (!claim(call))
        return;
    gpu_thread_kind_set(GPU_THREAD_DRIVER);
    run(call);
    gpu_thread_kind_set(GPU_THREAD_PROGRAM);
    pthread_mutex_lock(&calls->lock);
    plugin_list_remove(&calls->pending, &call->link);
    pthread_mutex_unlock(&calls->lock);
    call->end(call);
}

accel_status gpu_call_submit(accel_impl_queue *queue, gpu_call *call, const char *what)
{
    gpu_calls *calls = &queue->calls;

    call->queue = queue;
    call->claimed = 0;
    append(calls, call);
    gpu_result result = queue->device->driver->stream_call(queue->stream, called, call);
    if (result == 0)
        return ACCEL_OK;
    /* Another thread may have noticed a fault meanwhile: then the engine has the call, and runs it. */
    pthread_mutex_lock(&calls->lock);
    bool ours = claim(call);
    if (ours)
        plugin_list_remove(&calls->pending, &call->link);
    pthread_mutex_unlock(&calls->lock);
    return ours ? gpu_device_failed(queue->device, what, result) : ACCEL_OK;
}

bool gpu_call_none(accel_impl_queue *queue)
{
    pthread_mutex_lock(&queue->calls.lock);
    bool none = plugin_list_is_empty(&queue->calls.pending);
    pthread_mutex_unlock(&queue->calls.lock);
    return none;
}

bool gpu_call_abandon(accel_impl_queue *queue)
{
    gpu_calls *calls = &queue->calls;

    for (;;) {
        pthread_mutex_lock(&calls->lock);
        plugin_link *first = calls->pending.first;
        gpu_call *call = first != NULL ? PLUGIN_OWNER(first, gpu_call, link) : NULL;
        bool ours = call != NULL && claim(call);
        pthread_mutex_unlock(&calls->lock);
        if (call == NULL)
            return true;
        if (!ours) /* the driver's thread is in it, or another one that abandons */
            return false;
        run(call);
        pthread_mutex_lock(&calls->lock);
        plugin_list_remove(&calls->pending, &call->link);
        plugin_list_append(&calls->abandoned, &call->link);
        pthread_mutex_unlock(&calls->lock);
    }
}

static bool abandon_job(gpu_job *job)
{
    accel_impl_queue *queue = PLUGIN_OWNER(job, accel_impl_queue, calls.job);
    gpu_calls *calls = &queue->calls;

    if (!gpu_call_abandon(queue))
        return false;
    pthread_mutex_lock(&calls->lock);
    calls->posted = false;
    pthread_mutex_unlock(&calls->lock);
    gpu_queue_release(queue);
    return true;
}

void gpu_call_post_abandon(accel_impl_queue *queue)
{
    gpu_calls *calls = &queue->calls;

    pthread_mutex_lock(&calls->lock);
    bool post =
        !calls->posted && !plugin_list_is_empty(&calls->pending) && plugin_reference_try_retain(&queue->references);
    calls->posted = calls->posted || post;
    pthread_mutex_unlock(&calls->lock);
    if (!post) /* or the queue is about to end, which looks for itself */
        return;
    calls->job.run = abandon_job;
    gpu_thread_post(&gpu_submit_thread, &calls->job);
}

void gpu_call_end(accel_impl_queue *queue)
{
    for (plugin_link *link; (link = plugin_list_take(&queue->calls.abandoned)) != NULL;) {
        gpu_call *call = PLUGIN_OWNER(link, gpu_call, link);
        call->end(call);
    }
    pthread_mutex_destroy(&queue->calls.lock);
}

/* --------------------------------------------------------------------------------- host functions -- */

typedef struct host_call {
    gpu_call call;
    accel_host_fn function;
    void *user;
} host_call;

static void run_host(gpu_call *call, accel_status status)
{
    host_call *host = PLUGIN_OWNER(call, host_call, call);
    host->function(host->user, status);
}

static void end_host(gpu_call *call)
{
    free(call);
}

/* Everything before is complete, so the caller may as well run it here. */
static accel_status call_here(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    static const char what[] = "waiting before a host function";
    gpu_calls *calls = &queue->calls;
    gpu_call listed = {.queue = queue, .claimed = 1}; /* so that the queue is not idle */
    accel_status status = gpu_queue_finish(queue, what);

    if (status != ACCEL_OK)
        return status;
    append(calls, &listed);
    function(user, gpu_queue_status(queue));
    pthread_mutex_lock(&calls->lock);
    plugin_list_remove(&calls->pending, &listed.link);
    pthread_mutex_unlock(&calls->lock);
    return ACCEL_OK;
}

typedef struct call_command {
    gpu_command command;
    host_call *call;
} call_command;

/* It was promised: what cannot be submitted runs after what is before it. */
static void run_here(accel_impl_queue *queue, host_call *call)
{
    if (!gpu_device_has_failed(queue->device))
        gpu_queue_finish(queue, "waiting before a host function");
    if (gpu_device_has_failed(queue->device)) {
        call->call.queue = queue;
        call->call.claimed = 0; /* the driver refused it, and it was claimed back */
        append(&queue->calls, &call->call);
        gpu_call_post_abandon(queue);
        return;
    }
    call->function(call->user, gpu_queue_status(queue));
    free(call);
}

static void run_command(accel_impl_queue *queue, gpu_command *command)
{
    static const char what[] = "host function";
    call_command *own = PLUGIN_OWNER(command, call_command, command);
    host_call *call = own->call;
    gpu_scope scope;

    free(own);
    call->call.status = gpu_queue_status(queue);
    accel_status status = gpu_scope_enter(&scope, queue->device, what);
    if (status == ACCEL_OK) {
        status = gpu_call_submit(queue, &call->call, what);
        gpu_scope_leave(&scope, queue->device);
    }
    if (status != ACCEL_OK) {
        gpu_queue_fail(queue, status);
        run_here(queue, call);
    }
}

static accel_status defer(accel_impl_queue *queue, host_call *call)
{
    call_command *own = gpu_command_make(queue, sizeof(*own), run_command);

    if (own == NULL)
        return ACCEL_OUT_OF_MEMORY;
    own->call = call;
    gpu_deferred_append(queue, &own->command);
    return ACCEL_OK;
}

accel_status gpu_call_host(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    static const char what[] = "host function";
    accel_status status = ACCEL_OK;
    gpu_scope scope;

    if (queue->blocking) {
        gpu_queue_enter(queue);
        status = call_here(queue, function, user);
        gpu_queue_leave(queue);
        return status;
    }
    host_call *call = malloc(sizeof(*call));
    if (call == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for %zu bytes", what, sizeof(*call));
    *call = (host_call){.call.run = run_host, .call.end = end_host, .function = function, .user = user};
    uint32_t admission = gpu_queue_admit(queue, &status);
    if (admission == GPU_DEFER) {
        status = defer(queue, call);
    } else if (admission != GPU_REFUSE) {
        call->call.status = gpu_queue_status(queue); /* a failed queue runs host functions all the same */
        status = gpu_scope_enter(&scope, queue->device, what);
        if (status == ACCEL_OK) {
            status = gpu_call_submit(queue, &call->call, what);
            gpu_scope_leave(&scope, queue->device);
        }
    }
    if (status != ACCEL_OK)
        free(call);
    return status;
}

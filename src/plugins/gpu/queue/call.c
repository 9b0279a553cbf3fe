/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/deferred.h"

void gpu_call_append(accel_impl_queue *queue, gpu_call *call)
{
    gpu_calls *calls = &queue->calls;

    call->queue = queue;
    pthread_mutex_lock(&calls->lock);
    plugin_list_append(&calls->pending, &call->link);
    pthread_mutex_unlock(&calls->lock);
}

void gpu_call_remove(gpu_call *call)
{
    gpu_calls *calls = &call->queue->calls;

    pthread_mutex_lock(&calls->lock);
    plugin_list_remove(&calls->pending, &call->link);
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
    uintptr_t kind = gpu_thread_kind();

    gpu_thread_kind_set(GPU_THREAD_DRIVER);
    call->run(call, call->status != ACCEL_OK ? call->status : fault);
    gpu_thread_kind_set(kind);
}

/* Nothing of the call, nor of a queue that is not held, is there afterwards. */
static void end(gpu_call *call)
{
    accel_impl_queue *queue = call->queue;
    bool holds = call->holds;

    if (call->abandoned) {
        pthread_mutex_lock(&queue->calls.lock);
        plugin_list_remove(&queue->calls.pending, &call->link);
        plugin_list_append(&queue->calls.abandoned, &call->link);
        pthread_mutex_unlock(&queue->calls.lock);
    } else {
        gpu_call_remove(call);
        call->end(call);
    }
    if (holds)
        gpu_deferred_resume(queue);
}

static bool run_job(gpu_job *job)
{
    gpu_call *call = PLUGIN_OWNER(job, gpu_call, job);

    run(call);
    end(call);
    return true;
}

/* Claimed, on any thread. */
static void run_where_it_may(gpu_call *call)
{
    call->job.run = run_job;
    if (!call->holds || !call->post(call))
        run_job(&call->job);
}

/* On a thread of the driver. */
static void called(void *user)
{
    gpu_call *call = user;

    if (claim(call))
        run_where_it_may(call);
}

/* ----------------------------------------------------------------------------------- watching -- */

/* Is there a function of the program that the driver has not come to? If not, the watch ends. */
static bool is_awaited(gpu_calls *calls)
{
    pthread_mutex_lock(&calls->lock);
    plugin_link *first = calls->pending.first;
    calls->watched =
        first != NULL && atomic_load_explicit(&PLUGIN_OWNER(first, gpu_call, link)->claimed, memory_order_relaxed) == 0;
    bool awaited = calls->watched;
    pthread_mutex_unlock(&calls->lock);
    return awaited;
}

/* What follows is deferred, so nobody else would see that the device has failed and the driver has dropped the call. */
static bool watch(gpu_job *job)
{
    accel_impl_queue *queue = PLUGIN_OWNER(job, accel_impl_queue, calls.watch);
    accel_impl_device *device = queue->device;

    if (!is_awaited(&queue->calls)) {
        gpu_queue_release(queue);
        return true;
    }
    gpu_result result = gpu_query_stream(device, queue->stream);
    if (result != 0 && gpu_error_class_of(device->driver, result, NULL) != GPU_CLASS_NOT_READY)
        gpu_device_failed(device, "waiting for a host function's turn", result);
    if (gpu_device_has_failed(device))
        gpu_call_post_abandon(queue);
    return false;
}

static void post_watch(accel_impl_queue *queue)
{
    gpu_calls *calls = &queue->calls;

    pthread_mutex_lock(&calls->lock);
    bool post = !calls->watched;
    calls->watched = true;
    pthread_mutex_unlock(&calls->lock);
    if (!post)
        return;
    gpu_queue_retain(queue);
    calls->watch.run = watch;
    gpu_thread_post(&gpu_watch_thread, &calls->watch);
}

/* --------------------------------------------------------------------------------- submitting -- */

accel_status gpu_call_submit(accel_impl_queue *queue, gpu_call *call, const char *what)
{
    gpu_calls *calls = &queue->calls;
    bool holds = call->holds;

    call->claimed = 0;
    gpu_call_append(queue, call);
    gpu_result result = queue->device->driver->stream_call(queue->stream, called, call);
    if (result == 0 && holds)
        post_watch(queue);
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
        if (!ours) /* somebody is in it */
            return false;
        call->abandoned = true;
        run_where_it_may(call);
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

void gpu_call_run_instead(accel_impl_queue *queue, gpu_call *call)
{
    bool failed = gpu_device_has_failed(queue->device);

    call->claimed = !failed;
    gpu_call_append(queue, call);
    if (failed)
        gpu_call_post_abandon(queue);
    else
        run_where_it_may(call);
}

void gpu_call_end(accel_impl_queue *queue)
{
    for (plugin_link *link; (link = plugin_list_take(&queue->calls.abandoned)) != NULL;) {
        gpu_call *call = PLUGIN_OWNER(link, gpu_call, link);
        call->end(call);
    }
    pthread_mutex_destroy(&queue->calls.lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The making, waiting and ending of queues. */
#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/held_copy.h"
#include "plugins/gpu/queue/operation.h"
#include "plugins/gpu/queue/retire_list.h"

#include <stdlib.h>
#include <time.h>

static void faulted(gpu_listener *listener)
{
    accel_impl_queue *queue = PLUGIN_OWNER(listener, accel_impl_queue, listener);

    atomic_fetch_or_explicit(&queue->state, GPU_STATE_FAULT, memory_order_release);
    gpu_call_post_abandon(queue);
}

/* With the context current. */
static bool is_done(accel_impl_queue *queue)
{
    return gpu_deferred_none(queue) && queue->device->driver->stream_query(queue->stream) == 0;
}

/* Has the queue, which its owner gives back, nothing to do? Asks the driver. What is deferred reaches a stream of the
 * caller's later: it has to be there. */
static bool has_nothing_to_do(accel_impl_queue *queue)
{
    gpu_scope scope;

    if (gpu_scope_enter(&scope, queue->device, "looking for work") != ACCEL_OK)
        return false;
    bool done = queue->wrapped ? gpu_deferred_none(queue) && gpu_retire_leave(queue) : is_done(queue);
    gpu_scope_leave(&scope, queue->device);
    return done;
}

static bool is_quiet(gpu_listener *listener)
{
    accel_impl_queue *queue = PLUGIN_OWNER(listener, accel_impl_queue, listener);

    return !queue->wrapped && is_done(queue); /* the caller may be capturing a stream, which a question ends */
}

static bool has_submitted(gpu_listener *listener, uint64_t deferrals)
{
    return gpu_deferred_submitted(PLUGIN_OWNER(listener, accel_impl_queue, listener), deferrals);
}

/* All of it but the stream, with the context current. */
static void unmake(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    device->driver->event_destroy(queue->retire.event);
    if (queue->stage != NULL)
        gpu_stage_put(device, queue->stage);
    gpu_report_put(queue->report);
    gpu_host()->timeline_release(queue->deferred.submitted);
    gpu_call_end(queue);
    pthread_mutex_destroy(&queue->turn);
    plugin_failure_end(&queue->failure);
    pthread_mutex_destroy(&queue->deferred.lock);
    pthread_mutex_destroy(&queue->retire.lock);
    pthread_mutex_destroy(&queue->retire.asking);
    free(queue);
    gpu_device_release(device);
}

/* Nothing of it is pending: the stream and the rest go back. */
static void end_now(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;
    plugin_list retired = gpu_retire_take(queue);
    gpu_scope scope;

    gpu_retired_give_back(device, &retired);
    gpu_device_unlisten(device, &queue->listener);
    gpu_device_retain(device); /* the scope outlives the queue */
    bool entered = gpu_scope_enter(&scope, device, "ending a queue") == ACCEL_OK;
    if (!queue->wrapped)
        device->driver->stream_destroy(queue->stream);
    if (entered && !gpu_device_has_failed(device) && gpu_queue_reports(queue))
        (void)gpu_report_print(device, queue->report);
    unmake(queue);
    if (entered)
        gpu_scope_leave(&scope, device);
    gpu_device_release(device);
}

/* On the retire thread, until the stream has done everything. */
static bool end_job(gpu_job *job)
{
    accel_impl_queue *queue = PLUGIN_OWNER(job, accel_impl_queue, retire.job);
    accel_impl_device *device = queue->device;

    if (!gpu_retire_is_over(queue, true))
        return false;
    if (gpu_device_has_failed(device) && !gpu_call_abandon(queue))
        return false;
    gpu_device_retain(device);
    end_now(queue);
    gpu_retire_done(device);
    gpu_device_release(device);
    return true;
}

/* The last reference has gone: what is pending finishes, then the queue ends. */
static void end(accel_impl_queue *queue)
{
    if (gpu_retire_is_over(queue, false) && gpu_call_none(queue)) {
        end_now(queue);
        return;
    }
    queue->retire.job.run = end_job;
    gpu_retire_post(queue->device, &queue->retire.job);
}

/* What a queue is but for its stream. On failure nothing is left. */
static accel_status make(accel_impl_device *device, uint32_t flags, accel_impl_queue **made)
{
    accel_impl_queue *queue = calloc(1, sizeof(*queue));
    const gpu_driver *driver = device->driver;
    accel_status status;

    if (queue == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "queue of \"%s\": no memory for %zu bytes", device->label,
                                 sizeof(*queue));
    queue->device = device;
    queue->blocking = (flags & ACCEL_QUEUE_BLOCKING) != 0;
    queue->profiling = (flags & ACCEL_QUEUE_PROFILING) != 0;
    plugin_reference_begin(&queue->references);
    queue->end = end;
    queue->listener = (gpu_listener){
        .history = &queue->history, .faulted = faulted, .is_quiet = is_quiet, .has_submitted = has_submitted};
    status = gpu_host()->timeline_create(&queue->deferred.submitted);
    if (status != ACCEL_OK)
        goto no_timeline;
    gpu_result result = driver->event_create(&queue->retire.event, GPU_EVENT_NO_TIMING);
    if (result != 0) {
        status = gpu_device_failed(device, "making a queue's event", result);
        goto no_event;
    }
    if (!queue->blocking) {
        status = gpu_stage_get(device, &queue->stage);
        if (status != ACCEL_OK)
            goto no_stage;
    }
    pthread_mutex_init(&queue->turn, NULL);
    plugin_failure_begin(&queue->failure);
    pthread_mutex_init(&queue->deferred.lock, NULL);
    pthread_mutex_init(&queue->retire.lock, NULL);
    pthread_mutex_init(&queue->retire.asking, NULL);
    pthread_mutex_init(&queue->calls.lock, NULL);
    gpu_device_retain(device);
    *made = queue;
    return ACCEL_OK;
no_stage:
    driver->event_destroy(queue->retire.event);
no_event:
    gpu_host()->timeline_release(queue->deferred.submitted);
no_timeline:
    free(queue);
    return status;
}

accel_status gpu_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority, accel_impl_queue **made)
{
    static const char what[] = "making a queue";
    accel_impl_queue *queue;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    status = make(device, flags, &queue);
    if (status == ACCEL_OK) {
        gpu_result result = device->driver->stream_create(&queue->stream, GPU_STREAM_NON_BLOCKING, -(int)priority);
        if (result != 0) {
            status = gpu_device_failed(device, what, result);
            unmake(queue);
        }
    }
    gpu_scope_leave(&scope, device);
    if (status != ACCEL_OK)
        return status;
    gpu_device_listen(device, &queue->listener);
    *made = queue;
    return ACCEL_OK;
}

accel_status gpu_queue_wrap(accel_impl_device *device, void *native, accel_impl_queue **made)
{
    accel_impl_queue *queue;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, "wrapping a stream");

    if (status != ACCEL_OK)
        return status;
    status = make(device, 0, &queue);
    gpu_scope_leave(&scope, device);
    if (status != ACCEL_OK)
        return status;
    queue->stream = native;
    queue->wrapped = true;
    gpu_device_listen(device, &queue->listener);
    *made = queue;
    return ACCEL_OK;
}

/* What an idle queue holds goes back now: a program that ends next leaves nothing behind. */
static void destroy(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    if (gpu_device_forked(device)) /* there the work, and the threads that would see its end, are not */
        return;
    plugin_list retired = {NULL, NULL};
    if (has_nothing_to_do(queue))
        retired = gpu_retire_take(queue);
    gpu_device_retain(device);
    gpu_queue_release(queue);
    gpu_retired_give_back(device, &retired);
    if (gpu_device_is_quiet(device))
        gpu_device_settle(device);
    gpu_device_release(device);
}

/* ----------------------------------------------------------------------------------------- waiting -- */

/* A device whose events the queue waited for may have failed since, with the wait in the driver's hands. */
static void inherit_faults(accel_impl_queue *queue)
{
    uint64_t awaited = atomic_exchange_explicit(&queue->awaited, 0, memory_order_relaxed);

    if (awaited != 0)
        gpu_queue_inherit(queue, gpu_backend_fault(queue->device->backend, awaited));
}

/* What the driver dropped is run; what it is in the middle of is waited for. */
static void finish_calls(accel_impl_queue *queue)
{
    while (!gpu_call_abandon(queue))
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static accel_status wait_for_all(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    pthread_mutex_lock(&queue->deferred.lock);
    uint64_t given = queue->deferred.given;
    pthread_mutex_unlock(&queue->deferred.lock);
    gpu_host()->timeline_wait(queue->deferred.submitted, given);

    plugin_list retired = gpu_retire_take(queue);
    bool reports = gpu_queue_reports(queue);
    accel_status status = gpu_queue_finish(queue, "waiting for a queue");
    gpu_retired_give_back(device, &retired);
    if (gpu_device_has_failed(device)) {
        finish_calls(queue);
        return gpu_device_check(device);
    }
    if (status == ACCEL_OK && reports) {
        accel_status failed = gpu_queue_read_report(queue);
        status = plugin_failure_status(&queue->failure) == ACCEL_OK ? failed : ACCEL_OK;
    }
    if (status != ACCEL_OK)
        return status;
    inherit_faults(queue);
    return gpu_queue_report(queue);
}

static accel_status wait(accel_impl_queue *queue)
{
    if (!queue->blocking)
        return wait_for_all(queue);
    gpu_queue_enter(queue);
    accel_status status = wait_for_all(queue);
    gpu_queue_leave(queue);
    return status;
}

static accel_status is_idle(accel_impl_queue *queue, bool *idle)
{
    accel_impl_device *device = queue->device;

    if (!gpu_deferred_none(queue) || !gpu_call_none(queue)) {
        *idle = false;
        return ACCEL_OK;
    }
    gpu_result result = gpu_query_stream(device, queue->stream);
    uint32_t class = gpu_error_class_of(device->driver, result, NULL);
    if (class == GPU_CLASS_SUCCESS || class == GPU_CLASS_NOT_READY) {
        *idle = class == GPU_CLASS_SUCCESS;
        return ACCEL_OK;
    }
    accel_status status = gpu_device_failed(device, "asking whether a queue is idle", result);
    if (class != GPU_CLASS_FAULT)
        return status;
    *idle = true; /* nothing of it runs any more; `wait` tells why */
    return ACCEL_OK;
}

static accel_status native(accel_impl_queue *queue, void **handle)
{
    gpu_copy_hold_no_more(queue);
    *handle = queue->stream;
    return ACCEL_OK;
}

const accel_queue_vtable gpu_queue_vtable = {
    .struct_size = sizeof(accel_queue_vtable),
    .destroy = destroy,
    .launch = gpu_launch,
    .copy = gpu_copy,
    .fill = gpu_fill,
    .call = gpu_call_host,
    .record = gpu_record_event,
    .wait_event = gpu_wait_event,
    .wait_timeline = gpu_wait_timeline,
    .wait = wait,
    .is_idle = is_idle,
    .allocate_async = gpu_allocate_async,
    .free_async = gpu_free_async,
    .after_fork = NULL,
    .native = native,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/queue.h"
#include "plugins/gpu/engine/query.h"
#include "plugins/gpu/queue/stage.h"

#include <stdlib.h>
#include <time.h>

void gpu_queue_retain(accel_impl_queue *queue)
{
    atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
}

bool gpu_queue_try_retain(accel_impl_queue *queue)
{
    uint32_t count = atomic_load_explicit(&queue->references, memory_order_relaxed);

    while (count != 0) {
        if (atomic_compare_exchange_weak_explicit(&queue->references, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    }
    return false;
}

void gpu_queue_release(accel_impl_queue *queue)
{
    if (atomic_fetch_sub_explicit(&queue->references, 1, memory_order_acq_rel) == 1)
        gpu_queue_retire(queue);
}

static void enlist(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    pthread_mutex_lock(&device->queue_lock);
    queue->next = device->queues;
    if (device->queues != NULL)
        device->queues->previous = queue;
    device->queues = queue;
    pthread_mutex_unlock(&device->queue_lock);
    if (gpu_failure_status(&device->fault) != ACCEL_OK) /* since it was made */
        atomic_fetch_or_explicit(&queue->state, GPU_STATE_FAULT, memory_order_release);
}

static void delist(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    pthread_mutex_lock(&device->queue_lock);
    if (queue->previous != NULL)
        queue->previous->next = queue->next;
    else
        device->queues = queue->next;
    if (queue->next != NULL)
        queue->next->previous = queue->previous;
    pthread_mutex_unlock(&device->queue_lock);
}

void gpu_queues_fault(accel_impl_device *device)
{
    pthread_mutex_lock(&device->queue_lock);
    for (accel_impl_queue *queue = device->queues; queue != NULL; queue = queue->next) {
        atomic_fetch_or_explicit(&queue->state, GPU_STATE_FAULT, memory_order_release);
        gpu_call_post_abandon(queue);
    }
    pthread_mutex_unlock(&device->queue_lock);
}

static bool is_deferring(accel_impl_queue *queue)
{
    return (atomic_load_explicit(&queue->state, memory_order_acquire) & GPU_STATE_DEFERS) != 0;
}

/* With the context current. */
static bool is_done(accel_impl_queue *queue)
{
    return !is_deferring(queue) && queue->device->driver->stream_query(queue->stream) == 0;
}

/* Has the queue, which its owner gives back, nothing to do? Asks the driver. What is held back reaches a stream of the
 * caller's later: it has to be there. */
static bool has_nothing_to_do(accel_impl_queue *queue)
{
    gpu_scope scope;

    if (gpu_scope_enter(&scope, queue->device, "looking for work") != ACCEL_OK)
        return false;
    bool done = queue->wrapped ? !is_deferring(queue) && gpu_retire_leave(queue) : is_done(queue);
    gpu_scope_leave(&scope, queue->device);
    return done;
}

bool gpu_device_is_quiet(accel_impl_device *device)
{
    gpu_scope scope;
    bool quiet = true;

    if (atomic_load_explicit(&device->ready, memory_order_acquire) == 0 ||
        gpu_failure_status(&device->fault) != ACCEL_OK)
        return true;
    if (gpu_scope_enter(&scope, device, "looking for work") != ACCEL_OK)
        return true;
    pthread_mutex_lock(&device->queue_lock);
    for (accel_impl_queue *queue = device->queues; queue != NULL && quiet; queue = queue->next)
        quiet = !queue->wrapped && is_done(queue); /* the caller may be capturing a stream, which a question ends */
    pthread_mutex_unlock(&device->queue_lock);
    gpu_scope_leave(&scope, device);
    return quiet;
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
    queue->references = 1;
    status = gpu_host()->timeline_create(&queue->deferred.submitted);
    if (status != ACCEL_OK)
        goto no_timeline;
    gpu_result result = driver->event_create(&queue->retire.event, GPU_EVENT_NO_TIMING);
    if (result != 0) {
        status = gpu_device_failed(device, "making a queue's mark", result);
        goto no_mark;
    }
    if (!queue->blocking) {
        status = gpu_stage_get(device, &queue->stage);
        if (status != ACCEL_OK)
            goto no_stage;
    }
    pthread_mutex_init(&queue->turn, NULL);
    pthread_mutex_init(&queue->failure.lock, NULL);
    pthread_mutex_init(&queue->deferred.lock, NULL);
    pthread_mutex_init(&queue->retire.lock, NULL);
    pthread_mutex_init(&queue->calls.lock, NULL);
    gpu_device_retain(device);
    *made = queue;
    return ACCEL_OK;
no_stage:
    driver->event_destroy(queue->retire.event);
no_mark:
    gpu_host()->timeline_release(queue->deferred.submitted);
no_timeline:
    free(queue);
    return status;
}

/* All of it but the stream, with the context current. */
static void unmake(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    device->driver->event_destroy(queue->retire.event);
    if (queue->stage != NULL)
        gpu_stage_put(device, queue->stage);
    gpu_host()->timeline_release(queue->deferred.submitted);
    gpu_call_end(queue);
    pthread_mutex_destroy(&queue->turn);
    pthread_mutex_destroy(&queue->failure.lock);
    pthread_mutex_destroy(&queue->deferred.lock);
    pthread_mutex_destroy(&queue->retire.lock);
    free(queue);
    gpu_device_release(device);
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
    enlist(queue);
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
    enlist(queue);
    *made = queue;
    return ACCEL_OK;
}

void gpu_queue_end(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;
    gpu_scope scope;

    gpu_retired_give_back(device, gpu_retire_take(queue));
    delist(queue);
    gpu_device_retain(device); /* the scope outlives the queue */
    bool entered = gpu_scope_enter(&scope, device, "ending a queue") == ACCEL_OK;
    if (!queue->wrapped)
        device->driver->stream_destroy(queue->stream);
    unmake(queue);
    if (entered)
        gpu_scope_leave(&scope, device);
    gpu_device_release(device);
}

/* What an idle queue holds goes back now: a program that ends next leaves nothing behind. */
static void destroy(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    if (gpu_device_forked(device)) /* there the work, and the threads that would see its end, are not */
        return;
    gpu_retired *retired = has_nothing_to_do(queue) ? gpu_retire_take(queue) : NULL;
    gpu_device_retain(device);
    gpu_queue_release(queue);
    gpu_retired_give_back(device, retired);
    if (gpu_device_is_quiet(device))
        gpu_device_settle(device);
    gpu_device_release(device);
}

/* ---------------------------------------------------------------------------------------- failures -- */

accel_status gpu_queue_fail(accel_impl_queue *queue, accel_status status)
{
    if (status == ACCEL_OK || gpu_failure_status(&queue->device->fault) != ACCEL_OK)
        return status;
    gpu_failure_keep(&queue->failure, status);
    atomic_fetch_or_explicit(&queue->state, GPU_STATE_FAILED, memory_order_release);
    return status;
}

accel_status gpu_queue_inherit(accel_impl_queue *queue, accel_status status)
{
    if (status == ACCEL_OK)
        return status;
    gpu_host()->error(status, "an event that the queue waited for carries the failure of another queue; wait for that "
                              "queue to see its text");
    return gpu_queue_fail(queue, status);
}

accel_status gpu_queue_status(accel_impl_queue *queue)
{
    accel_status status = gpu_failure_status(&queue->failure);

    return status != ACCEL_OK ? status : gpu_failure_status(&queue->device->fault);
}

uint32_t gpu_queue_admit(accel_impl_queue *queue, accel_status *status)
{
    uint32_t state = atomic_load_explicit(&queue->state, memory_order_acquire);

    if ((state & GPU_STATE_FAULT) != 0) {
        *status = gpu_failure_repeat(&queue->device->fault);
        return GPU_REFUSE;
    }
    if ((state & GPU_STATE_DEFERS) != 0) {
        pthread_mutex_lock(&queue->deferred.lock);
        if ((atomic_load_explicit(&queue->state, memory_order_relaxed) & GPU_STATE_DEFERS) != 0)
            return GPU_DEFER;
        pthread_mutex_unlock(&queue->deferred.lock);
    }
    if (gpu_failure_status(&queue->failure) == ACCEL_OK) {
        if ((state & GPU_STATE_FAILED) != 0) /* reported while another thread failed */
            atomic_fetch_and_explicit(&queue->state, ~(uint32_t)GPU_STATE_FAILED, memory_order_relaxed);
        return GPU_SUBMIT;
    }
    if (!queue->blocking)
        return GPU_SKIP;
    *status = gpu_failure_repeat(&queue->failure);
    return GPU_REFUSE;
}

/* ----------------------------------------------------------------------------------------- waiting -- */

accel_status gpu_queue_finish(accel_impl_queue *queue, const char *what)
{
    accel_impl_device *device = queue->device;
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = device->driver->stream_synchronize(queue->stream);
    gpu_scope_leave(&scope, device);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

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

static accel_status wait_in_turn(accel_impl_queue *queue)
{
    accel_impl_device *device = queue->device;

    pthread_mutex_lock(&queue->deferred.lock);
    uint64_t given = queue->deferred.given;
    pthread_mutex_unlock(&queue->deferred.lock);
    gpu_host()->timeline_wait(queue->deferred.submitted, given);

    gpu_retired *retired = gpu_retire_take(queue);
    accel_status status = gpu_queue_finish(queue, "waiting for a queue");
    gpu_retired_give_back(device, retired);
    if (gpu_failure_status(&device->fault) != ACCEL_OK) {
        finish_calls(queue);
        return gpu_failure_repeat(&device->fault);
    }
    if (status != ACCEL_OK)
        return status;
    inherit_faults(queue);
    if (gpu_failure_status(&queue->failure) == ACCEL_OK)
        return ACCEL_OK;
    atomic_fetch_and_explicit(&queue->state, ~(uint32_t)GPU_STATE_FAILED, memory_order_relaxed);
    return gpu_failure_report(&queue->failure);
}

static accel_status wait(accel_impl_queue *queue)
{
    gpu_queue_enter(queue);
    accel_status status = wait_in_turn(queue);
    gpu_queue_leave(queue);
    return status;
}

static accel_status is_idle(accel_impl_queue *queue, bool *idle)
{
    accel_impl_device *device = queue->device;

    if (is_deferring(queue) || !gpu_call_none(queue)) {
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

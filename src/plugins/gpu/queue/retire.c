/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/retire.h"
#include "plugins/gpu/engine/memory.h"
#include "plugins/gpu/queue/queue.h"

#include <stddef.h>
#include <stdlib.h>

accel_status gpu_retired_make(accel_hold *first, accel_hold *second, gpu_retired **made)
{
    *made = NULL;
    if (first == NULL && second == NULL)
        return ACCEL_OK;
    gpu_retired *retired = malloc(sizeof(*retired));
    if (retired == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "no memory for %zu bytes to keep buffers alive",
                                 sizeof(*retired));
    *retired = (gpu_retired){.holds = {first, second}};
    *made = retired;
    return ACCEL_OK;
}

void gpu_retired_discard(gpu_retired *retired)
{
    free(retired);
}

void gpu_retired_give_back(accel_impl_device *device, gpu_retired *retired)
{
    for (gpu_retired *next; retired != NULL; retired = next) {
        next = retired->next;
        if (retired->memory != NULL) {
            gpu_memory_free(device, retired->memory);
            continue;
        }
        gpu_host()->hold_release(retired->holds[0]);
        gpu_host()->hold_release(retired->holds[1]);
        free(retired);
    }
}

void gpu_retire_post(accel_impl_device *device, gpu_job *job)
{
    atomic_fetch_add_explicit(&device->retiring, 1, memory_order_relaxed);
    gpu_thread_post(&gpu_retire_thread, job);
}

void gpu_retire_done(accel_impl_device *device)
{
    atomic_fetch_sub_explicit(&device->retiring, 1, memory_order_release);
}

static accel_impl_queue *queue_of(gpu_job *job)
{
    return (accel_impl_queue *)(void *)((char *)job - offsetof(accel_impl_queue, retire.job));
}

/* What is asked: */
enum {
    MARK,       /* is the mark reached? */
    FRESH_MARK, /* recorded now, is it reached? */
    STREAM      /* has the stream done everything? If not, the mark is recorded behind it. */
};

static bool is_refusal(const accel_impl_queue *queue, gpu_result result)
{
    return gpu_error_class_of(queue->device->driver, result, NULL) == GPU_CLASS_REFUSED;
}

/* Records the mark. If the driver refuses, the stream says whether it still has work; a caller's stream, which may be
 * capturing, is not asked. */
static gpu_result record(accel_impl_queue *queue)
{
    const gpu_driver *driver = queue->device->driver;
    gpu_result result = driver->event_record(queue->retire.event, queue->stream);

    queue->retire.recorded = result == 0;
    if (result == 0)
        return driver->event_query(queue->retire.event);
    return is_refusal(queue, result) && !queue->wrapped ? driver->stream_query(queue->stream) : result;
}

static gpu_result ask(accel_impl_queue *queue, int question)
{
    const gpu_driver *driver = queue->device->driver;

    if (question == MARK)
        return driver->event_query(queue->retire.event);
    if (question == FRESH_MARK)
        return record(queue);
    gpu_result result = driver->stream_query(queue->stream);
    return gpu_error_class_of(driver, result, NULL) == GPU_CLASS_NOT_READY ? record(queue) : result;
}

/* False also if the driver refuses to answer: it is asked again later. A device that failed has nothing left to do. */
static bool reached(accel_impl_queue *queue, int question)
{
    static const char what[] = "giving back what was held";
    gpu_result result;
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, queue->device, what);

    if (status != ACCEL_OK)
        return gpu_failure_status(&queue->device->fault) != ACCEL_OK || status == ACCEL_DEVICE_LOST;
    if (queue->wrapped) { /* the stream may be the caller's again, and end, at any time */
        pthread_mutex_lock(&queue->retire.lock);
        result = ask(queue, queue->retire.left ? MARK : question);
        pthread_mutex_unlock(&queue->retire.lock);
    } else {
        result = ask(queue, question);
    }
    gpu_scope_leave(&scope, queue->device);
    if (result == 0)
        return true;
    if (gpu_error_class_of(queue->device->driver, result, NULL) == GPU_CLASS_NOT_READY)
        return false;
    gpu_device_failed(queue->device, what, result);
    return !is_refusal(queue, result);
}

static bool reap(gpu_job *job)
{
    accel_impl_queue *queue = queue_of(job);
    gpu_retire_list *state = &queue->retire;

    for (;;) {
        pthread_mutex_lock(&state->lock);
        if (state->behind == NULL) {
            state->behind = state->open;
            state->open = NULL;
            state->recorded = false;
        }
        int question = state->recorded ? MARK : FRESH_MARK;
        bool none = state->behind == NULL;
        if (none)
            state->posted = false;
        pthread_mutex_unlock(&state->lock);
        if (none) {
            accel_impl_device *device = queue->device;
            gpu_device_retain(device);
            gpu_queue_release(queue);
            gpu_retire_done(device);
            gpu_device_release(device);
            return true;
        }
        if (!reached(queue, question))
            return false;
        pthread_mutex_lock(&state->lock);
        gpu_retired *retired = state->behind; /* or NULL: somebody waited for the stream, and took it */
        state->behind = NULL;
        pthread_mutex_unlock(&state->lock);
        gpu_retired_give_back(queue->device, retired);
    }
}

void gpu_retire_add(accel_impl_queue *queue, gpu_retired *retired)
{
    gpu_retire_list *state = &queue->retire;

    if (retired == NULL)
        return;
    pthread_mutex_lock(&state->lock);
    retired->next = state->open;
    state->open = retired;
    bool post = !state->posted;
    state->posted = true;
    pthread_mutex_unlock(&state->lock);
    if (!post)
        return;
    gpu_queue_retain(queue);
    state->job.run = reap;
    gpu_retire_post(queue->device, &state->job);
}

gpu_retired *gpu_retire_take(accel_impl_queue *queue)
{
    gpu_retire_list *state = &queue->retire;

    pthread_mutex_lock(&state->lock);
    gpu_retired *retired = state->open, **end = &retired;
    while (*end != NULL)
        end = &(*end)->next;
    *end = state->behind;
    state->open = state->behind = NULL;
    pthread_mutex_unlock(&state->lock);
    return retired;
}

/* Polled until the stream has done everything. */
static bool retire(gpu_job *job)
{
    accel_impl_queue *queue = queue_of(job);

    if (!reached(queue, queue->retire.recorded ? MARK : STREAM))
        return false;
    if (gpu_failure_status(&queue->device->fault) != ACCEL_OK && !gpu_call_abandon(queue))
        return false;
    accel_impl_device *device = queue->device;
    gpu_device_retain(device);
    gpu_queue_end(queue);
    gpu_retire_done(device);
    gpu_device_release(device);
    return true;
}

bool gpu_retire_leave(accel_impl_queue *queue)
{
    gpu_retire_list *state = &queue->retire;

    pthread_mutex_lock(&state->lock);
    gpu_result result = ask(queue, FRESH_MARK);
    pthread_mutex_unlock(&state->lock);
    if (is_refusal(queue, result)) /* without the mark nothing tells later what is done */
        result = queue->device->driver->stream_synchronize(queue->stream);
    uint32_t class = gpu_error_class_of(queue->device->driver, result, NULL);
    pthread_mutex_lock(&state->lock);
    state->left = class == GPU_CLASS_SUCCESS || class == GPU_CLASS_NOT_READY;
    pthread_mutex_unlock(&state->lock);
    return result == 0;
}

void gpu_queue_retire(accel_impl_queue *queue)
{
    queue->retire.recorded = false; /* what was recorded is before the last operations */
    if (reached(queue, STREAM) && gpu_call_none(queue)) {
        gpu_queue_end(queue);
        return;
    }
    queue->retire.job.run = retire;
    gpu_retire_post(queue->device, &queue->retire.job);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: slots that submit, and the wait. */
#include "skeleton.h"

#include <stdlib.h>
#include <string.h>

static operation *operation_new(operation_kind kind, size_t bytes)
{
    const size_t size = (sizeof(operation) + bytes + 63) / 64 * 64;
    operation *op = aligned_alloc(64, size);
    if (op == NULL) {
        (void)skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no memory for an operation");
        return NULL;
    }
    memset(op, 0, size);
    op->kind = kind;
    return op;
}

/* Appends the operation. On a blocking queue waits for it and returns its failure. */
static accel_status submit(accel_impl_queue *queue, operation *op)
{
    const bool never_fails = op->kind == CALL || op->kind == RECORD;
    skeleton_pending(1);
    pthread_mutex_lock(&queue->lock);
    const uint64_t number = ++queue->submitted;
    if (op->kind == RECORD)
        op->record->value = number;
    *queue->tail = op;
    queue->tail = &op->next;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    if ((queue->flags & ACCEL_QUEUE_BLOCKING) == 0)
        return ACCEL_OK;
    const accel_status status = skeleton_host->timeline_wait(queue->timeline, number);
    if (status == ACCEL_OK || never_fails)
        return ACCEL_OK;
    pthread_mutex_lock(&queue->lock);
    (void)skeleton_host->error(status, "%s", queue->text);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

static accel_status queue_launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                 const void *args)
{
    const accel_descriptor *descriptor = (const accel_descriptor *)kernel;
    operation *op = operation_new(LAUNCH, descriptor->args_size);
    if (op == NULL)
        return ACCEL_OUT_OF_MEMORY;
    op->kernel = descriptor;
    op->work = *work;
    memcpy(op->bytes, args, descriptor->args_size);
    return submit(queue, op);
}

static accel_status queue_copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    operation *op = operation_new(COPY, 0);
    if (op == NULL)
        return ACCEL_OUT_OF_MEMORY;
    op->copy = *params;
    memcpy(op->holds, params->holds, sizeof op->holds);
    return submit(queue, op);
}

static accel_status queue_fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    operation *op = operation_new(FILL, params->pattern_size);
    if (op == NULL)
        return ACCEL_OUT_OF_MEMORY;
    op->fill = *params;
    memcpy(op->bytes, params->pattern, params->pattern_size);
    op->holds[0] = params->hold;
    return submit(queue, op);
}

static accel_status queue_call(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    operation *op = operation_new(CALL, 0);
    if (op == NULL)
        return ACCEL_OUT_OF_MEMORY;
    op->function = function;
    op->user = user;
    return submit(queue, op);
}

static accel_status queue_record(accel_impl_queue *queue, accel_impl_event *event)
{
    operation *op = operation_new(RECORD, 0);
    record *made = op == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL) {
        free(op);
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no memory for a record");
    }
    skeleton_host->timeline_retain(queue->timeline);
    made->timeline = queue->timeline;
    made->timed = event->timed || (queue->flags & ACCEL_QUEUE_PROFILING) != 0;
    atomic_init(&made->references, 2);
    op->record = made;
    const accel_status status = submit(queue, op);
    pthread_mutex_lock(&event->lock); /* now that the record has its value */
    record *old = event->latest;
    event->latest = made;
    pthread_mutex_unlock(&event->lock);
    skeleton_record_release(old);
    return status;
}

static accel_status queue_wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    operation *op = operation_new(WAIT, 0);
    if (op == NULL)
        return ACCEL_OUT_OF_MEMORY;
    skeleton_host->timeline_retain(timeline);
    op->timeline = timeline;
    op->value = value;
    return submit(queue, op);
}

static accel_status queue_wait_event(accel_impl_queue *queue, accel_impl_event *event)
{
    record *found = skeleton_latest(event);
    const accel_status status = found == NULL ? ACCEL_OK : queue_wait_timeline(queue, found->timeline, found->value);
    skeleton_record_release(found);
    return status;
}

static accel_status queue_wait(accel_impl_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const uint64_t number = queue->submitted;
    pthread_mutex_unlock(&queue->lock);
    (void)skeleton_host->timeline_wait(queue->timeline, number);
    pthread_mutex_lock(&queue->lock);
    const accel_status status = queue->status;
    queue->status = ACCEL_OK;
    if (status != ACCEL_OK)
        (void)skeleton_host->error(status, "%s", queue->text);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

static accel_status queue_is_idle(accel_impl_queue *queue, bool *yes)
{
    pthread_mutex_lock(&queue->lock);
    *yes = skeleton_host->timeline_reached(queue->timeline, queue->submitted, NULL);
    pthread_mutex_unlock(&queue->lock);
    return ACCEL_OK;
}

static void queue_destroy(accel_impl_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closing = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

accel_status skeleton_queue_create(accel_impl_device *device, uint32_t flags, int32_t priority,
                                   accel_impl_queue **queue)
{
    (void)device;
    (void)priority;
    pthread_t thread;
    accel_impl_queue *made = calloc(1, sizeof *made);
    if (made == NULL || skeleton_host->timeline_create(&made->timeline) != ACCEL_OK) {
        free(made);
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no memory for a queue");
    }
    made->flags = flags;
    made->tail = &made->head;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    if (pthread_create(&thread, NULL, skeleton_queue_thread, made) != 0) {
        skeleton_host->timeline_release(made->timeline);
        free(made);
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no thread for a queue");
    }
    pthread_detach(thread);
    *queue = made;
    return ACCEL_OK;
}

const accel_queue_vtable skeleton_queue_vtable = {
    .struct_size = sizeof(accel_queue_vtable),
    .destroy = queue_destroy,
    .launch = queue_launch,
    .copy = queue_copy,
    .fill = queue_fill,
    .call = queue_call,
    .record = queue_record,
    .wait_event = queue_wait_event,
    .wait_timeline = queue_wait_timeline,
    .wait = queue_wait,
    .is_idle = queue_is_idle,
};

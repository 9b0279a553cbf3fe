/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/queue/operation.h"

#include <stdlib.h>

typedef struct wait_command {
    gpu_command command;
    accel_timeline *timeline; /* retained */
    uint64_t value;
} wait_command;

void *gpu_command_make(accel_impl_queue *queue, size_t size, void (*run)(accel_impl_queue *, gpu_command *))
{
    gpu_command *command = calloc(1, size);

    if (command != NULL) {
        command->run = run;
        return command;
    }
    pthread_mutex_unlock(&queue->deferred.lock);
    gpu_host()->error(ACCEL_OUT_OF_MEMORY, "no memory for %zu bytes to defer an operation", size);
    return NULL;
}

/* Under deferred.lock. */
static uint64_t push(accel_impl_queue *queue, gpu_command *command)
{
    gpu_deferred *deferred = &queue->deferred;

    command->deferrals = 1 + atomic_fetch_add_explicit(&queue->device->deferrals, 1, memory_order_relaxed);
    plugin_list_append(&deferred->commands, &command->link);
    return ++deferred->given;
}

uint64_t gpu_deferred_append(accel_impl_queue *queue, gpu_command *command)
{
    uint64_t value = push(queue, command);

    pthread_mutex_unlock(&queue->deferred.lock);
    return value;
}

bool gpu_deferred_enter(accel_impl_queue *queue, gpu_scope *scope)
{
    if (gpu_queue_status(queue) != ACCEL_OK)
        return false;
    accel_status status = gpu_scope_enter(scope, queue->device, "submitting what was deferred");
    gpu_queue_fail(queue, status);
    return status == ACCEL_OK;
}

/* The next command, which is taken out; without one the queue defers no more. */
static gpu_command *pop(accel_impl_queue *queue)
{
    gpu_deferred *deferred = &queue->deferred;

    pthread_mutex_lock(&deferred->lock);
    plugin_link *link = plugin_list_take(&deferred->commands);
    deferred->taken = link != NULL ? PLUGIN_OWNER(link, gpu_command, link)->deferrals : 0;
    if (link == NULL)
        atomic_fetch_and_explicit(&queue->state, ~(uint32_t)GPU_STATE_DEFERS, memory_order_release);
    pthread_mutex_unlock(&deferred->lock);
    return link != NULL ? PLUGIN_OWNER(link, gpu_command, link) : NULL;
}

bool gpu_deferred_submitted(accel_impl_queue *queue, uint64_t deferrals)
{
    gpu_deferred *deferred = &queue->deferred;

    pthread_mutex_lock(&deferred->lock);
    plugin_link *first = deferred->commands.first;
    uint64_t oldest = deferred->taken;
    if (oldest == 0 && first != NULL)
        oldest = PLUGIN_OWNER(first, gpu_command, link)->deferrals;
    pthread_mutex_unlock(&deferred->lock);
    return oldest == 0 || oldest > deferrals;
}

static void put_back(gpu_deferred *deferred, gpu_command *command)
{
    pthread_mutex_lock(&deferred->lock);
    plugin_list_insert(&deferred->commands, NULL, &command->link);
    pthread_mutex_unlock(&deferred->lock);
}

/* On the submit thread. A command that asked to be told posts the job again, perhaps before this has returned: it touches
 * nothing after that. */
static bool run_list(gpu_job *job)
{
    accel_impl_queue *queue = PLUGIN_OWNER(job, accel_impl_queue, deferred.job);
    gpu_deferred *deferred = &queue->deferred;
    gpu_command *command;

    if (deferred->resumed) {
        deferred->resumed = false;
        gpu_host()->timeline_signal(deferred->submitted, ++deferred->done, ACCEL_OK);
    }
    while ((command = pop(queue)) != NULL) {
        if (command->holds) {
            command->run(queue, command);
            return true; /* gpu_deferred_resume has posted the job, or will */
        }
        if (command->run == NULL) {
            wait_command *wait = PLUGIN_OWNER(command, wait_command, command);
            accel_status status = ACCEL_OK;
            put_back(deferred, command);
            atomic_store_explicit(&deferred->waits, true, memory_order_release);
            if (gpu_host()->timeline_on_signal(wait->timeline, wait->value, &deferred->waiter))
                return true;
            atomic_store_explicit(&deferred->waits, false, memory_order_relaxed);
            pop(queue);
            gpu_host()->timeline_reached(wait->timeline, wait->value, &status);
            gpu_queue_inherit(queue, status);
            gpu_host()->timeline_release(wait->timeline);
            free(wait);
        } else {
            command->run(queue, command);
        }
        gpu_host()->timeline_signal(deferred->submitted, ++deferred->done, ACCEL_OK);
    }
    gpu_queue_release(queue);
    return true;
}

/* On the signalling thread. */
static void notify(accel_timeline_waiter *waiter, accel_status status)
{
    accel_impl_queue *queue = waiter->user;

    (void)status; /* the list asks for it */
    atomic_store_explicit(&queue->deferred.waits, false, memory_order_relaxed);
    gpu_thread_post(&gpu_submit_thread, &queue->deferred.job);
}

/* Under deferred.lock. True: the queue did not defer before. The job is to be posted. */
static bool begin(accel_impl_queue *queue)
{
    gpu_deferred *deferred = &queue->deferred;

    if ((atomic_fetch_or_explicit(&queue->state, GPU_STATE_DEFERS, memory_order_acq_rel) & GPU_STATE_DEFERS) != 0)
        return false;
    gpu_queue_retain(queue);
    deferred->job.run = run_list;
    deferred->waiter.notify = notify;
    deferred->waiter.user = queue;
    return true;
}

void gpu_deferred_hold(accel_impl_queue *queue)
{
    gpu_deferred *deferred = &queue->deferred;

    pthread_mutex_lock(&deferred->lock);
    begin(queue);
    ++deferred->given;
    pthread_mutex_unlock(&deferred->lock);
}

void gpu_deferred_resume(accel_impl_queue *queue)
{
    queue->deferred.resumed = true;
    atomic_store_explicit(&queue->deferred.waits, false, memory_order_relaxed);
    gpu_thread_post(&gpu_submit_thread, &queue->deferred.job);
}

void gpu_deferred_wait_for_program(accel_impl_queue *queue)
{
    atomic_store_explicit(&queue->deferred.waits, true, memory_order_release);
}

bool gpu_deferred_is_moving(accel_impl_queue *queue)
{
    return (atomic_load_explicit(&queue->state, memory_order_acquire) & GPU_STATE_DEFERS) != 0 &&
           !atomic_load_explicit(&queue->deferred.waits, memory_order_acquire);
}

bool gpu_deferred_none(accel_impl_queue *queue)
{
    pthread_mutex_lock(&queue->deferred.lock);
    uint64_t given = queue->deferred.given;
    pthread_mutex_unlock(&queue->deferred.lock);
    return gpu_host()->timeline_reached(queue->deferred.submitted, given, NULL);
}

accel_status gpu_defer_until(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value, gpu_command *then)
{
    gpu_deferred *deferred = &queue->deferred;
    wait_command *wait = malloc(sizeof(*wait));

    if (wait == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "wait: no memory for %zu bytes", sizeof(*wait));
    gpu_host()->timeline_retain(timeline);
    *wait = (wait_command){.timeline = timeline, .value = value};
    pthread_mutex_lock(&deferred->lock);
    bool first = begin(queue);
    push(queue, &wait->command);
    if (then != NULL)
        push(queue, then);
    pthread_mutex_unlock(&deferred->lock);
    if (first)
        gpu_thread_post(&gpu_submit_thread, &deferred->job);
    return ACCEL_OK;
}

static accel_status wait_timeline_in_turn(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    accel_status status = ACCEL_OK, carried = ACCEL_OK;
    uint32_t admission = gpu_queue_admit(queue, &status);

    if (admission == GPU_DEFER) {
        pthread_mutex_unlock(&queue->deferred.lock);
        return gpu_defer_until(queue, timeline, value, NULL);
    }
    if (admission != GPU_SUBMIT)
        return status;
    if (queue->blocking)
        return gpu_queue_inherit(queue, gpu_host()->timeline_wait(timeline, value));
    if (!gpu_host()->timeline_reached(timeline, value, &carried))
        return gpu_defer_until(queue, timeline, value, NULL);
    gpu_queue_inherit(queue, carried);
    return ACCEL_OK;
}

accel_status gpu_wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    gpu_queue_enter(queue);
    accel_status status = wait_timeline_in_turn(queue, timeline, value);
    gpu_queue_leave(queue);
    return status;
}

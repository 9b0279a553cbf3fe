/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/held.h"
#include "plugins/gpu/queue/queue.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct wait_command {
    gpu_command command;
    accel_timeline *timeline; /* retained */
    uint64_t value;
} wait_command;

/* Under held.lock. */
static uint64_t push(gpu_held *held, gpu_command *command)
{
    command->next = NULL;
    if (held->last != NULL)
        held->last->next = command;
    else
        held->first = command;
    held->last = command;
    return ++held->given;
}

uint64_t gpu_held_append(accel_impl_queue *queue, gpu_command *command)
{
    uint64_t value = push(&queue->held, command);

    pthread_mutex_unlock(&queue->held.lock);
    return value;
}

/* The next command, which is taken out; without one the queue is no longer held back. */
static gpu_command *pop(accel_impl_queue *queue)
{
    gpu_held *held = &queue->held;

    pthread_mutex_lock(&held->lock);
    gpu_command *command = held->first;
    if (command != NULL)
        held->first = command->next;
    else
        atomic_fetch_and_explicit(&queue->obstacle, ~(uint32_t)GPU_OBSTACLE_HELD, memory_order_release);
    if (held->first == NULL)
        held->last = NULL;
    pthread_mutex_unlock(&held->lock);
    return command;
}

static void put_back(gpu_held *held, gpu_command *command)
{
    pthread_mutex_lock(&held->lock);
    command->next = held->first;
    held->first = command;
    if (held->last == NULL)
        held->last = command;
    pthread_mutex_unlock(&held->lock);
}

/* On the submitter's thread. A command that asked to be told posts the job again, perhaps before this has returned: it
 * touches nothing after that. */
static bool run_list(gpu_job *job)
{
    accel_impl_queue *queue = (accel_impl_queue *)(void *)((char *)job - offsetof(accel_impl_queue, held.job));
    gpu_held *held = &queue->held;
    gpu_command *command;

    while ((command = pop(queue)) != NULL) {
        if (command->run == NULL) {
            wait_command *wait = (wait_command *)(void *)command;
            accel_status status = ACCEL_OK;
            put_back(held, command);
            if (gpu_host()->timeline_on_signal(wait->timeline, wait->value, &held->waiter))
                return true;
            pop(queue);
            gpu_host()->timeline_reached(wait->timeline, wait->value, &status);
            gpu_queue_inherit(queue, status);
            gpu_host()->timeline_release(wait->timeline);
            free(wait);
        } else {
            command->run(queue, command);
        }
        gpu_host()->timeline_signal(held->submitted, ++held->done, ACCEL_OK);
    }
    gpu_queue_release(queue);
    return true;
}

/* On the signalling thread. */
static void notify(accel_timeline_waiter *waiter, accel_status status)
{
    accel_impl_queue *queue = waiter->user;

    (void)status; /* the list asks for it */
    gpu_worker_post(&gpu_submitter, &queue->held.job);
}

accel_status gpu_hold_until(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value, gpu_command *then)
{
    gpu_held *held = &queue->held;
    wait_command *wait = malloc(sizeof(*wait));

    if (wait == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "wait: no memory for %zu bytes", sizeof(*wait));
    gpu_host()->timeline_retain(timeline);
    *wait = (wait_command){.timeline = timeline, .value = value};
    pthread_mutex_lock(&held->lock);
    uint32_t before = atomic_fetch_or_explicit(&queue->obstacle, GPU_OBSTACLE_HELD, memory_order_acq_rel);
    push(held, &wait->command);
    if (then != NULL)
        push(held, then);
    pthread_mutex_unlock(&held->lock);
    if ((before & GPU_OBSTACLE_HELD) == 0) {
        gpu_queue_retain(queue);
        held->job.run = run_list;
        held->waiter.notify = notify;
        held->waiter.user = queue;
        gpu_worker_post(&gpu_submitter, &held->job);
    }
    return ACCEL_OK;
}

static accel_status wait_timeline_in_turn(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    accel_status status = ACCEL_OK, carried = ACCEL_OK;
    uint32_t way = gpu_queue_way(queue, &status);

    if (way == GPU_WAY_HELD) {
        pthread_mutex_unlock(&queue->held.lock);
        return gpu_hold_until(queue, timeline, value, NULL);
    }
    if (way != GPU_WAY_CLEAR)
        return status;
    if (queue->blocking)
        return gpu_queue_inherit(queue, gpu_host()->timeline_wait(timeline, value));
    if (!gpu_host()->timeline_reached(timeline, value, &carried))
        return gpu_hold_until(queue, timeline, value, NULL);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/query.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/role.h"
#include "plugins/gpu/engine/thread.h"

typedef struct query {
    gpu_job job;
    accel_impl_device *device;
    gpu_stream stream;
    gpu_driver_event event; /* NULL: the stream is asked for */
    gpu_result result;
    pthread_mutex_t lock; /* guards done */
    pthread_cond_t changed;
    bool done;
} query;

static gpu_result ask(accel_impl_device *device, gpu_stream stream, gpu_driver_event event)
{
    const gpu_driver *driver = device->driver;
    gpu_context previous = NULL;
    gpu_result result = driver->context_get_current(&previous);
    bool switched = result == 0 && previous != device->context;

    if (switched)
        result = driver->context_set_current(device->context);
    if (result == 0)
        result = event != NULL ? driver->event_query(event) : driver->stream_query(stream);
    if (switched)
        driver->context_set_current(previous);
    return result;
}

static bool answer(gpu_job *job)
{
    query *q = (query *)(void *)job;

    q->result = ask(q->device, q->stream, q->event);
    pthread_mutex_lock(&q->lock);
    q->done = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return true;
}

static gpu_result have_asked(accel_impl_device *device, gpu_stream stream, gpu_driver_event event)
{
    query q = {.job.run = answer, .device = device, .stream = stream, .event = event};

    if (gpu_thread_kind() != GPU_THREAD_DRIVER)
        return ask(device, stream, event);
    pthread_mutex_init(&q.lock, NULL);
    pthread_cond_init(&q.changed, NULL);
    gpu_thread_post(&gpu_watch_thread, &q.job);
    pthread_mutex_lock(&q.lock);
    while (!q.done)
        pthread_cond_wait(&q.changed, &q.lock);
    pthread_mutex_unlock(&q.lock);
    pthread_cond_destroy(&q.changed);
    pthread_mutex_destroy(&q.lock);
    return q.result;
}

gpu_result gpu_query_stream(accel_impl_device *device, gpu_stream stream)
{
    return have_asked(device, stream, NULL);
}

gpu_result gpu_query_event(accel_impl_device *device, gpu_driver_event event)
{
    return have_asked(device, NULL, event);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/thread.h"

/* Where the program has nothing current, the device's context stays current behind the call. The engine's threads serve
 * all devices and outlive them: there it does not. */
static gpu_result enter_from(gpu_scope *scope, accel_impl_device *device, gpu_context current)
{
    *scope = (gpu_scope){.previous = current};
    if (current == device->context)
        return 0;
    if (current == NULL && gpu_thread_kind() == GPU_THREAD_PROGRAM)
        return device->driver->context_set_current(device->context);
    gpu_result result = device->driver->context_push(device->context);
    scope->switched = result == 0;
    return result;
}

accel_status gpu_scope_enter_from(gpu_scope *scope, accel_impl_device *device, gpu_context current, const char *what)
{
    gpu_result result = enter_from(scope, device, current);

    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

accel_status gpu_scope_enter(gpu_scope *scope, accel_impl_device *device, const char *what)
{
    gpu_context current = NULL;
    gpu_result result = device->driver->context_get_current(&current);

    scope->switched = false;
    return result == 0 ? gpu_scope_enter_from(scope, device, current, what) : gpu_device_failed(device, what, result);
}

bool gpu_scope_enter_to_release(gpu_scope *scope, accel_impl_device *device, const char *what)
{
    return gpu_scope_enter(scope, device, what) == ACCEL_OK ||
           (!gpu_device_has_failed(device) && gpu_scope_enter(scope, device, what) == ACCEL_OK);
}

void gpu_scope_leave(const gpu_scope *scope, const accel_impl_device *device)
{
    if (scope->switched) /* if the driver cannot take it back there is nobody to tell */
        device->driver->context_pop(scope->previous);
}

/* Under the device's lock. */
static accel_status retain(accel_impl_device *device)
{
    const gpu_driver *driver = device->driver;
    gpu_context context = NULL;
    gpu_scope scope;
    accel_status status = gpu_threads_start();

    if (status != ACCEL_OK)
        return status;
    gpu_result result = driver->context_retain(&context, device->number);
    if (result != 0)
        return gpu_device_failed(device, "retaining its primary context", result);
    device->context = context;
    status = gpu_scope_enter(&scope, device, "making its primary context current");
    if (status != ACCEL_OK)
        goto failed;
    result = driver->stream_create(&device->stream, GPU_STREAM_NON_BLOCKING, driver->least_priority);
    gpu_scope_leave(&scope, device);
    if (result == 0) {
        atomic_store_explicit(&device->ready, 1, memory_order_release);
        return ACCEL_OK;
    }
    status = gpu_device_failed(device, "making the first stream", result);
failed:
    driver->context_release(context, device->number);
    device->context = NULL;
    return status;
}

accel_status gpu_device_use(gpu_scope *scope, accel_impl_device *device, const char *what)
{
    accel_status status = gpu_device_check(device);

    if (status == ACCEL_OK && atomic_load_explicit(&device->ready, memory_order_acquire) == 0) {
        pthread_mutex_lock(&device->lock);
        if (atomic_load_explicit(&device->ready, memory_order_relaxed) == 0)
            status = retain(device);
        pthread_mutex_unlock(&device->lock);
    }
    return status == ACCEL_OK ? gpu_scope_enter(scope, device, what) : status;
}

bool gpu_device_is_quiet(accel_impl_device *device)
{
    gpu_scope scope;
    bool quiet = true;

    if (atomic_load_explicit(&device->ready, memory_order_acquire) == 0 || gpu_device_has_failed(device))
        return true;
    if (gpu_scope_enter(&scope, device, "looking for work") != ACCEL_OK)
        return gpu_device_has_failed(device);
    pthread_mutex_lock(&device->listener_lock);
    for (plugin_link *link = device->listeners.first; link != NULL && quiet; link = link->next) {
        gpu_listener *listener = PLUGIN_OWNER(link, gpu_listener, link);
        quiet = listener->is_quiet(listener);
    }
    pthread_mutex_unlock(&device->listener_lock);
    gpu_scope_leave(&scope, device);
    return quiet;
}

/* ---------------------------------------------------------------------------------------- questions -- */

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
    gpu_context current = NULL;
    gpu_scope scope = {0};
    gpu_result result = driver->context_get_current(&current);

    if (result == 0)
        result = enter_from(&scope, device, current);
    if (result == 0)
        result = event != NULL ? driver->event_query(event) : driver->stream_query(stream);
    gpu_scope_leave(&scope, device);
    return result;
}

static bool run_query(gpu_job *job)
{
    query *q = PLUGIN_OWNER(job, query, job);

    q->result = ask(q->device, q->stream, q->event);
    pthread_mutex_lock(&q->lock);
    q->done = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return true;
}

static gpu_result ask_anywhere(accel_impl_device *device, gpu_stream stream, gpu_driver_event event)
{
    query q = {.job.run = run_query, .device = device, .stream = stream, .event = event};

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
    return ask_anywhere(device, stream, NULL);
}

gpu_result gpu_query_event(accel_impl_device *device, gpu_driver_event event)
{
    return ask_anywhere(device, NULL, event);
}

gpu_result gpu_stream_finish(const gpu_driver *driver, gpu_stream stream)
{
    gpu_result result = driver->stream_synchronize(stream);

    for (int again = 0; again < 2 && result != 0; ++again)
        result = driver->stream_synchronize(stream);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/tables.h"
#include "plugins/cpu/check/host/host.h"
#include "plugins/cpu/check/queues/late.h"
#include "plugins/cpu/check/queues/objects.h"
#include "plugins/cpu/check/queues/released.h"
#include "plugins/cpu/check/queues/track.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/queue.h"

#include <string.h>

/* The engine's, and what libaccel gets. Written by the first open; the engine has one of each. */
static struct {
    const accel_backend_vtable *backend;
    const accel_device_vtable *device;
    const accel_queue_vtable *queue;
    const accel_event_vtable *event;
    const accel_module_vtable *module;
} inner;
static accel_backend_vtable backend_table;
static accel_device_vtable device_table;
static accel_queue_vtable queue_table;
static accel_event_vtable event_table;
static accel_module_vtable module_table;

/* Without memory there is no mark, and nothing fails. */
static accel_status submit(accel_impl_queue *queue, check_mark *made)
{
    const accel_host_fn pass = check_host_is_watched() ? check_host_pass : check_mark_pass;
    const accel_status status = made != NULL ? inner.queue->call(queue, pass, made) : ACCEL_OK;
    if (status != ACCEL_OK)
        check_mark_drop(made);
    return status;
}

static accel_status mark(accel_impl_queue *queue, uint32_t what, check_record *record, const void *place)
{
    return submit(queue, check_mark_make(queue, what, record, place));
}

/* Behind an operation, also if it could not be submitted: the mark before it was. */
static accel_status close_operation(accel_impl_queue *queue, accel_status status)
{
    if (check_host_is_watched())
        (void)mark(queue, CHECK_MARK_DONE, NULL, NULL);
    return status;
}

/* An operation of a blocking queue is complete when its call returns. */
static accel_status end(accel_impl_queue *queue, accel_status status)
{
    if (queue->blocking)
        check_host_learns_queue(queue);
    return status;
}

/* Its release may be asked for. */
static void end_object(const void *object, int kind)
{
    static const uint32_t kinds[] = {[CHECK_OBJECT_QUEUE] = ACCEL_OBJECT_QUEUE,
                                     [CHECK_OBJECT_EVENT] = ACCEL_OBJECT_EVENT,
                                     [CHECK_OBJECT_MODULE] = ACCEL_OBJECT_MODULE,
                                     [CHECK_OBJECT_INSTANCE] = CHECK_RELEASED_INSTANCE,
                                     [CHECK_OBJECT_BUFFER] = ACCEL_OBJECT_BUFFER};
    check_released_end(kinds[kind], check_object_remove(object, kind));
}

/* ------------------------------------------------------------------------------------------ queues -- */

static accel_status queue_create(accel_impl_device *device, uint32_t flags, int32_t priority, accel_impl_queue **made)
{
    accel_status status = inner.device->queue_create(device, flags, priority, made);
    if (status != ACCEL_OK)
        return status;
    check_track_open(*made);
    check_object_add(*made, CHECK_OBJECT_QUEUE);
    return ACCEL_OK;
}

/* What is pending still needs the track. */
static void queue_destroy(accel_impl_queue *queue)
{
    bool idle = true;
    end_object(queue, CHECK_OBJECT_QUEUE);
    if (!queue->blocking && inner.queue->after_fork(queue) == ACCEL_OK)
        (void)inner.queue->is_idle(queue, &idle);
    if (idle)
        check_track_close(queue);
    else
        (void)mark(queue, CHECK_MARK_END, NULL, NULL);
    inner.queue->destroy(queue);
}

static accel_status queue_allocate(accel_impl_queue *queue, const accel_memory_request *request,
                                   accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    accel_status status = inner.queue->allocate_async(queue, request, memory, ptr, host_ptr);
    if (status == ACCEL_OK)
        check_object_add((*memory)->data, CHECK_OBJECT_BUFFER);
    return status;
}

static void end_buffer(accel_impl_memory *memory)
{
    end_object(memory->data, CHECK_OBJECT_BUFFER);
    check_object_return(memory->data);
}

static void queue_free(accel_impl_queue *queue, accel_impl_memory *memory)
{
    end_buffer(memory);
    inner.queue->free_async(queue, memory);
}

static accel_status launch(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    check_mark *made = check_mark_make(queue, CHECK_MARK_OPERATION, NULL, NULL);
    check_host_launch(made, queue, kernel, args);
    accel_status status = submit(queue, made);
    return status == ACCEL_OK ? end(queue, close_operation(queue, inner.queue->launch(queue, kernel, work, args)))
                              : status;
}

/* A copy or fill of a blocking queue does not tell its own failure: the engine's cannot fail. */
static accel_status end_transfer(accel_impl_queue *queue, accel_status status)
{
    end(queue, status);
    return status == ACCEL_OK && queue->blocking ? plugin_failure_repeat(&queue->failure, cpu_host()) : status;
}

/* Does the program itself copy to memory of the host? */
static bool is_result(const accel_copy_params *params, const char *entry)
{
    return params->dst_device == NULL && (strcmp(entry, "accel_read") == 0 || strcmp(entry, "accel_copy") == 0);
}

static size_t bytes_of(const accel_copy_params *params)
{
    size_t bytes = 1;
    for (uint32_t d = 0; d < params->dims; ++d)
        bytes *= params->extent[d];
    return bytes;
}

static accel_status copy(accel_impl_queue *queue, const accel_copy_params *params)
{
    const char *entry = "";
    const void *place = check_line_here(&entry);
    check_mark *made = is_result(params, entry) ? check_mark_make_result(queue, place, bytes_of(params))
                                                : check_mark_make(queue, CHECK_MARK_OPERATION, NULL, place);
    check_host_copy(made, queue, params, entry, place);
    accel_status status = submit(queue, made);
    return status == ACCEL_OK ? end_transfer(queue, close_operation(queue, inner.queue->copy(queue, params))) : status;
}

static accel_status fill(accel_impl_queue *queue, const accel_fill_params *params)
{
    const void *place = check_line_here(NULL);
    check_mark *made = check_mark_make(queue, CHECK_MARK_OPERATION, NULL, place);
    check_host_fill(made, queue, params, place);
    accel_status status = submit(queue, made);
    return status == ACCEL_OK ? end_transfer(queue, close_operation(queue, inner.queue->fill(queue, params))) : status;
}

/* What comes before is complete when the function begins, and the function may tell anybody. */
static accel_status call(accel_impl_queue *queue, accel_host_fn function, void *user)
{
    accel_status status = mark(queue, CHECK_MARK_HOST, NULL, NULL);
    if (status != ACCEL_OK)
        return end(queue, status);
    status = inner.queue->call(queue, function, user);
    (void)mark(queue, CHECK_MARK_RETURN, NULL, NULL); /* the function runs, or not, whatever becomes of the mark */
    return end(queue, status);
}

static accel_status record(accel_impl_queue *queue, accel_impl_event *event)
{
    check_record *made = check_record_make();
    accel_status status = made != NULL ? mark(queue, CHECK_MARK_RECORD, made, NULL) : ACCEL_OK;
    if (status == ACCEL_OK)
        status = inner.queue->record(queue, event);
    if (status == ACCEL_OK)
        check_record_exchange(&event->observed, made);
    else
        check_record_release(made);
    return end(queue, status);
}

static accel_status wait_event(accel_impl_queue *queue, accel_impl_event *event)
{
    check_record *waited = check_record_retain(&event->observed);
    if (queue->blocking)
        check_late_open();
    accel_status status = inner.queue->wait_event(queue, event);
    if (status == ACCEL_OK && waited != NULL)
        status = mark(queue, CHECK_MARK_WAIT, waited, NULL);
    check_record_release(waited);
    return end(queue, status);
}

static accel_status wait_timeline(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value)
{
    if (queue->blocking)
        check_late_open();
    accel_status status = inner.queue->wait_timeline(queue, timeline, value);
    if (status == ACCEL_OK)
        status = mark(queue, CHECK_MARK_UNKNOWN, NULL, NULL);
    return end(queue, status);
}

/* Whatever it reports: all that was submitted is over. */
static accel_status queue_wait(accel_impl_queue *queue)
{
    check_late_open();
    accel_status status = inner.queue->wait(queue);
    check_host_waits();
    check_host_learns_queue(queue);
    return status;
}

static accel_status is_idle(accel_impl_queue *queue, bool *yes)
{
    check_late_open();
    accel_status status = inner.queue->is_idle(queue, yes);
    check_host_waits();
    if (status == ACCEL_OK && *yes)
        check_host_learns_queue(queue);
    return status;
}

/* ------------------------------------------------------------------------------------------ events -- */

static accel_status event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **made)
{
    accel_status status = inner.device->event_create(device, flags, made);
    if (status == ACCEL_OK)
        check_object_add(*made, CHECK_OBJECT_EVENT);
    return status;
}

static void event_destroy(accel_impl_event *event)
{
    end_object(event, CHECK_OBJECT_EVENT);
    check_record_exchange(&event->observed, NULL);
    inner.event->destroy(event);
}

static void learn(check_record *record, bool reached)
{
    if (record == NULL)
        return;
    if (reached)
        check_host_learns_record(record);
    check_record_release(record);
}

static accel_status is_complete(accel_impl_event *event, bool *yes)
{
    check_record *asked = check_record_retain(&event->observed);
    check_late_open();
    accel_status status = inner.event->is_complete(event, yes);
    check_host_waits();
    learn(asked, status == ACCEL_OK && *yes);
    return status;
}

static accel_status event_wait(accel_impl_event *event)
{
    check_record *waited = check_record_retain(&event->observed);
    check_late_open();
    accel_status status = inner.event->wait(event);
    check_host_waits();
    learn(waited, status != ACCEL_FORKED);
    return status;
}

static accel_status elapsed(accel_impl_event *start, accel_impl_event *stop, uint64_t *nanoseconds)
{
    check_record *first = check_record_retain(&start->observed), *last = check_record_retain(&stop->observed);
    accel_status status = inner.event->elapsed(start, stop, nanoseconds);
    learn(first, status == ACCEL_OK);
    learn(last, status == ACCEL_OK);
    return status;
}

static accel_status timeline(accel_impl_event *event, accel_timeline **out, uint64_t *value)
{
    check_record *told = check_record_retain(&event->observed);
    accel_status status = inner.event->timeline(event, out, value);
    if (told != NULL)
        check_record_export(told);
    check_record_release(told);
    return status;
}

/* ------------------------------------------------------------------------------- memory and modules -- */

static accel_status device_allocate(accel_impl_device *device, const accel_memory_request *request,
                                    accel_impl_memory **memory, void **ptr, void **host_ptr)
{
    accel_status status = inner.device->allocate(device, request, memory, ptr, host_ptr);
    if (status == ACCEL_OK)
        check_object_add((*memory)->data, CHECK_OBJECT_BUFFER);
    return status;
}

static void device_free(accel_impl_device *device, accel_impl_memory *memory)
{
    end_buffer(memory);
    inner.device->free(device, memory);
}

static accel_status module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **made)
{
    accel_status status = inner.device->module_load(device, image, made);
    if (status == ACCEL_OK)
        check_object_add(*made, CHECK_OBJECT_MODULE);
    return status;
}

static void module_unload(accel_impl_module *module)
{
    end_object(module, CHECK_OBJECT_MODULE);
    inner.module->unload(module);
}

/* ------------------------------------------------------------------------------------ libaccel's own -- */

static int kind_of_own(uint32_t kind)
{
    return kind == ACCEL_OBJECT_EVENT ? CHECK_OBJECT_EVENT : CHECK_OBJECT_INSTANCE;
}

static void own_made(uint32_t kind, const void *object)
{
    check_object_add(object, kind_of_own(kind));
}

static void own_ended(uint32_t kind, const void *object)
{
    end_object(object, kind_of_own(kind));
}

/* ---------------------------------------------------------------------------------------- backends -- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*tell_last_closed)(void);
static size_t opened; /* backends; guarded by the lock, as `inner` is while it is filled */

/* Nobody can wait for anything any more. */
static void backend_close(accel_impl_backend *backend)
{
    pthread_mutex_lock(&lock);
    const bool last = --opened == 0;
    pthread_mutex_unlock(&lock);
    inner.backend->close(backend);
    if (last)
        tell_last_closed();
}

static void fill_tables(const accel_open_result *result, check_misused *misused, check_named *named,
                        check_viewed *viewed)
{
    inner.backend = result->backend_vtable;
    backend_table = *inner.backend;
    backend_table.close = backend_close;
    backend_table.object_released = check_released_number;
    backend_table.object_misused = misused;
    backend_table.memory_named = named;
    backend_table.object_made = own_made;
    backend_table.object_ended = own_ended;
    backend_table.memory_viewed = viewed;
    inner.device = result->device_vtable;
    inner.queue = result->queue_vtable;
    inner.event = result->event_vtable;
    inner.module = result->module_vtable;

    device_table = *inner.device;
    device_table.queue_create = queue_create;
    device_table.event_create = event_create;
    device_table.module_load = module_load;
    device_table.allocate = device_allocate;
    device_table.free = device_free;

    queue_table = *inner.queue;
    queue_table.destroy = queue_destroy;
    queue_table.launch = launch;
    queue_table.launch_watched = NULL; /* `launch` knows what the kernel uses */
    queue_table.copy = copy;
    queue_table.fill = fill;
    queue_table.call = call;
    queue_table.record = record;
    queue_table.wait_event = wait_event;
    queue_table.wait_timeline = wait_timeline;
    queue_table.wait = queue_wait;
    queue_table.is_idle = is_idle;
    queue_table.allocate_async = queue_allocate;
    queue_table.free_async = queue_free;

    event_table = *inner.event;
    event_table.destroy = event_destroy;
    event_table.is_complete = is_complete;
    event_table.wait = event_wait;
    event_table.elapsed = elapsed;
    event_table.timeline = timeline;

    module_table = *inner.module;
    module_table.unload = module_unload;
}

void check_tables_exchange(accel_open_result *result, void (*last_closed)(void), check_misused *misused,
                           check_named *named, check_viewed *viewed)
{
    pthread_mutex_lock(&lock);
    if (inner.device == NULL)
        fill_tables(result, misused, named, viewed);
    opened++;
    tell_last_closed = last_closed;
    pthread_mutex_unlock(&lock);
    result->backend_vtable = &backend_table;
    result->device_vtable = &device_table;
    result->queue_vtable = &queue_table;
    result->event_vtable = &event_table;
    result->module_vtable = &module_table;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of queues. */
#include "core/tools/watch.h"

#include "core/base/allocate.h"
#include "core/tools/launches.h"

#include <stdatomic.h>

_Thread_local watch_source accel_watch_timeline_source;

/* ------------------------------------------------------------------------------------ operations -- */

/* Tells that the operation is submitted. */
static void announce(watch_queue *queue, watch_span *span)
{
    const accel_tools *tools = &queue->watch->tools;
    accel_tool_operation *operation = &span->operation;

    operation->struct_size = (uint32_t)sizeof(*operation);
    operation->id = accel_tools_number();
    operation->queue = queue->id;
    operation->device = queue->device->id;
    operation->thread = accel_tools_thread();
    operation->submitted = accel_tools_clock();
    accel_tools_submitted(tools->submitted, operation);
}

/* And begins its times. */
static void begin(watch_queue *queue, watch_span *span)
{
    announce(queue, span);
    accel_timing_start(&queue->timeline, span);
}

static accel_status end(watch_queue *queue, watch_span *span, accel_status status)
{
    accel_timing_stop(&queue->timeline, span, status);
    return status;
}

static uint64_t product(uint32_t dims, const size_t values[])
{
    uint64_t all = 1;

    for (uint32_t d = 0; d < dims; ++d)
        all *= values[d];
    return all;
}

static accel_status launch(accel_impl_queue *impl, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    watch_queue *queue = watch_queue_of(impl);
    const watch_kernel *own = watch_kernel_of(kernel);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_LAUNCH, .object = own->id, .name = own->name}};

    span.operation.blocks = product(work->dims, work->blocks);
    span.operation.threads = product(work->dims, work->threads);
    announce(queue, &span);
    if (accel_launches_are_watched(&queue->timeline))
        return accel_launches_submit(&queue->timeline, &span, own->inner, work, args);
    accel_timing_start(&queue->timeline, &span);
    return end(queue, &span, queue->watch->queue.launch(queue->inner, own->inner, work, args));
}

/* Nobody asks for operations. */
static accel_status launch_untold(accel_impl_queue *impl, accel_impl_kernel *kernel, const accel_work *work,
                                  const void *args)
{
    watch_queue *queue = watch_queue_of(impl);

    return queue->watch->queue.launch(queue->inner, watch_kernel_of(kernel)->inner, work, args);
}

/* ACCEL_LAUNCH_BLOCKING: the failure of a launch is the launch's own. */
static accel_status launch_blocking(accel_impl_queue *impl, accel_impl_kernel *kernel, const accel_work *work,
                                    const void *args)
{
    watch_queue *queue = watch_queue_of(impl);
    accel_status status = launch(impl, kernel, work, args);

    if (status == ACCEL_OK) {
        status = queue->watch->queue.wait(queue->inner);
        accel_timing_poll(&queue->timeline);
    }
    return status;
}

static accel_status copy(accel_impl_queue *impl, const accel_copy_params *given)
{
    watch_queue *queue = watch_queue_of(impl);
    accel_copy_params params = *given;
    watch_span span = {.operation = {.kind = ACCEL_TOOL_COPY, .name = "copy"}};
    bool to = given->dst_device != NULL, from = given->src_device != NULL;

    if (to)
        params.dst_device = watch_device_of(given->dst_device)->inner;
    if (from)
        params.src_device = watch_device_of(given->src_device)->inner;
    span.operation.bytes = product(given->dims, given->extent);
    span.operation.direction = to ? (from ? ACCEL_TOOL_DEVICE_TO_DEVICE : ACCEL_TOOL_HOST_TO_DEVICE)
                                  : (from ? ACCEL_TOOL_DEVICE_TO_HOST : ACCEL_TOOL_HOST_TO_HOST);
    begin(queue, &span);
    return end(queue, &span, queue->watch->queue.copy(queue->inner, &params));
}

static accel_status fill(accel_impl_queue *impl, const accel_fill_params *params)
{
    watch_queue *queue = watch_queue_of(impl);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_FILL, .name = "fill"}};

    span.operation.bytes = product(params->dims, params->extent);
    begin(queue, &span);
    return end(queue, &span, queue->watch->queue.fill(queue->inner, params));
}

static accel_status call(accel_impl_queue *impl, accel_host_fn function, void *user)
{
    watch_queue *queue = watch_queue_of(impl);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_CALL, .name = "host function"}};

    begin(queue, &span);
    return end(queue, &span, queue->watch->queue.call(queue->inner, function, user));
}

static accel_status record(accel_impl_queue *impl, accel_impl_event *given)
{
    watch_queue *queue = watch_queue_of(impl);
    watch_event *event = watch_event_of(given);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_RECORD, .object = event->id, .name = "record"}};

    begin(queue, &span);

    accel_status status = queue->watch->queue.record(queue->inner, event->inner);

    if (status == ACCEL_OK)
        atomic_store_explicit(&event->recorded, span.operation.id, memory_order_relaxed);
    return end(queue, &span, status);
}

static accel_status wait_event(accel_impl_queue *impl, accel_impl_event *given)
{
    watch_queue *queue = watch_queue_of(impl);
    const watch_event *event = watch_event_of(given);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_WAIT, .object = event->id, .name = "wait"}};

    span.operation.awaited = atomic_load_explicit(&event->recorded, memory_order_relaxed);
    begin(queue, &span);
    return end(queue, &span, queue->watch->queue.wait_event(queue->inner, event->inner));
}

/* Of an event of another backend, of a host event, or of a copy between backends. */
static accel_status wait_timeline(accel_impl_queue *impl, accel_timeline *timeline, uint64_t value)
{
    watch_queue *queue = watch_queue_of(impl);
    watch_span span = {.operation = {.kind = ACCEL_TOOL_WAIT, .name = "wait"}};
    const watch_source *source = &accel_watch_timeline_source;

    if (source->timeline == timeline && source->value == value) {
        span.operation.object = source->event;
        span.operation.awaited = source->recorded;
    }
    begin(queue, &span);
    return end(queue, &span, queue->watch->queue.wait_timeline(queue->inner, timeline, value));
}

/* -------------------------------------------------------------------------------- all other slots -- */

void accel_watch_host_wait(const watch_device *device, uint64_t queue, const watch_event *event, uint64_t begun,
                           accel_status status)
{
    accel_tool_operation operation = {.struct_size = sizeof(operation),
                                      .kind = ACCEL_TOOL_HOST_WAIT,
                                      .queue = queue,
                                      .device = device->id,
                                      .name = "wait",
                                      .submitted = begun,
                                      .started = begun,
                                      .status = status};

    if (device->watch->tools.completed == 0)
        return;
    operation.id = accel_tools_number();
    operation.thread = accel_tools_thread();
    operation.ended = accel_tools_clock();
    if (event != NULL) {
        operation.object = event->id;
        operation.awaited = atomic_load_explicit(&event->recorded, memory_order_relaxed);
    }
    accel_tools_completed(device->watch->tools.completed, &operation);
}

static accel_status wait(accel_impl_queue *impl)
{
    watch_queue *queue = watch_queue_of(impl);
    uint64_t begun = accel_tools_clock();
    accel_status status = queue->watch->queue.wait(queue->inner);

    accel_timing_poll(&queue->timeline);
    accel_watch_host_wait(queue->device, queue->id, NULL, begun, status);
    return status;
}

static accel_status is_idle(accel_impl_queue *impl, bool *idle)
{
    return watch_queue_of(impl)->watch->queue.is_idle(watch_queue_of(impl)->inner, idle);
}

static accel_status allocate_async(accel_impl_queue *impl, const accel_memory_request *request, accel_impl_memory **out,
                                   void **ptr, void **host_ptr)
{
    watch_queue *queue = watch_queue_of(impl);
    watch_memory *made = accel_allocate(sizeof(*made));
    accel_impl_memory *inner = NULL;

    if (made == NULL)
        return ACCEL_OUT_OF_MEMORY;

    accel_status status = queue->watch->queue.allocate_async(queue->inner, request, &inner, ptr, host_ptr);

    if (status != ACCEL_OK) {
        accel_deallocate(made);
        return status;
    }
    accel_watch_memory_begin(queue->device, request, inner, made);
    *out = watch_memory_impl(made);
    return ACCEL_OK;
}

static void free_async(accel_impl_queue *impl, accel_impl_memory *memory)
{
    watch_queue *queue = watch_queue_of(impl);

    queue->watch->queue.free_async(queue->inner, accel_watch_memory_end(queue->device, memory));
}

static accel_status after_fork(accel_impl_queue *impl)
{
    return watch_queue_of(impl)->watch->queue.after_fork(watch_queue_of(impl)->inner);
}

static accel_status native(accel_impl_queue *impl, void **handle)
{
    return watch_queue_of(impl)->watch->queue.native(watch_queue_of(impl)->inner, handle);
}

static accel_status begin_steps(accel_impl_queue *impl)
{
    return watch_queue_of(impl)->watch->queue.begin_steps(watch_queue_of(impl)->inner);
}

static void end_steps(accel_impl_queue *impl)
{
    watch_queue_of(impl)->watch->queue.end_steps(watch_queue_of(impl)->inner);
}

static void destroy(accel_impl_queue *impl)
{
    watch_queue *queue = watch_queue_of(impl);
    accel_tool_object object = {.kind = ACCEL_OBJECT_QUEUE, .id = queue->id, .device = queue->device->id};

    accel_launches_end(&queue->timeline);
    accel_timing_end(&queue->timeline);
    accel_tools_released(queue->watch->tools.mask, &object);
    queue->watch->queue.destroy(queue->inner);
    accel_deallocate(queue);
}

static uint32_t timing_of(const watch_device *device, uint32_t flags, bool wrapped)
{
    if (device->watch->tools.completed == 0 || !accel_tools_live())
        return WATCH_NO_TIMES;
    if ((flags & ACCEL_QUEUE_BLOCKING) != 0)
        return WATCH_BY_CLOCK;
    if (device->kind == ACCEL_DEVICE_CPU)
        return WATCH_BY_CALLS;
    return wrapped ? WATCH_NO_TIMES : WATCH_BY_EVENTS; /* a stream of the program's may be capturing */
}

accel_status accel_watch_queue_make(watch_device *device, uint32_t flags, bool wrapped, accel_impl_queue **impl)
{
    watch_queue *queue = accel_allocate(sizeof(*queue));
    accel_tool_object object = {.kind = ACCEL_OBJECT_QUEUE, .device = device->id, .flags = flags};

    if (queue == NULL) {
        device->watch->queue.destroy(*impl);
        return ACCEL_OUT_OF_MEMORY;
    }
    queue->watch = device->watch;
    queue->inner = *impl;
    queue->device = device;
    queue->id = object.id = accel_tools_number();
    queue->timeline.mask = device->watch->tools.completed;
    queue->timeline.inner = (watch_clockwork){.device_vtable = &device->watch->device,
                                              .queue_vtable = &device->watch->queue,
                                              .event_vtable = &device->watch->event,
                                              .device = device->inner,
                                              .queue = queue->inner,
                                              .origin = &device->origin};
    accel_timing_begin(&queue->timeline, timing_of(device, flags, wrapped));
    accel_tools_created(device->watch->tools.mask, &object);
    *impl = watch_queue_impl(queue);
    return ACCEL_OK;
}

void accel_watch_fill_queue(accel_queue_vtable *vtable, const accel_watch *watch)
{
    bool told = (watch->tools.submitted | watch->tools.completed) != 0;

    vtable->destroy = destroy;
    vtable->launch = watch->tools.blocking ? launch_blocking : told ? launch : launch_untold;
    vtable->copy = copy;
    vtable->fill = fill;
    vtable->call = call;
    vtable->record = record;
    vtable->wait_event = wait_event;
    vtable->wait_timeline = wait_timeline;
    vtable->wait = wait;
    vtable->is_idle = is_idle;
    vtable->allocate_async = watch->queue.allocate_async != NULL ? allocate_async : NULL;
    vtable->free_async = watch->queue.free_async != NULL ? free_async : NULL;
    vtable->after_fork = watch->queue.after_fork != NULL ? after_fork : NULL;
    vtable->native = native;
    vtable->begin_steps = begin_steps;
    vtable->end_steps = end_steps;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/event.h"

#include "core/base/allocate.h"
#include "core/api/instance.h"
#include "core/api/queue.h"
#include "core/api/released.h"
#include "core/base/error.h"
#include "core/base/struct_size.h"
#include "core/base/timeline.h"

static accel_status check(const char *function, const char *parameter, accel_event *event)
{
    if (event == NULL)
        return accel_error_null(function, parameter);
    return accel_device_usable(function, "event", event->device, event->fork_generation);
}

ACCEL_API accel_status accel_event_create(accel_device *device, const accel_event_desc *given, accel_event **out)
{
    static const char function[] = "accel_event_create";
    accel_event_desc desc;
    accel_event *event;
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (out == NULL)
        return accel_error_null(function, "event");
    status = accel_struct_import(function, "accel_event_desc", &desc, sizeof(desc), given);
    if (status != ACCEL_OK)
        return status;
    if ((desc.flags & ~(uint32_t)ACCEL_EVENT_TIMING) != 0)
        return accel_error_set(ACCEL_INVALID, "%s: flags 0x%x; known is ACCEL_EVENT_TIMING", function, desc.flags);
    status = accel_device_usable(function, "device", device, device->fork_generation);
    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();

    event = accel_allocate(sizeof(*event));
    if (event == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    if (device->backend == NULL) {
        status = accel_host_event_init(function, &event->host, desc.flags);
    } else {
        status = device->backend->device_vtable.event_create(device->impl, desc.flags, &event->impl);
        status = accel_slot_made("event_create", status, event->impl);
        if (status != ACCEL_OK)
            accel_device_failed(function, device, status);
    }
    if (status != ACCEL_OK) {
        accel_deallocate(event);
        return status;
    }
    accel_reference_init(&event->reference);
    event->device = accel_device_retain(device);
    event->backend = device->backend;
    event->fork_generation = accel_guard_fork_generation;
    if (event->backend == NULL)
        accel_released_made(device->instance->checker, ACCEL_OBJECT_EVENT, event);
    *out = event;
    return ACCEL_OK;
}

ACCEL_API accel_event *accel_event_retain(accel_event *event)
{
    if (event != NULL)
        accel_reference_retain(&event->reference);
    return event;
}

static void discard(accel_event *event)
{
    const accel_backend *backend = event->backend, *checker = event->device->instance->checker;
    accel_released released = {.object = event, .discard = accel_deallocate, .reference = &event->reference};

    if (!(backend != NULL ? accel_released_begin(backend, ACCEL_OBJECT_EVENT, &released)
                          : accel_released_begin_own(checker, ACCEL_OBJECT_EVENT, event, &released))) {
        accel_deallocate(event);
        return;
    }
    event->fork_generation = released.generation;
    event->device = &accel_device_of_released;
    accel_released_keep(&released);
}

static void destroy(void *object)
{
    accel_event *event = object;
    accel_device *device = event->device;

    event->backend->event_vtable.destroy(event->impl);
    discard(event);
    accel_device_release(device);
}

/* At once, also inside a host function: what waits for the event may be what the program waits for next. */
static void destroy_host_event(accel_event *event)
{
    accel_device *device = event->device;

    accel_host_event_end(&event->host);
    discard(event);
    accel_device_release(device);
}

ACCEL_API void accel_event_release(accel_event *event)
{
    if (event == NULL || !accel_reference_release(&event->reference))
        return;
    if (event->backend == NULL)
        destroy_host_event(event);
    else
        accel_guard_destroy(&event->deferred, destroy, event);
}

ACCEL_API accel_status accel_event_record(accel_event *event, accel_queue *queue)
{
    static const char function[] = "accel_event_record";
    accel_status status = accel_guard_check(function);

    if (status == ACCEL_OK)
        status = check(function, "event", event);
    if (status == ACCEL_OK)
        status = accel_queue_check(function, queue);
    if (status != ACCEL_OK)
        return status;
    if (event->backend == NULL)
        return accel_error_set(ACCEL_INVALID,
                               "%s: the event is of the \"host\", which has no queues: the program arms and signals it "
                               "(accel_event_arm); create the event on \"%s\" to record it",
                               function, queue->device->properties.name);
    if (event->backend != queue->backend)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: the event is of \"%s\", the queue of \"%s\" of another %s; create the event on the queue's device (any "
            "queue may wait for it)",
            function, event->device->properties.name, queue->device->properties.name,
            event->device->instance != queue->device->instance ? "instance" : "backend");
    return accel_device_result(function, queue->device, queue->backend->queue_vtable.record(queue->impl, event->impl));
}

/* An event of the host, of another backend or instance: through a timeline, which any plugin can wait for (E5). */
static accel_status wait_foreign(accel_queue *queue, accel_event *event)
{
    accel_timeline *timeline = NULL;
    uint64_t value = 0;
    accel_status status;

    if (event->backend == NULL) {
        status = accel_host_event_timeline("accel_queue_wait_event", &event->host, &timeline, &value);
        if (status != ACCEL_OK)
            return status;
    } else {
        status = event->backend->event_vtable.timeline(event->impl, &timeline, &value);
        if (status != ACCEL_OK)
            return accel_device_failed("accel_queue_wait_event", event->device, status);
    }
    if (timeline == NULL) /* never recorded or armed: complete (E1) */
        return ACCEL_OK;
    status = queue->backend->queue_vtable.wait_timeline(queue->impl, timeline, value);
    accel_timeline_release(timeline);
    return accel_device_result("accel_queue_wait_event", queue->device, status);
}

ACCEL_API accel_status accel_queue_wait_event(accel_queue *queue, accel_event *event)
{
    accel_status status = accel_queue_check("accel_queue_wait_event", queue);

    if (status != ACCEL_OK)
        return status;
    if (event == NULL)
        return accel_error_null("accel_queue_wait_event", "event");
    status = accel_device_usable("accel_queue_wait_event", "event", event->device, event->fork_generation);
    if (status != ACCEL_OK)
        return status;
    if (event->backend != queue->backend)
        return wait_foreign(queue, event);
    return accel_device_result("accel_queue_wait_event", queue->device,
                               queue->backend->queue_vtable.wait_event(queue->impl, event->impl));
}

ACCEL_API accel_status accel_event_is_complete(accel_event *event, bool *out)
{
    static const char function[] = "accel_event_is_complete";
    accel_status status = check(function, "event", event);
    bool complete = false;

    if (status != ACCEL_OK)
        return status;
    if (out == NULL)
        return accel_error_null(function, "yes");
    if (event->backend == NULL)
        status = accel_host_event_is_complete(function, &event->host, &complete);
    else
        status = accel_device_result(function, event->device,
                                     event->backend->event_vtable.is_complete(event->impl, &complete));
    if (status == ACCEL_OK)
        *out = complete;
    return status;
}

ACCEL_API accel_status accel_event_wait(accel_event *event)
{
    static const char function[] = "accel_event_wait";
    accel_status status = accel_guard_check(function);

    if (status == ACCEL_OK)
        status = check(function, "event", event);
    if (status != ACCEL_OK)
        return status;
    if (event->backend == NULL)
        return accel_host_event_wait(function, &event->host);
    return accel_device_result(function, event->device, event->backend->event_vtable.wait(event->impl));
}

ACCEL_API accel_status accel_event_elapsed(accel_event *start, accel_event *end, uint64_t *out)
{
    static const char function[] = "accel_event_elapsed";
    uint64_t nanoseconds = 0;
    accel_status status = accel_guard_check(function);

    if (status == ACCEL_OK)
        status = check(function, "start", start);
    if (status == ACCEL_OK)
        status = check(function, "end", end);
    if (status != ACCEL_OK)
        return status;
    if (out == NULL)
        return accel_error_null(function, "nanoseconds");
    if (start->backend != end->backend)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: start is of \"%s\" and end of \"%s\", whose clocks differ; time with two events of one backend and "
            "instance",
            function, start->device->properties.name, end->device->properties.name);
    if (start->backend == NULL) {
        status = accel_host_event_elapsed(function, &start->host, &end->host, &nanoseconds);
        if (status == ACCEL_OK)
            *out = nanoseconds;
        return status;
    }
    status = start->backend->event_vtable.elapsed(start->impl, end->impl, &nanoseconds);
    if (status == ACCEL_OK)
        *out = nanoseconds;
    return accel_device_result(function, start->device, status);
}

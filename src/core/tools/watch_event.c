/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of events. */
#include "core/tools/watch.h"

#include "core/base/allocate.h"

#include <stdatomic.h>

static void destroy(accel_impl_event *impl)
{
    watch_event *event = watch_event_of(impl);
    accel_tool_object object = {.kind = ACCEL_OBJECT_EVENT, .id = event->id, .device = event->device->id};

    accel_tools_released(event->watch->tools.mask, &object);
    event->watch->event.destroy(event->inner);
    accel_deallocate(event);
}

static accel_status is_complete(accel_impl_event *impl, bool *complete)
{
    return watch_event_of(impl)->watch->event.is_complete(watch_event_of(impl)->inner, complete);
}

static accel_status wait(accel_impl_event *impl)
{
    watch_event *event = watch_event_of(impl);
    uint64_t begun = accel_tools_clock();
    accel_status status = event->watch->event.wait(event->inner);

    accel_watch_host_wait(event->device, 0, event, begun, status);
    return status;
}

static accel_status elapsed(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds)
{
    return watch_event_of(start)->watch->event.elapsed(watch_event_of(start)->inner, watch_event_of(end)->inner,
                                                       nanoseconds);
}

/* Another backend's queue is about to wait for it: who did, learns what was recorded. */
static accel_status timeline(accel_impl_event *impl, accel_timeline **out, uint64_t *value)
{
    watch_event *event = watch_event_of(impl);
    accel_status status = event->watch->event.timeline(event->inner, out, value);

    if (status == ACCEL_OK && *out != NULL)
        accel_watch_timeline_source =
            (watch_source){*out, *value, event->id, atomic_load_explicit(&event->recorded, memory_order_relaxed)};
    return status;
}

static accel_status native(accel_impl_event *impl, void **handle)
{
    return watch_event_of(impl)->watch->event.native(watch_event_of(impl)->inner, handle);
}

void accel_watch_fill_event(accel_event_vtable *vtable)
{
    vtable->destroy = destroy;
    vtable->is_complete = is_complete;
    vtable->wait = wait;
    vtable->elapsed = elapsed;
    vtable->timeline = timeline;
    vtable->native = native;
}

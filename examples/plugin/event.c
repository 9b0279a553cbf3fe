/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a record is a value of its queue's timeline. */
#include "skeleton.h"

#include <stdlib.h>

void skeleton_record_release(record *old)
{
    if (old != NULL && atomic_fetch_sub(&old->references, 1) == 1) {
        skeleton_host->timeline_release(old->timeline);
        free(old);
    }
}

/* The latest record, with a reference; NULL if there is none. */
record *skeleton_latest(accel_impl_event *event)
{
    pthread_mutex_lock(&event->lock);
    record *found = event->latest;
    if (found != NULL)
        atomic_fetch_add(&found->references, 1);
    pthread_mutex_unlock(&event->lock);
    return found;
}

accel_status skeleton_event_create(accel_impl_device *device, uint32_t flags, accel_impl_event **event)
{
    (void)device;
    accel_impl_event *made = calloc(1, sizeof *made);
    if (made == NULL)
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no memory for an event");
    made->timed = (flags & ACCEL_EVENT_TIMING) != 0;
    pthread_mutex_init(&made->lock, NULL);
    *event = made;
    return ACCEL_OK;
}

static void event_destroy(accel_impl_event *event)
{
    skeleton_record_release(event->latest);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

static accel_status event_is_complete(accel_impl_event *event, bool *yes)
{
    record *found = skeleton_latest(event);
    *yes = found == NULL || skeleton_host->timeline_reached(found->timeline, found->value, NULL);
    skeleton_record_release(found);
    return ACCEL_OK;
}

static accel_status event_wait(accel_impl_event *event)
{
    record *found = skeleton_latest(event);
    const accel_status status = found == NULL ? ACCEL_OK : skeleton_host->timeline_wait(found->timeline, found->value);
    skeleton_record_release(found);
    return status == ACCEL_OK ? ACCEL_OK
                              : skeleton_host->error(status, "skeleton: an operation before the record failed");
}

static accel_status event_elapsed(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds)
{
    record *first = skeleton_latest(start), *last = skeleton_latest(end);
    accel_status status = ACCEL_OK;
    if (first == NULL || last == NULL || !first->timed || !last->timed)
        status = skeleton_host->error(
            ACCEL_INVALID, "skeleton: an event is not timed or was never recorded; make it with ACCEL_EVENT_TIMING");
    else if (!skeleton_host->timeline_reached(first->timeline, first->value, NULL) ||
             !skeleton_host->timeline_reached(last->timeline, last->value, NULL))
        status = skeleton_host->error(ACCEL_NOT_READY, "skeleton: an event is not complete; wait for it");
    else if (last->nanoseconds < first->nanoseconds)
        status = skeleton_host->error(ACCEL_INVALID, "skeleton: the end came before the start");
    else
        *nanoseconds = last->nanoseconds - first->nanoseconds;
    skeleton_record_release(first);
    skeleton_record_release(last);
    return status;
}

static accel_status event_timeline(accel_impl_event *event, accel_timeline **timeline, uint64_t *value)
{
    record *found = skeleton_latest(event);
    *timeline = found == NULL ? NULL : found->timeline;
    *value = found == NULL ? 0 : found->value;
    if (found != NULL)
        skeleton_host->timeline_retain(found->timeline);
    skeleton_record_release(found);
    return ACCEL_OK;
}

const accel_event_vtable skeleton_event_vtable = {
    .struct_size = sizeof(accel_event_vtable),
    .destroy = event_destroy,
    .is_complete = event_is_complete,
    .wait = event_wait,
    .elapsed = event_elapsed,
    .timeline = event_timeline,
};

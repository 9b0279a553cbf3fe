/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No call here waits. Drivers tell how long it was from one event to another, in milliseconds of 24 bits: times are added up
 * from event to event, so that the long run of a program costs no digits. The first time of a queue is told from the
 * device's origin, an event that counts as reached when it is recorded.
 */
#include "core/tools/timing.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/spin.h"

#include <stdatomic.h>
#include <string.h>

/* Failures of ours are nobody's: the thread's text stays. */
typedef struct quiet {
    char text[ACCEL_ERROR_SIZE];
} quiet;

static void quiet_begin(quiet *saved)
{
    accel_error_save(saved->text);
}

static void quiet_end(const quiet *saved)
{
    accel_error_restore(saved->text);
}

/* ------------------------------------------------------------------------------------- by calls -- */

static void forget(watch_pending *pending)
{
    if (atomic_load_explicit(&pending->references, memory_order_acquire) == 1 || /* nobody else has it */
        atomic_fetch_sub_explicit(&pending->references, 1, memory_order_acq_rel) == 1)
        accel_pending_give(pending);
}

static void on_start(void *user, accel_status status)
{
    watch_pending *pending = user;

    (void)status;
    pending->operation.started = accel_tools_clock();
    forget(pending);
}

static void on_stop(void *user, accel_status status)
{
    watch_pending *pending = user;

    pending->operation.ended = accel_tools_clock();
    if (pending->operation.status == ACCEL_OK)
        pending->operation.status = status;
    accel_tools_completed(pending->mask, &pending->operation);
    forget(pending);
}

static watch_pending *pending_new(watch_timeline *timeline, const watch_span *span)
{
    watch_pending *pending = accel_pending_take(&timeline->kept);

    if (pending == NULL)
        return NULL;
    pending->next = NULL;
    pending->start = pending->end = NULL;
    atomic_init(&pending->references, 1);
    pending->mask = timeline->mask;
    pending->operation = span->operation;
    return pending;
}

static void start_by_call(watch_timeline *timeline, watch_span *span)
{
    watch_pending *pending = pending_new(timeline, span);

    if (pending == NULL)
        return;
    atomic_store_explicit(&pending->references, 2, memory_order_relaxed);
    if (timeline->inner.queue_vtable->call(timeline->inner.queue, on_start, pending) == ACCEL_OK)
        span->pending = pending;
    else
        accel_pending_give(pending);
}

static void stop_by_call(watch_timeline *timeline, watch_pending *pending, accel_status status)
{
    pending->operation.status = status;
    if (timeline->inner.queue_vtable->call(timeline->inner.queue, on_stop, pending) != ACCEL_OK)
        forget(pending);
}

/* ------------------------------------------------------------------------------------ by events -- */

static accel_impl_event *take_event(watch_timeline *timeline)
{
    accel_impl_event *event = NULL;

    if (timeline->spare_count > 0)
        return timeline->spare[--timeline->spare_count];
    if (timeline->inner.device_vtable->event_create(timeline->inner.device, ACCEL_EVENT_TIMING, &event) != ACCEL_OK)
        return NULL;
    return event;
}

static void give_event(watch_timeline *timeline, accel_impl_event *event)
{
    if (event == NULL)
        return;
    if (timeline->spare_count == timeline->spare_room) {
        size_t room = timeline->spare_room * 2 + 16;
        accel_impl_event **grown = accel_reallocate(timeline->spare, room * sizeof(*grown));
        if (grown == NULL) {
            timeline->inner.event_vtable->destroy(event);
            return;
        }
        timeline->spare = grown;
        timeline->spare_room = room;
    }
    timeline->spare[timeline->spare_count++] = event;
}

/* An event that was recorded now, or NULL. */
static accel_impl_event *mark(watch_timeline *timeline)
{
    accel_impl_event *event = take_event(timeline);

    if (event == NULL || timeline->inner.queue_vtable->record(timeline->inner.queue, event) == ACCEL_OK)
        return event;
    give_event(timeline, event);
    return NULL;
}

static void give_up(watch_timeline *timeline, watch_pending *pending)
{
    give_event(timeline, pending->start);
    give_event(timeline, pending->end);
    accel_pending_give(pending);
}

/* The time of an event behind `reached`. Not before it: two events may have one time. */
static accel_status time_of(const watch_timeline *timeline, accel_impl_event *event, uint64_t *time)
{
    const watch_origin *origin = timeline->inner.origin;
    accel_impl_event *from = timeline->reached != NULL ? timeline->reached : origin->event;
    uint64_t nanoseconds = 0;
    accel_status status = timeline->inner.event_vtable->elapsed(from, event, &nanoseconds);
    if (status == ACCEL_INVALID)
        status = ACCEL_OK; /* negative by the clock's grain */
    *time = (timeline->reached != NULL ? timeline->reached_time : origin->time) + nanoseconds;
    return status;
}

/* The oldest operation is complete. */
static void tell(watch_timeline *timeline, watch_pending *pending)
{
    accel_tool_operation *operation = &pending->operation;
    accel_status status = time_of(timeline, pending->start, &operation->started);

    if (status == ACCEL_OK) {
        give_event(timeline, timeline->reached);
        timeline->reached = pending->start;
        timeline->reached_time = operation->started;
        pending->start = NULL;
        status = time_of(timeline, pending->end, &operation->ended);
    }
    if (status == ACCEL_OK) {
        give_event(timeline, timeline->reached);
        timeline->reached = pending->end;
        timeline->reached_time = operation->ended;
        pending->end = NULL;
    } else {
        operation->started = operation->ended = timeline->reached_time; /* 0: none is known */
        operation->status = status;
    }
    accel_tools_completed(pending->mask, operation);
    give_up(timeline, pending);
}

/* Under the lock. */
static void poll(watch_timeline *timeline)
{
    while (timeline->first != NULL) {
        watch_pending *pending = timeline->first;
        bool complete = false;
        accel_status status = timeline->inner.event_vtable->is_complete(pending->end, &complete);
        if (status == ACCEL_OK && !complete)
            return;
        timeline->first = pending->next;
        --timeline->count;
        if (timeline->first == NULL)
            timeline->last = NULL;
        if (status != ACCEL_OK)
            pending->operation.status = status;
        tell(timeline, pending);
    }
}

/* Records the device's origin, if this is the first operation of all. */
static bool has_origin(watch_timeline *timeline)
{
    watch_origin *origin = timeline->inner.origin;

    pthread_mutex_lock(&origin->lock);
    if (origin->event == NULL) {
        origin->time = accel_tools_clock();
        origin->event = mark(timeline);
    }
    pthread_mutex_unlock(&origin->lock);
    return origin->event != NULL;
}

static void start_by_event(watch_timeline *timeline, watch_span *span)
{
    watch_pending *pending = pending_new(timeline, span);

    if (pending == NULL)
        return;
    pending->start = has_origin(timeline) ? mark(timeline) : NULL;
    if (pending->start != NULL)
        span->pending = pending;
    else
        accel_pending_give(pending);
}

static void stop_by_event(watch_timeline *timeline, watch_pending *pending, accel_status status)
{
    pending->operation.status = status;
    pending->end = mark(timeline);
    if (pending->end == NULL) {
        give_up(timeline, pending);
        return;
    }
    if (timeline->last != NULL)
        timeline->last->next = pending;
    else
        timeline->first = pending;
    timeline->last = pending;
    if (++timeline->count >= WATCH_MOST_PENDING) /* nobody waits: events would gather */
        poll(timeline);
}

/* ----------------------------------------------------------------------------------- all together --- */

void accel_timing_begin(watch_timeline *timeline, uint32_t timing)
{
    pthread_mutex_init(&timeline->lock, NULL);
    timeline->timing = timing;
}

void accel_timing_poll(watch_timeline *timeline)
{
    quiet saved;

    if (timeline->timing != WATCH_BY_EVENTS || !accel_tools_live())
        return;
    pthread_mutex_lock(&timeline->lock);
    if (timeline->first != NULL) {
        quiet_begin(&saved);
        poll(timeline);
        quiet_end(&saved);
    }
    pthread_mutex_unlock(&timeline->lock);
}

void accel_timing_end(watch_timeline *timeline)
{
    accel_timing_poll(timeline);
    while (timeline->first != NULL) {
        watch_pending *next = timeline->first->next;
        give_up(timeline, timeline->first);
        timeline->first = next;
    }
    give_event(timeline, timeline->reached);
    while (timeline->spare_count > 0)
        timeline->inner.event_vtable->destroy(timeline->spare[--timeline->spare_count]);
    accel_deallocate(timeline->spare);
    accel_pending_discard(&timeline->kept);
    pthread_mutex_destroy(&timeline->lock);
}

void accel_timing_start(watch_timeline *timeline, watch_span *span)
{
    quiet saved;

    span->pending = NULL;
    span->locked = timeline->timing != WATCH_NO_TIMES && accel_tools_live();
    if (!span->locked)
        return;
    if (timeline->timing == WATCH_BY_CLOCK) {
        span->operation.started = span->operation.submitted;
        if (pthread_mutex_trylock(&timeline->lock) != 0) {
            pthread_mutex_lock(&timeline->lock);
            span->operation.started = accel_tools_clock();
        }
        return;
    }
    if (timeline->timing == WATCH_BY_CALLS) {
        accel_spin_lock(&timeline->submitting);
        start_by_call(timeline, span);
        return;
    }
    pthread_mutex_lock(&timeline->lock);
    quiet_begin(&saved);
    start_by_event(timeline, span);
    quiet_end(&saved);
}

void accel_timing_stop(watch_timeline *timeline, watch_span *span, accel_status status)
{
    quiet saved;

    if (!span->locked)
        return;
    if (timeline->timing == WATCH_BY_CALLS) {
        if (span->pending != NULL)
            stop_by_call(timeline, span->pending, status);
        accel_spin_unlock(&timeline->submitting);
        return;
    }
    if (timeline->timing == WATCH_BY_CLOCK) {
        span->operation.ended = accel_tools_clock();
        span->operation.status = status;
        accel_tools_completed(timeline->mask, &span->operation);
    } else if (span->pending != NULL) {
        quiet_begin(&saved);
        stop_by_event(timeline, span->pending, status);
        quiet_end(&saved);
    }
    pthread_mutex_unlock(&timeline->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Events that the program signals. Queues of every backend wait for them through their timeline. */
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/api/event.h"
#include "core/api/released.h"
#include "core/base/timeline.h"

#include <time.h>

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

accel_status accel_host_event_init(const char *function, accel_host_event *event, uint32_t flags)
{
    accel_status status = accel_timeline_create(&event->timeline);

    if (status != ACCEL_OK)
        return accel_error_prefix(status, function);
    event->timed = (flags & ACCEL_EVENT_TIMING) != 0;
    atomic_init(&event->armed, 0);
    atomic_init(&event->claimed, 0);
    atomic_init(&event->time, 0);
    atomic_init(&event->armed_for, accel_guard_fork_generation);
    return ACCEL_OK;
}

/* The latest arming; *pending says whether it is yet to be signalled. */
static uint64_t latest(accel_host_event *event, bool *pending)
{
    uint64_t armed = atomic_load_explicit(&event->armed, memory_order_acquire);

    *pending = !accel_timeline_reached(event->timeline, armed, NULL);
    return armed;
}

/* Whoever would signal an event that was pending at a fork may live in the parent. */
static accel_status check_fork(const char *function, accel_host_event *event, bool pending)
{
    if (!pending || atomic_load_explicit(&event->armed_for, memory_order_relaxed) == accel_guard_fork_generation)
        return ACCEL_OK;
    return accel_error_set(ACCEL_FORKED,
                           "%s: the event of the host was armed and not yet signalled at the fork; create a new event "
                           "in the child",
                           function);
}

/* The text of a status that the program signalled. */
static accel_status carried(const char *function, accel_status status)
{
    if (status == ACCEL_OK)
        return ACCEL_OK;
    return accel_error_set(status, "%s: the program signalled the event with %s", function, accel_status_name(status));
}

static accel_status arm(const char *function, accel_host_event *event)
{
    bool pending;
    uint64_t armed = latest(event, &pending);
    accel_status status = check_fork(function, event, pending);

    if (status != ACCEL_OK)
        return status;
    if (!pending) {
        atomic_store_explicit(&event->armed_for, accel_guard_fork_generation, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&event->armed, &armed, armed + 1, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return ACCEL_OK;
    }
    return accel_error_set(ACCEL_INVALID,
                           "%s: the event is armed and not yet signalled; call accel_event_signal first, or use "
                           "another event",
                           function);
}

/* Signals arming `value`, unless somebody else does. */
static bool complete(accel_host_event *event, uint64_t value, accel_status status)
{
    accel_timeline *timeline = event->timeline;
    uint64_t before = value - 1;

    if (!atomic_compare_exchange_strong_explicit(&event->claimed, &before, value, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return false;
    if (event->timed)
        atomic_store_explicit(&event->time, now(), memory_order_relaxed);
    /* Whoever sees the event complete may release it: from here on only the timeline is touched. */
    accel_timeline_retain(timeline);
    accel_timeline_signal(timeline, value, status);
    accel_timeline_release(timeline);
    return true;
}

void accel_host_event_end(accel_host_event *event)
{
    bool pending;
    uint64_t armed = latest(event, &pending);

    /* What waits for an arming of before the fork belongs to the parent. */
    if (pending && atomic_load_explicit(&event->armed_for, memory_order_relaxed) == accel_guard_fork_generation)
        complete(event, armed, ACCEL_UNAVAILABLE);
    accel_timeline_release(event->timeline);
}

accel_status accel_host_event_is_complete(const char *function, accel_host_event *event, bool *complete)
{
    bool pending;

    latest(event, &pending);
    *complete = !pending;
    return check_fork(function, event, pending);
}

accel_status accel_host_event_wait(const char *function, accel_host_event *event)
{
    bool pending;
    uint64_t armed = latest(event, &pending);
    accel_status status = check_fork(function, event, pending);

    return status != ACCEL_OK ? status : carried(function, accel_timeline_wait(event->timeline, armed));
}

accel_status accel_host_event_elapsed(const char *function, accel_host_event *start, accel_host_event *end,
                                      uint64_t *nanoseconds)
{
    bool start_pending, end_pending;
    uint64_t start_armed = latest(start, &start_pending), end_armed = latest(end, &end_pending);

    if (start_armed == 0 || end_armed == 0)
        return accel_error_set(ACCEL_INVALID, "%s: the %s was never armed, and so never signalled", function,
                               start_armed == 0 ? "start" : "end");
    if (!start->timed || !end->timed)
        return accel_error_set(ACCEL_INVALID, "%s: the %s is not timed; create it with ACCEL_EVENT_TIMING", function,
                               !start->timed ? "start" : "end");
    if (check_fork(function, start, start_pending) != ACCEL_OK || check_fork(function, end, end_pending) != ACCEL_OK)
        return ACCEL_FORKED;
    if (start_pending || end_pending)
        return accel_error_set(ACCEL_NOT_READY, "%s: the %s is not complete: it is armed and not yet signalled",
                               function, start_pending ? "start" : "end");

    uint64_t from = atomic_load_explicit(&start->time, memory_order_relaxed);
    uint64_t to = atomic_load_explicit(&end->time, memory_order_relaxed);

    if (to < from)
        return accel_error_set(ACCEL_INVALID, "%s: the end was signalled %llu ns before the start", function,
                               (unsigned long long)(from - to));
    *nanoseconds = to - from;
    return ACCEL_OK;
}

accel_status accel_host_event_timeline(const char *function, accel_host_event *event, accel_timeline **timeline,
                                       uint64_t *value)
{
    bool pending;
    uint64_t armed = latest(event, &pending);
    accel_status status = check_fork(function, event, pending);

    if (status != ACCEL_OK)
        return status;
    if (armed != 0)
        accel_timeline_retain(event->timeline);
    *timeline = armed != 0 ? event->timeline : NULL;
    *value = armed;
    return ACCEL_OK;
}

/* Arming and signalling are for events of the host alone. */
static accel_status check(const char *function, const accel_event *event)
{
    if (event == NULL)
        return accel_error_null(function, "event");
    if (accel_is_released(event->fork_generation))
        return accel_released_use(function, event->fork_generation);
    if (event->backend != NULL)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: the event is of \"%s\", whose queues record it; create it on accel_instance_host to "
            "signal it from the program",
            function, event->device->properties.name);
    return ACCEL_OK;
}

ACCEL_API accel_status accel_event_arm(accel_event *event)
{
    static const char function[] = "accel_event_arm";
    accel_status status = accel_guard_check(function);

    if (status == ACCEL_OK)
        status = check(function, event);
    return status != ACCEL_OK ? status : arm(function, &event->host);
}

/* Allowed in host functions: a signal touches counters and wakes threads, and calls no driver. */
ACCEL_API accel_status accel_event_signal(accel_event *event, accel_status carries)
{
    static const char function[] = "accel_event_signal";
    accel_status status = check(function, event);
    bool pending;

    if (status != ACCEL_OK)
        return status;
    if (carries == ACCEL_NOT_READY || carries > ACCEL_INTERNAL)
        return accel_error_set(ACCEL_INVALID,
                               "%s: status %u (%s) is no result; signal ACCEL_OK, or the failure that those who wait "
                               "are to get",
                               function, carries, accel_status_name(carries));

    uint64_t armed = latest(&event->host, &pending);

    status = check_fork(function, &event->host, pending);
    if (status != ACCEL_OK)
        return status;
    if (pending && complete(&event->host, armed, carries))
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID,
                           "%s: the event is not armed, or signalled already; call accel_event_arm before each signal",
                           function);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An event: a point in a queue, which its plugin knows, or a point of the program, which the program signals. */
#ifndef ACCEL_CORE_EVENT_H
#define ACCEL_CORE_EVENT_H

#include "core/api/device.h"

/*
 * The state of a host event. Arming number n makes it pending until its timeline reaches n. Whoever signals claims n
 * first, so one of several signallers wins; only then is the timeline's value n written, so values stay in order.
 */
typedef struct accel_host_event {
    accel_timeline *timeline; /* a reference */
    bool timed;
    _Atomic uint64_t armed;     /* the latest arming; advanced by compare-exchange, from a reached value only */
    _Atomic uint64_t claimed;   /* the latest arming that somebody signals or has signalled; compare-exchange */
    _Atomic uint64_t time;      /* of the latest signal, ns; published by the timeline */
    _Atomic uint32_t armed_for; /* the fork generation of the latest arming; relaxed: only compared */
} accel_host_event;

struct accel_event {
    accel_reference reference;
    accel_deferred deferred;
    accel_device *device;   /* retained */
    accel_backend *backend; /* NULL: a host event */
    accel_impl_event *impl; /* NULL: a host event */
    uint32_t fork_generation;
    accel_host_event host;
};

/* Host events: what the functions of the same names do once their parameters are checked. */
accel_status accel_host_event_init(const char *function, accel_host_event *, uint32_t flags);
/* The last reference is gone: an armed event is signalled ACCEL_UNAVAILABLE. Allowed in host functions. */
void accel_host_event_end(accel_host_event *);
accel_status accel_host_event_is_complete(const char *function, accel_host_event *, bool *complete);
accel_status accel_host_event_wait(const char *function, accel_host_event *);
accel_status accel_host_event_elapsed(const char *function, accel_host_event *start, accel_host_event *end,
                                      uint64_t *nanoseconds);
/* The latest arming as a point of a timeline: a new reference, or NULL if the event was never armed. */
accel_status accel_host_event_timeline(const char *function, accel_host_event *, accel_timeline **, uint64_t *value);

#endif

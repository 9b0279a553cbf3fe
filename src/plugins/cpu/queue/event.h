/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a value of the timeline of the queue where they were recorded last. */
#ifndef ACCEL_CPU_EVENT_H
#define ACCEL_CPU_EVENT_H

#include "plugins/cpu/engine/lock.h"
#include "plugins/support/reference.h"

#include <accel/plugin.h>

struct accel_impl_event {
    plugin_reference references; /* handle, pending records */
    uint32_t flags;              /* ACCEL_EVENT_* */
    cpu_lock lock;               /* guards what follows; held for a few instructions */
    accel_impl_queue *queue;     /* retained; NULL: never recorded */
    uint64_t value;              /* of queue->timeline */
    uint64_t ticket;             /* in queue->ring; 0 if the queue is blocking */
    bool timed;
    uint64_t time;  /* ns, when `value` was reached; written before it is signalled */
    void *observed; /* an observer's own; NULL at first */
};

/* Contract: accel_device_vtable. */
accel_status cpu_event_create(accel_impl_device *, uint32_t flags, accel_impl_event **);

/* The latest record, with a reference to its queue, or queue NULL. If it is reached, its time is there. */
typedef struct cpu_event_record {
    accel_impl_queue *queue;
    uint64_t value, ticket, time;
    bool timed, reached;
} cpu_event_record;

cpu_event_record cpu_event_latest(accel_impl_event *);
void cpu_event_record_release(cpu_event_record);

void cpu_event_release(accel_impl_event *);
/* Notes the time, if the event's latest record is still this one, and wants it. */
void cpu_event_stamp(accel_impl_event *, accel_impl_queue *, uint64_t value);

/* Contracts: accel_event_vtable. */
accel_status cpu_event_is_complete(accel_impl_event *, bool *);
accel_status cpu_event_elapsed(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds);
accel_status cpu_event_timeline(accel_impl_event *, accel_timeline **, uint64_t *value);

#endif

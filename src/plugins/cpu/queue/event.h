/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a value of the timeline of the queue where they were recorded last. */
#ifndef ACCEL_CPU_EVENT_H
#define ACCEL_CPU_EVENT_H

#include "plugins/cpu/engine/lock.h"

#include <accel/plugin.h>

struct accel_impl_event {
    _Atomic uint32_t references; /* handle, pending records */
    uint32_t flags;              /* ACCEL_EVENT_* */
    cpu_lock lock;               /* guards what follows; held for a few instructions */
    accel_impl_queue *queue;     /* retained; NULL: never recorded */
    uint64_t value;              /* of queue->timeline */
    uint64_t ticket;             /* in queue->ring; 0 if the queue is blocking */
    bool timed;
    uint64_t time; /* ns, when `value` was reached; written before it is signalled */
};

void cpu_event_release(accel_impl_event *);
/* Notes the time, if the event's latest record is still this one, and wants it. */
void cpu_event_stamp(accel_impl_event *, accel_impl_queue *, uint64_t value);

#endif

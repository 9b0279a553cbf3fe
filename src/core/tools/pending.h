/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of operations whose times are to come. One that is over is used again: mostly another thread gives it back than
 * the one that took it, which malloc makes pay for. As many stay as were under way at once, until a queue ends.
 */
#ifndef ACCEL_CORE_PENDING_H
#define ACCEL_CORE_PENDING_H

#include <accel/tool.h>
#include <stdatomic.h>

typedef struct accel_impl_event accel_impl_event;

/* An operation whose times are to come. Holds all that is told of it: it may outlive its queue and device. */
typedef struct watch_pending {
    struct watch_pending *next;
    _Atomic uint32_t references;   /* BY_CALLS: of the host functions that are yet to run */
    uint32_t mask;                 /* of tools */
    accel_impl_event *start, *end; /* BY_EVENTS */
    accel_tool_operation operation;
} watch_pending;

/* Of a list that the caller guards, or given back by anybody, or new; what it holds is undefined. NULL: no memory. */
watch_pending *accel_pending_take(watch_pending **list);
/* By any thread. */
void accel_pending_give(watch_pending *);
/* Frees the list and what was given back. */
void accel_pending_discard(watch_pending **list);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* When operations of a watched queue began and ended. */
#ifndef ACCEL_CORE_TIMING_H
#define ACCEL_CORE_TIMING_H

#include "core/tools/pending.h"
#include "core/tools/tools.h"

#include <accel/plugin.h>
#include <pthread.h>

enum watch_timing {
    WATCH_NO_TIMES,  /* nobody asks, or the stream is the program's */
    WATCH_BY_CLOCK,  /* a blocking queue: around the call */
    WATCH_BY_CALLS,  /* a CPU's: host functions on the thread that executes */
    WATCH_BY_EVENTS, /* events of the driver, asked for later */
};

/* Operations of a queue whose events are asked for only when somebody waits: submitting asks the driver nothing (C5). */
#define WATCH_MOST_PENDING 256u

/* Kernels whose launches have a record in common (launches.h). */
#define WATCH_COMMON 8u

/* What the times of all queues of a device are told from. */
typedef struct watch_origin {
    pthread_mutex_t lock;
    accel_impl_event *event; /* recorded once, on the queue that was first; NULL: not yet. Guarded until it is there */
    uint64_t time;           /* when it was recorded: the device was idle, or nearly so */
} watch_origin;

/* What is called to take times: slots of the plugin, and its objects. */
typedef struct watch_clockwork {
    const accel_device_vtable *device_vtable;
    const accel_queue_vtable *queue_vtable;
    const accel_event_vtable *event_vtable;
    accel_impl_device *device;
    accel_impl_queue *queue;
    watch_origin *origin;
} watch_clockwork;

typedef struct watch_timeline {
    uint32_t timing; /* enum watch_timing */
    uint32_t mask;   /* of tools that wish to know times */
    watch_clockwork inner;
    /* Held from the begin to the end of an operation, so that operations of several threads do not mix, and while they are
     * told, so that they are in order. Guards the rest, which is of BY_EVENTS but for `kept` and `common`. */
    pthread_mutex_t lock;
    _Atomic uint32_t submitting;         /* BY_CALLS: in its place (spin.h), as submitting is quick there */
    watch_pending *kept;                 /* to be used again */
    watch_pending *common[WATCH_COMMON]; /* by kernel; NULL: none yet */
    watch_pending *first, *last;         /* under way, oldest first */
    size_t count;                        /* of them */
    accel_impl_event *reached;           /* the latest event whose time is known; NULL: the device's origin */
    uint64_t reached_time;
    accel_impl_event **spare; /* to be recorded again */
    size_t spare_count, spare_room;
} watch_timeline;

/* An operation during its call. */
typedef struct watch_span {
    watch_pending *pending;
    bool locked;
    accel_tool_operation operation;
} watch_span;

/* `inner` and `mask` are set, the rest is 0. */
void accel_timing_begin(watch_timeline *, uint32_t timing);
/* Tells what is complete. Does not wait. */
void accel_timing_poll(watch_timeline *);
/* The queue ends: tells what is complete, and gives up the rest. */
void accel_timing_end(watch_timeline *);

/* Before and behind an operation's slot, which returned `status`. */
void accel_timing_start(watch_timeline *, watch_span *);
void accel_timing_stop(watch_timeline *, watch_span *, accel_status);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record of an event: an event of the driver in a stream, and what it carries. An event has the latest; who waits for a
 * record retains it; so a later one takes another event of the driver instead of moving this one (semantics E2).
 */
#ifndef ACCEL_GPU_RECORD_H
#define ACCEL_GPU_RECORD_H

#include "plugins/gpu/engine/device.h"
#include "plugins/gpu/report/report.h"
#include "plugins/gpu/engine/thread.h"

typedef struct gpu_record {
    _Atomic uint32_t references;
    accel_impl_device *device; /* retained */
    gpu_driver_event event;
    bool timed;
    bool recorded; /* false: the event is new, and complete */
    accel_timeline
        *deferred; /* NULL, or the record is deferred until this timeline reaches `deferred_value`; retained */
    uint64_t deferred_value;
    _Atomic accel_status status; /* the queue's failure; written before the record reaches the driver */
    gpu_report *report;          /* where kernels before it may have written, or NULL */
    uint32_t report_owner;       /* the report's, then */
    accel_timeline *timeline;    /* for other backends: reaches 1 with the record; NULL until asked for */
    gpu_job watch;               /* sees to that; the record is retained */
} gpu_record;

/* With the device's context current. */
accel_status gpu_record_make(accel_impl_device *, bool timed, gpu_record **);
void gpu_record_retain(gpu_record *);
/* Leaves the current context as it is. */
void gpu_record_release(gpu_record *);
/* Has it reached the driver? */
bool gpu_record_submitted(gpu_record *);
/* Success, not ready, or a failure of its device. */
gpu_result gpu_record_query(gpu_record *);
/* What it carries, as far as that was known when it was recorded. */
accel_status gpu_record_status(gpu_record *);
/* What it carries, once complete. Asks the driver. Writes what kernels before it have printed. */
accel_status gpu_record_outcome(gpu_record *);
/* Begins to watch; `timeline` was set. */
void gpu_record_watch(gpu_record *);

#endif

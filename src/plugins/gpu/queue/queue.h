/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: a stream of the driver and what the driver does not keep: the first failure, what operations hold, host
 * functions that have not run, and operations that are deferred. Here is what every operation needs; each kind of
 * operation, and the making and ending of queues (lifecycle.c), stands in a file of its own.
 *
 * Submitting looks at one word, `state`. While it is 0 an operation goes straight to the driver, without a lock.
 */
#ifndef ACCEL_GPU_QUEUE_H
#define ACCEL_GPU_QUEUE_H

#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/report/report.h"
#include "plugins/gpu/engine/retire.h"
#include "plugins/gpu/engine/stage.h"

/* Bits of `state`. */
enum {
    GPU_STATE_DEFERS = 1, /* operations wait in `deferred`: what follows goes behind them */
    GPU_STATE_FAILED = 2, /* `failure` is set: what follows is skipped */
    GPU_STATE_FAULT = 4   /* the device's fault is set: what follows returns it */
};

/* See deferred.h. */
typedef struct gpu_deferred {
    pthread_mutex_t lock; /* guards what follows, and the change of GPU_STATE_DEFERS */
    plugin_list commands;
    uint64_t taken;            /* `deferrals` of the command that is run; 0: none is */
    uint64_t given;            /* values of `submitted` given out, one per command and host function */
    uint64_t done;             /* reached; the submit thread's alone */
    bool resumed;              /* what held the queue is over; the job's */
    _Atomic bool waits;        /* the list waits for a timeline or a function of the program; else it is on its way */
    accel_timeline *submitted; /* commands that have reached the driver, or were skipped, or have run; retained */
    gpu_job job;               /* runs the list; the queue is retained while it defers */
    accel_timeline_waiter waiter;
} gpu_deferred;

/* See retire_list.h. */
typedef struct gpu_retire_list {
    pthread_mutex_t asking; /* guards `left`, `recorded` and the event; held while the driver is asked. Before `lock` */
    bool left;              /* of a wrapped queue: the stream is the caller's to end, the event stands for it */
    bool recorded;          /* the event is recorded */
    gpu_driver_event event; /* made with the queue */
    pthread_mutex_t lock;   /* guards what follows; held for a few instructions */
    plugin_list open;       /* since the event was recorded */
    plugin_list behind;     /* before the event, which is behind them */
    bool posted;            /* the job is the retire thread's; the queue is retained */
    gpu_job job;
} gpu_retire_list;

/* See call.h. */
typedef struct gpu_calls {
    pthread_mutex_t lock;  /* guards the rest; held for a few instructions */
    plugin_list pending;   /* not run to the end */
    plugin_list abandoned; /* run by the engine; kept until the stream is gone, should the driver remember them */
    bool posted;           /* the job is the submit thread's; the queue is retained */
    bool watched;          /* the watch is the watch thread's; the queue is retained */
    gpu_job job, watch;
} gpu_calls;

struct accel_impl_queue {
    /* Read by every operation; immutable after creation, but for the state. */
    _Atomic uint32_t state;
    bool blocking, profiling, wrapped;
    _Atomic bool shared;       /* the program has asked for the stream, and may submit there */
    accel_impl_device *device; /* retained */
    gpu_stream stream;         /* the caller's if wrapped */
    plugin_history history;

    plugin_reference references;     /* handle, deferring, jobs */
    void (*end)(accel_impl_queue *); /* the last reference has gone */
    gpu_listener listener;
    pthread_mutex_t turn; /* held by the operation that is submitted; in a blocking queue until it ends */
    plugin_failure failure;
    _Atomic uint64_t awaited; /* bit per ordinal: devices whose events the queue waited for since `wait` */

    gpu_deferred deferred;
    gpu_retire_list retire;
    gpu_calls calls;
    gpu_stage *stage;             /* NULL if blocking */
    _Atomic uint32_t held_copies; /* that are not over */
    _Atomic(gpu_report *) report; /* NULL until a kernel that asserts or prints is launched */
};

/* Around an operation: from the question whether the queue defers until it is submitted, or until it ends in a blocking
 * queue (semantics Q1). An operation that another thread is submitting would run beside the host function that comes in
 * between, because the stream does not wait for host functions. */
static inline void gpu_queue_enter(accel_impl_queue *queue)
{
    pthread_mutex_lock(&queue->turn);
}
static inline void gpu_queue_leave(accel_impl_queue *queue)
{
    pthread_mutex_unlock(&queue->turn);
}

static inline void gpu_queue_retain(accel_impl_queue *queue)
{
    plugin_reference_retain(&queue->references);
}
static inline void gpu_queue_release(accel_impl_queue *queue)
{
    if (plugin_reference_release(&queue->references))
        queue->end(queue);
}

/* What becomes of an operation while `state` is not 0. */
enum {
    GPU_SUBMIT, /* it goes to the driver */
    GPU_DEFER,  /* it is deferred; deferred.lock is taken */
    GPU_SKIP,   /* it is done without being done */
    GPU_REFUSE  /* the call returns *status */
};
uint32_t gpu_queue_admit(accel_impl_queue *, accel_status *);

/* The queue keeps the calling thread's failure, as its first. Returns `status`. ACCEL_OK does nothing. */
accel_status gpu_queue_fail(accel_impl_queue *, accel_status);
/* The same for a failure that a waited-for event or timeline carries. */
accel_status gpu_queue_inherit(accel_impl_queue *, accel_status);
/* What a record of now carries, or a host function gets. */
accel_status gpu_queue_status(accel_impl_queue *);
/* Tells the calling thread of the failure, or of none, and clears it. */
accel_status gpu_queue_report(accel_impl_queue *);

/* With the context current: a kernel that asserts or prints is launched next. */
accel_status gpu_queue_want_report(accel_impl_queue *, bool prints);
/* Was one launched since this was asked? To be asked before the stream is waited for. */
bool gpu_queue_reports(accel_impl_queue *);
/* Then, when the stream was waited for: writes what such kernels printed, and returns the failure of one that asserted, which
 * the queue keeps as its own. */
accel_status gpu_queue_read_report(accel_impl_queue *);

/* Waits for the stream: a blocking queue does after each operation. `what` as in gpu_device_failed. */
accel_status gpu_queue_finish(accel_impl_queue *, const char *what);

#endif

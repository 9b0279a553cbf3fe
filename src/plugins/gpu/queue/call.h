/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions in a stream: the program's host functions, the turns of large copies, and the engine's own steps of staged
 * copies, which run on the driver's thread. A driver drops them once its context has failed; they are listed here until they have run, so that the
 * engine can run what the driver did not (semantics Q8).
 */
#ifndef ACCEL_GPU_CALL_H
#define ACCEL_GPU_CALL_H

#include "plugins/gpu/queue/queue.h"

typedef struct gpu_call gpu_call;
struct gpu_call {
    plugin_link link; /* of the queue, in order of submission */
    accel_impl_queue *queue;
    accel_status status;      /* of the queue, when it was submitted */
    _Atomic uint32_t claimed; /* 1: somebody runs it, or has */
    bool holds;               /* the queue defers until it has run; `post` says where it runs */
    bool abandoned;           /* the driver may still remember it; whoever claimed it knows */
    gpu_job job;              /* of whoever runs it then; to be run once */
    /* Has the job run elsewhere, later; on a thread of the driver, perhaps. False: nobody can. Of a call that holds. */
    bool (*post)(gpu_call *);
    /* Runs once, with the device's failure if there is one; to be taken for a thread of the driver. */
    void (*run)(gpu_call *, accel_status);
    void (*end)(gpu_call *); /* frees it */
};

/* Submits it; from then on the queue owns it. On failure it stays the caller's. The context is current. A call that
 * holds the queue: by gpu_deferred_hold, or as a command that does. */
accel_status gpu_call_submit(accel_impl_queue *, gpu_call *, const char *what);
/* Runs it without the driver, which has refused it; the stream has done what is before it. */
void gpu_call_run_instead(accel_impl_queue *, gpu_call *);
/* Of a call that the caller itself runs: lists it while that lasts. */
void gpu_call_append(accel_impl_queue *, gpu_call *);
void gpu_call_remove(gpu_call *);
/* Has everything that was submitted run to the end? */
bool gpu_call_none(accel_impl_queue *);
/* The device has failed: runs what the driver will not. Returns gpu_call_none. Not from a driver's callback. */
bool gpu_call_abandon(accel_impl_queue *);
/* Has the engine do so. */
void gpu_call_post_abandon(accel_impl_queue *);
/* The stream is gone. */
void gpu_call_end(accel_impl_queue *);

#endif

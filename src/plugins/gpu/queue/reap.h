/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What operations hold, and memory that goes back behind them. Submitting appends to a list and does nothing else: the
 * reaper records a mark behind the list from time to time, asks for it, and gives back what was listed before it.
 * Nothing is given back in a driver's callback.
 */
#ifndef ACCEL_GPU_REAP_H
#define ACCEL_GPU_REAP_H

#include "plugins/gpu/driver/driver.h"
#include "plugins/gpu/queue/worker.h"

#include <pthread.h>

typedef struct gpu_keep gpu_keep;
struct gpu_keep {
    gpu_keep *next;
    accel_hold *holds[2];
    accel_impl_memory *memory; /* NULL, or what the keep is part of */
};

typedef struct gpu_reap {
    pthread_mutex_t lock; /* guards what follows */
    gpu_keep *open;       /* since the mark was recorded */
    gpu_keep *marked;     /* before the mark */
    bool posted;          /* the job is the reaper's; the queue is retained */
    bool left;            /* of a wrapped queue: the stream is the caller's to end, the mark stands for it */
    bool recorded;        /* the mark is behind what is marked; the job's, under the lock if the queue is wrapped */
    gpu_mark mark;        /* the reaper's; made with the queue */
    gpu_job job;
} gpu_reap;

/* Something to list once the operation was submitted; NULL if there is nothing to hold. */
accel_status gpu_keep_make(accel_hold *first, accel_hold *second, gpu_keep **);
/* The operation failed: what it would have held is the caller's. */
void gpu_keep_discard(gpu_keep *);
/* Lists it; NULL does nothing. */
void gpu_reap_add(accel_impl_queue *, gpu_keep *);
/* Around waiting for the stream: all that is listed now, to be given back by gpu_reap_give_back. */
gpu_keep *gpu_reap_take(accel_impl_queue *);
void gpu_reap_give_back(accel_impl_device *, gpu_keep *);

/* Gives the reaper a job of the device, and: it is done. */
void gpu_reap_post(accel_impl_device *, gpu_job *);
void gpu_reap_done(accel_impl_device *);

/* The caller gives a wrapped queue back, and may end its stream next: it is not touched any more. With the context current.
 * Tells whether nothing is pending. */
bool gpu_reap_leave(accel_impl_queue *);
/* The last reference to the queue has gone: what is pending finishes, then the queue ends. */
void gpu_reap_retire(accel_impl_queue *);

#endif

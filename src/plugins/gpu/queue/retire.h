/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What operations hold, and memory that goes back behind them. Submitting appends to a list and does nothing else: the
 * reaper records a mark behind the list from time to time, asks for it, and gives back what was listed before it.
 * Nothing is given back in a driver's callback.
 */
#ifndef ACCEL_GPU_RETIRE_H
#define ACCEL_GPU_RETIRE_H

#include "plugins/gpu/driver/driver.h"
#include "plugins/gpu/engine/thread.h"

#include <pthread.h>

typedef struct gpu_retired gpu_retired;
struct gpu_retired {
    gpu_retired *next;
    accel_hold *holds[2];
    accel_impl_memory *memory; /* NULL, or what the keep is part of */
};

typedef struct gpu_retire_list {
    pthread_mutex_t lock;   /* guards what follows */
    gpu_retired *open;      /* since the mark was recorded */
    gpu_retired *behind;    /* before the mark */
    bool posted;            /* the job is the reaper's; the queue is retained */
    bool left;              /* of a wrapped queue: the stream is the caller's to end, the mark stands for it */
    bool recorded;          /* the mark is behind what is marked; the job's, under the lock if the queue is wrapped */
    gpu_driver_event event; /* the reaper's; made with the queue */
    gpu_job job;
} gpu_retire_list;

/* Something to list once the operation was submitted; NULL if there is nothing to hold. */
accel_status gpu_retired_make(accel_hold *first, accel_hold *second, gpu_retired **);
/* The operation failed: what it would have held is the caller's. */
void gpu_retired_discard(gpu_retired *);
/* Lists it; NULL does nothing. */
void gpu_retire_add(accel_impl_queue *, gpu_retired *);
/* Around waiting for the stream: all that is listed now, to be given back by gpu_retired_give_back. */
gpu_retired *gpu_retire_take(accel_impl_queue *);
void gpu_retired_give_back(accel_impl_device *, gpu_retired *);

/* Gives the reaper a job of the device, and: it is done. */
void gpu_retire_post(accel_impl_device *, gpu_job *);
void gpu_retire_done(accel_impl_device *);

/* The caller gives a wrapped queue back, and may end its stream next: it is not touched any more. With the context current.
 * Tells whether nothing is pending. */
bool gpu_retire_leave(accel_impl_queue *);
/* The last reference to the queue has gone: what is pending finishes, then the queue ends. */
void gpu_queue_retire(accel_impl_queue *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: a stream of the driver and what the driver does not keep: the first failure, what operations hold, host
 * functions that have not run, and operations that are held back (held.h).
 *
 * Submitting looks at one word, `obstacle`. While it is 0 an operation goes straight to the driver, without a lock.
 */
#ifndef ACCEL_GPU_QUEUE_H
#define ACCEL_GPU_QUEUE_H

#include "plugins/gpu/queue/call.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/engine.h"
#include "plugins/gpu/queue/deferred.h"
#include "plugins/gpu/engine/history.h"
#include "plugins/gpu/queue/retire.h"

/* Bits of `obstacle`. */
enum {
    GPU_STATE_DEFERS = 1, /* operations wait in `held`: what follows goes behind them */
    GPU_STATE_FAILED = 2, /* `failure` is set: what follows is skipped */
    GPU_STATE_FAULT = 4   /* the device's fault is set: what follows answers it */
};

struct accel_impl_queue {
    /* Read by every operation; immutable after creation, but for the obstacle. */
    _Atomic uint32_t state;
    bool blocking, profiling, wrapped;
    accel_impl_device *device; /* retained */
    gpu_stream stream;         /* the caller's if wrapped */
    gpu_history history;

    _Atomic uint32_t references; /* handle, being held back, jobs */
    pthread_mutex_t turn;        /* of a blocking queue: held by the operation that runs */
    gpu_failure failure;
    _Atomic uint64_t awaited;          /* bit per ordinal: devices whose events the queue waited for since `wait` */
    accel_impl_queue *previous, *next; /* of the device */

    gpu_deferred deferred;
    gpu_retire_list retire;
    gpu_calls calls;
    gpu_stage *stage; /* NULL if blocking */
};

/* Around an operation. A blocking queue has one at a time, from its submission to its end (semantics Q1). */
static inline void gpu_queue_enter(accel_impl_queue *queue)
{
    if (GPU_UNLIKELY(queue->blocking))
        pthread_mutex_lock(&queue->turn);
}
static inline void gpu_queue_leave(accel_impl_queue *queue)
{
    if (GPU_UNLIKELY(queue->blocking))
        pthread_mutex_unlock(&queue->turn);
}

void gpu_queue_retain(accel_impl_queue *);
void gpu_queue_release(accel_impl_queue *);
/* False: the last reference has gone already. */
bool gpu_queue_try_retain(accel_impl_queue *);
/* Nothing of it is pending: the stream and the rest are given back. */
void gpu_queue_end(accel_impl_queue *);

/* An obstacle stands in the way of an operation. */
enum {
    GPU_SUBMIT, /* none any more */
    GPU_DEFER,  /* to be held back; held.lock is taken */
    GPU_SKIP,   /* to be skipped: it is done without being done */
    GPU_REFUSE  /* the call answers *status */
};
uint32_t gpu_queue_admit(accel_impl_queue *, accel_status *);

/* The queue keeps the calling thread's failure, as its first. Returns `status`. ACCEL_OK does nothing. */
accel_status gpu_queue_fail(accel_impl_queue *, accel_status);
/* The same for a failure that a waited-for event or timeline carries. */
accel_status gpu_queue_inherit(accel_impl_queue *, accel_status);
/* What a record of now carries, or a host function gets. */
accel_status gpu_queue_status(accel_impl_queue *);
/* The device has faulted: all its queues are obstructed. */
void gpu_queues_fault(accel_impl_device *);

/* After an operation reached the driver: a blocking queue waits for it. `what` as in gpu_device_failed. */
accel_status gpu_queue_finish(accel_impl_queue *, const char *what);

/* Operations: contracts of accel_queue_vtable; gpu_..._now are what reaches the driver, with the context current and no
 * obstacle. */
accel_status gpu_launch(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
accel_status gpu_launch_now(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
accel_status gpu_copy(accel_impl_queue *, const accel_copy_params *);
accel_status gpu_copy_now(accel_impl_queue *, const accel_copy_params *);
accel_status gpu_fill(accel_impl_queue *, const accel_fill_params *);
accel_status gpu_fill_now(accel_impl_queue *, const accel_fill_params *);
accel_status gpu_record_event(accel_impl_queue *, accel_impl_event *);
accel_status gpu_wait_event(accel_impl_queue *, accel_impl_event *);
accel_status gpu_allocate_async(accel_impl_queue *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                void **host_ptr);
void gpu_free_async(accel_impl_queue *, accel_impl_memory *);

#endif

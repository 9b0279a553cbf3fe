/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that are held back: a queue that waits for something no driver knows (a timeline of another backend, or an
 * event recorded on a queue that is itself held back) keeps what follows in a list. When the value is reached, the
 * engine's submitter hands the list to the driver; if the value carries a failure, the list is skipped.
 *
 * No thread is kept while a queue is held back, and whoever reaches the value does no more than post a job.
 */
#ifndef ACCEL_GPU_DEFERRED_H
#define ACCEL_GPU_DEFERRED_H

#include "plugins/gpu/engine/thread.h"

#include <pthread.h>

typedef struct gpu_command gpu_command;
struct gpu_command {
    gpu_command *next;
    /* Hands it to the driver, or does without if the queue has failed, and frees it. NULL: a wait, held.c's own. */
    void (*run)(accel_impl_queue *, gpu_command *);
};

typedef struct gpu_deferred {
    pthread_mutex_t lock; /* guards what follows, and the change of GPU_STATE_DEFERS */
    gpu_command *first, *last;
    uint64_t given;            /* values of `submitted` given out, one per command */
    uint64_t done;             /* reached; the submitter's alone */
    accel_timeline *submitted; /* commands that have reached the driver, or were skipped; retained */
    gpu_job job;               /* runs the list; the queue is retained while it is held back */
    accel_timeline_waiter waiter;
} gpu_deferred;

/* With held.lock taken by gpu_queue_admit: appends the command and gives the lock back. Returns its value. */
uint64_t gpu_deferred_append(accel_impl_queue *, gpu_command *);
/* What follows is held back until the value is reached; `then` (may be NULL) is the first of it. On failure `then` stays
 * the caller's. */
accel_status gpu_defer_until(accel_impl_queue *, accel_timeline *, uint64_t value, gpu_command *then);

/* Contract of accel_queue_vtable. */
accel_status gpu_wait_timeline(accel_impl_queue *, accel_timeline *, uint64_t value);

/* held_command.c: with held.lock taken, holds back a copy of the operation and gives the lock back. */
accel_status gpu_defer_launch(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
accel_status gpu_defer_copy(accel_impl_queue *, const accel_copy_params *);
accel_status gpu_defer_fill(accel_impl_queue *, const accel_fill_params *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deferred operations. A queue that waits for something no driver knows (a timeline of another backend, an event recorded
 * on a queue that itself defers, a host function of the program) keeps what follows in a list. When the value is reached
 * or the function has run, the submit thread hands the list to the driver; if the value carries a failure, the list is
 * skipped.
 *
 * No thread waits while a queue defers, and whoever reaches the value does no more than post a job.
 */
#ifndef ACCEL_GPU_DEFERRED_H
#define ACCEL_GPU_DEFERRED_H

#include "plugins/gpu/queue/queue.h"

/* A copy of an operation; the first member of what it is. */
typedef struct gpu_command gpu_command;
struct gpu_command {
    plugin_link link;
    uint64_t deferrals; /* the device's, with this one */
    /* Hands it to the driver, or does without if the queue has failed, and frees it. NULL: a wait, deferred.c's own. */
    void (*run)(accel_impl_queue *, gpu_command *);
    bool holds; /* what follows waits for gpu_deferred_resume, which `run` sees to */
};

/* With deferred.lock taken by gpu_queue_admit: a command of this size, in which the rest is zero. NULL, with a text: no
 * memory, and the lock is given back. */
void *gpu_command_make(accel_impl_queue *, size_t size, void (*run)(accel_impl_queue *, gpu_command *));
/* With deferred.lock taken by gpu_queue_admit: appends the command and gives the lock back. Returns its value. */
uint64_t gpu_deferred_append(accel_impl_queue *, gpu_command *);
/* In `run`: makes the context current. False: the operation is to be skipped. A refusal of the driver, of this or of the
 * operation, is the queue's failure. */
bool gpu_deferred_enter(accel_impl_queue *, gpu_scope *);

/* What follows is deferred until the value is reached; `then` (may be NULL) is the first of it. On failure `then` stays
 * the caller's. */
accel_status gpu_defer_until(accel_impl_queue *, accel_timeline *, uint64_t value, gpu_command *then);

/* For an operation that the caller, inside gpu_queue_enter, submits at once because the queue does not defer: what follows
 * is deferred until gpu_deferred_resume. */
void gpu_deferred_hold(accel_impl_queue *);
/* The operation that held the queue is over. The queue may be gone afterwards. */
void gpu_deferred_resume(accel_impl_queue *);

/* What holds the queue is a function of the program, which may take as long as it likes. */
void gpu_deferred_wait_for_program(accel_impl_queue *);
/* Is something on its way to the driver that only the engine's own threads are busy with? */
bool gpu_deferred_is_moving(accel_impl_queue *);

/* Has everything that was deferred reached the driver, and every host function run? */
bool gpu_deferred_none(accel_impl_queue *);
/* Has everything reached the driver that was deferred when the device's `deferrals` was this? */
bool gpu_deferred_submitted(accel_impl_queue *, uint64_t deferrals);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who executes the commands of a non-blocking queue, and when: its worker thread, or a thread that waits for them. Commands are
 * submitted here, executed under `run`, and awaited by their tickets.
 */
#ifndef ACCEL_CPU_SCHEDULER_H
#define ACCEL_CPU_SCHEDULER_H

#include "plugins/cpu/queue/queue.h"

/* --- submitting --- */

/* Takes ring.lock and gives room for a command of this kind and size, with a worker there to execute it. On failure
 * there is a text, nothing has changed, and the lock is not held. */
accel_status cpu_submit_begin(accel_impl_queue *, uint32_t kind, size_t size, cpu_record **);
/* Publishes it, gives the lock back, and wakes the worker if it is asleep. Returns the ticket. */
uint64_t cpu_submit_end(accel_impl_queue *, cpu_record *);

/* From begin to end the calling thread's commands, CPU_RING_CHUNK bytes of them, find room and a worker. One thread at a time.
 * On failure there is a text, and nothing has begun. Of a blocking queue they do nothing. */
accel_status cpu_queue_begin_steps(accel_impl_queue *);
void cpu_queue_end_steps(accel_impl_queue *);

/* --- waiting --- */

/* Returns when the command of this ticket is done; executes it, and those before it, if nobody else does. */
void cpu_queue_wait_ticket(accel_impl_queue *, uint64_t ticket);

/* --- the end --- */

/* The handle is gone: the worker ends when all commands are done. */
void cpu_queue_close(accel_impl_queue *);

#endif

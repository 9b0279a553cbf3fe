/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues. A blocking queue runs each operation on the calling thread, under its `run` lock. A non-blocking queue puts
 * commands into a ring; whoever holds `run` executes them: the queue's worker thread, or a thread that waits for them.
 *
 * Who may hold what: run before ring.lock; an event's lock before ring.lock; ring.lock before nothing. A command is
 * executed under `run` only.
 */
#ifndef ACCEL_CPU_QUEUE_H
#define ACCEL_CPU_QUEUE_H

#include "plugins/cpu/transfer/copy.h"
#include "plugins/cpu/engine/device.h"
#include "plugins/cpu/fault/absent_shared.h"
#include "plugins/cpu/fault/catcher.h"
#include "plugins/support/failure.h"
#include "plugins/cpu/dispatch/policy.h"
#include "plugins/cpu/queue/retire.h"
#include "plugins/cpu/queue/ring.h"

/* Of the worker thread. */
enum {
    CPU_WORKER_NONE,  /* there is no thread yet */
    CPU_WORKER_AWAKE, /* runs commands or polls: finds new ones by itself */
    CPU_WORKER_ENDED, /* queue destroyed, all done */
    CPU_WORKER_NAPS, /* finds new ones soon, unless the submitter computes on the CPU where it naps; from here on it rests */
    CPU_WORKER_ASLEEP /* must be woken */
};

struct accel_impl_queue {
    /* Groups of members begin new lines, so that those who submit and those who execute do not take them from each
     * other. First what every operation reads: immutable after creation. */
    bool blocking, profiling;
    _Atomic uint32_t generation; /* of forks, in which it works; changed by after_fork only */
    accel_impl_device *device;   /* retained */
    const cpu_executor *runner;  /* of launches: the executor, or the catcher that stands before it */
    size_t inline_blocks;        /* launches of so many run without asking the runner: 1, or 0 if it watches */
    cpu_launch_site site;
    const cpu_executor *executor; /* the device's */
    cpu_catcher *catcher;         /* owned; NULL: faults of kernels are the program's */
    accel_timeline *timeline;     /* retained; signalled by the holder of `run`, or at once in a blocking queue */
    cpu_retire_list retired;      /* memory that waits for this queue */

    _Alignas(CPU_RING_LINE) cpu_lock run; /* held by whoever executes operations of this queue */
    uint32_t depth;                       /* of queues whose waits led the holder of `run` here; guarded by it */
    plugin_failure failure;
    cpu_prepared prepared; /* of the holder of `run`, as the next two */
    cpu_absent_shared absent_shared;
    cpu_scratch scratch; /* long, so last: a launch after a pause finds the rest on few cold lines */

    _Alignas(CPU_RING_LINE) plugin_reference
        references;          /* handle, worker, events recorded here, waits for them, a timeline that is to notify */
    uint64_t timeline_value; /* last value given out; guarded by ring.lock, or by `run` in a blocking queue */

    /* Non-blocking only. */
    cpu_ring ring;
    _Alignas(CPU_RING_LINE) _Atomic uint32_t
        worker;           /* CPU_WORKER_*; changes under ring.lock only, so that "nothing to do, so sleep" and "new
                                command, so wake" cannot miss each other; the word that the worker sleeps on */
    _Atomic bool closing; /* handle gone; set under ring.lock */
    /* The CPU that the worker is kept off, and that of who made it awake last; -1: none. Changed by the worker while it is awake,
     * and by who makes it awake, under ring.lock. */
    int avoids, waker_cpu;
    _Atomic int thread;  /* the system's number of the worker; 0: not known yet */
    _Atomic int nap_cpu; /* where it naps */
    /* Threads in cpu_queue_wait_ticket sleep on this word. seq_cst, see scheduler.c. */
    _Atomic uint32_t wakeups;
    _Alignas(CPU_RING_LINE) _Atomic uint32_t
        parked; /* 1: the next command waits for a timeline. Set by the holder of `run`, cleared by notify */
    accel_timeline_waiter waiter; /* while parked */
    _Alignas(
        CPU_RING_LINE) cpu_spin spin; /* the worker's own, as the next: it writes them all the time while it polls */
    uint64_t looked;                  /* when it looked for commands last, in ns */
};

/* Contract: accel_device_vtable. */
accel_status cpu_queue_create(accel_impl_device *, uint32_t flags, int32_t priority, accel_impl_queue **);
void cpu_queue_retain(accel_impl_queue *);
void cpu_queue_release(accel_impl_queue *);

/* ACCEL_OK in the process that made the queue, or after after_fork said so; else ACCEL_FORKED with a text. */
accel_status cpu_queue_check_fork(accel_impl_queue *);
/* Contract: accel_queue_vtable. */
accel_status cpu_queue_after_fork(accel_impl_queue *);

/* An operation of a blocking queue begins: takes `run`. If the queue has failed, gives its failure and does not. The failure
 * is asked for under `run`: if another thread's wait has cleared it meanwhile, the operation goes on. */
static inline accel_status cpu_queue_begin(accel_impl_queue *queue)
{
    cpu_lock_acquire(&queue->run);
    if (__builtin_expect(plugin_failure_status(&queue->failure) == ACCEL_OK, 1))
        return ACCEL_OK;
    accel_status status = plugin_failure_refuse(&queue->failure, cpu_host());
    if (status != ACCEL_OK)
        cpu_lock_release(&queue->run);
    return status;
}

void cpu_queue_end_awaited(accel_impl_queue *);
static inline void cpu_queue_end(accel_impl_queue *queue)
{
    if (cpu_lock_leave(&queue->run))
        cpu_queue_end_awaited(queue);
}

/* The same after a launch that returned `status`. Returns the launch's status: a kernel that used shared memory which its
 * launch did not ask for has failed. */
accel_status cpu_queue_end_faulty(accel_impl_queue *, accel_status);
static inline accel_status cpu_queue_end_launch(accel_impl_queue *queue, accel_status status)
{
    return cpu_lock_leave(&queue->run) ? cpu_queue_end_faulty(queue, status) : status;
}

/* Under `run`: keeps and returns the failure of a kernel that used such memory; `status` if none did. */
accel_status cpu_queue_report_shared(accel_impl_queue *, accel_status);

/* Keeps the failure that an event or timeline carries. ACCEL_OK does nothing. */
static inline accel_status cpu_queue_inherit(accel_impl_queue *queue, accel_status status)
{
    if (status == ACCEL_OK)
        return ACCEL_OK;
    return plugin_failure_keep(&queue->failure, cpu_host(), plugin_failure_carried(cpu_host(), status));
}

/* Under `run`. */
static inline cpu_transfer_site cpu_queue_transfer_site(accel_impl_queue *queue)
{
    return (cpu_transfer_site){.executor = queue->executor,
                               .scratch = &queue->scratch,
                               .settings = queue->site.settings,
                               .device = queue->device};
}

/* Under `run`: runs the prepared launch with these arguments; one block without asking who else might. A failure is
 * kept. */
static inline accel_status cpu_queue_run(accel_impl_queue *queue, const void *args)
{
    cpu_launch *launch = &queue->prepared.launch;
    launch->args = args;
    accel_status status = launch->blocks == queue->inline_blocks
                              ? cpu_blocks_run(launch, &queue->scratch, 0, 1)
                              : queue->runner->run(queue->runner, launch, &queue->scratch);
    return __builtin_expect(status == ACCEL_OK, 1) ? ACCEL_OK
                                                   : plugin_failure_keep(&queue->failure, cpu_host(), status);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of kernels as failures of their launches (ACCEL_FAULTS=report). Without it there is no catcher, and nothing here runs.
 *
 * A queue with a catcher runs its launches through it: it stands before the device's executor, notes the launch, and gives it a
 * way of its own to run blocks. That one notes which block is next, and puts a function of its own before the kernel's. The
 * handler acts only where the thread is inside the kernel. It never jumps: it changes the registers that the system restores, so
 * that the thread goes on in a function which leaves the kernel, with the signal mask and the floating-point environment that it
 * had. On a fiber that is cpu_fiber_abandon; else a longjmp, on a stack of its own.
 *
 * What a kernel may hold is a lock of the process's table (ACCEL_ATOMIC_UPDATE). If it may hold one, the fault stays the
 * program's: another kernel would wait for that lock for ever.
 */
#ifndef ACCEL_CPU_CATCHER_H
#define ACCEL_CPU_CATCHER_H

#include "plugins/cpu/dispatch/executor.h"
#include "plugins/support/history.h"

/* One of each queue that reports faults. */
typedef struct cpu_catcher {
    cpu_executor executor;     /* first: by it the queue runs launches */
    const cpu_executor *inner; /* by which they then run */
    cpu_settings settings;     /* of the queue's launches; by it their threads find the catcher */
    plugin_history history;
} cpu_catcher;

/* The catcher of a new queue; NULL: its faults are not reported, because nobody asked for it, it is not known how on this
 * machine, the program handles one of the signals itself, or memory is short. The log has the reason but for the first. */
cpu_catcher *cpu_catcher_make(const cpu_executor *inner, const cpu_settings *);
/* NULL is allowed. */
void cpu_catcher_end(cpu_catcher *);

#endif

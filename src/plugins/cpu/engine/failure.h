/* SPDX-License-Identifier: Apache-2.0 */
/* The first failure of a queue, which stays until it has been reported (semantics Q7). */
#ifndef ACCEL_CPU_FAILURE_H
#define ACCEL_CPU_FAILURE_H

#include "plugins/cpu/engine/lock.h"

#include <accel/plugin.h>

enum { CPU_FAILURE_TEXT = 256 };

typedef struct cpu_failure {
    /* ACCEL_OK: none. Written under the lock; read without it by whoever only asks whether there is one. */
    _Atomic accel_status status;
    cpu_lock lock; /* guards text, and changes of status */
    char text[CPU_FAILURE_TEXT];
} cpu_failure;

static inline accel_status cpu_failure_status(cpu_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_acquire);
}

/* Keeps the failure, with the calling thread's error text, if it is the first. Returns `status`. */
CPU_EXPORT accel_status cpu_failure_keep(cpu_failure *, accel_status status);
/* The same for a failure that a waited-for event or timeline carries. ACCEL_OK does nothing. */
accel_status cpu_failure_inherit(cpu_failure *, accel_status status);
/* Tells the calling thread of the failure, for an operation that was skipped. Returns its status. */
accel_status cpu_failure_repeat(cpu_failure *);
/* The same, and clears it, unless the device is lost. */
CPU_EXPORT accel_status cpu_failure_report_kept(cpu_failure *);
/* ACCEL_OK, or the failure if there is one. */
static inline accel_status cpu_failure_report(cpu_failure *failure)
{
    return __builtin_expect(cpu_failure_status(failure) == ACCEL_OK, 1) ? ACCEL_OK : cpu_failure_report_kept(failure);
}

#endif

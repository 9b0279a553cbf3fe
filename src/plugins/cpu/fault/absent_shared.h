/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel has for dynamic shared memory if its launch asked for none: an address that no thread can use. A kernel that
 * uses it nevertheless is given memory there, so that it ends, and the launch fails. A launch that does not pays nothing.
 */
#ifndef ACCEL_CPU_ABSENT_SHARED_H
#define ACCEL_CPU_ABSENT_SHARED_H

#include "plugins/cpu/dispatch/launch.h"
#include "plugins/cpu/engine/lock.h"
#include "plugins/cpu/fault/zone.h"

#include <stdatomic.h>

/* One of each queue. */
typedef struct cpu_absent_shared {
    void *memory; /* NULL: there was none, and a kernel's pointer is NULL */
    cpu_zone *zone;
    cpu_lock *run;                             /* of the queue */
    const cpu_prepared *prepared;              /* its launch that runs; guarded by `run` */
    _Atomic(const accel_descriptor *) used_by; /* set by the handler, once until it is reported */
} cpu_absent_shared;

void cpu_absent_shared_begin(cpu_absent_shared *, cpu_lock *run, const cpu_prepared *);
void cpu_absent_shared_end(cpu_absent_shared *);

/* Did a kernel use it? */
static inline bool cpu_absent_shared_is_used(cpu_absent_shared *shared)
{
    return __builtin_expect(atomic_load_explicit(&shared->used_by, memory_order_acquire) != NULL, 0);
}

/* Under `run`, when no kernel runs: takes the memory away again, and returns the failure, with its text. ACCEL_OK: none used
 * it. */
accel_status cpu_absent_shared_report(cpu_absent_shared *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The way out of a kernel whose assertion failed (semantics K17). Kernels without assertions do not come here. */
#ifndef ACCEL_CPU_ASSERTION_H
#define ACCEL_CPU_ASSERTION_H

#include "plugins/cpu/dispatch/launch.h"

typedef struct cpu_assertion {
    accel_launch_context context; /* what the kernel is given, and hands back to `fail` */
    accel_assertion failed;       /* struct_size 0: none has */
} cpu_assertion;

static inline cpu_assertion *cpu_assertion_of(const accel_launch_context *context)
{
    return (cpu_assertion *)((uintptr_t)context - offsetof(cpu_assertion, context));
}

static inline bool cpu_assertion_failed(const cpu_assertion *assertion)
{
    return assertion->failed.struct_size != 0;
}

/* Keeps what failed, and tells an observer. */
void cpu_assertion_keep(cpu_assertion *, const accel_assertion *failed, const cpu_settings *);

/* The failure, with its text. */
accel_status cpu_assertion_report(const cpu_assertion *, const accel_descriptor *);

/* Runs blocks on the calling thread's own stack, until an assertion fails. */
typedef void (*cpu_run)(const cpu_launch *, const accel_launch_context *, size_t first, size_t count);
accel_status cpu_assertion_run(const cpu_launch *, const accel_launch_context *, cpu_run, size_t first, size_t count);

#endif

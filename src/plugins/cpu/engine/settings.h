/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine takes from libaccel's configuration, read once when the backend opens. */
#ifndef ACCEL_CPU_SETTINGS_H
#define ACCEL_CPU_SETTINGS_H

#include <accel/object.h>
#include <accel/plugin.h>

enum {
    CPU_PIN_NONE, /* threads move within the CPUs of their device */
    CPU_PIN_EACH, /* each has one CPU */
    CPU_PIN_NODE, /* each has the CPUs of one NUMA node */
    CPU_PIN_AUTO  /* unset: CPU_PIN_NODE, but CPU_PIN_NONE if other processes of the job have the same CPUs */
};

struct cpu_fiber_pool;

typedef struct cpu_settings {
    uint64_t spin_ns;  /* ACCEL_CPU_SPIN_US: how long an idle worker polls before it naps */
    size_t stack_size; /* ACCEL_CPU_STACK_SIZE: of a thread of a thread kernel */
    size_t guard_size; /* of address space below each of these stacks that no thread may touch; 0: a page */
    /* An observer's: is told of one that has overflowed, before its pool ends. NULL: none is. */
    void (*overflowed)(const struct cpu_fiber_pool *);
    /* Likewise: a kernel's assertion has failed. It may leave the stack that the kernel is on, and then calls the context's
     * `fail` again. */
    void (*asserted)(const accel_launch_context *, accel_assertion *);
    uint32_t threads;   /* ACCEL_CPU_THREADS: that one launch uses; 0: as many as there are CPUs for the process */
    uint32_t pin;       /* ACCEL_CPU_PIN */
    bool observed;      /* by an observer, which may park fibers */
    bool report_faults; /* ACCEL_FAULTS: faults of kernels fail their launches, and do not end the program */
    bool check;         /* ACCEL_CHECK: detect stack overflow of thread kernels */
} cpu_settings;

#endif

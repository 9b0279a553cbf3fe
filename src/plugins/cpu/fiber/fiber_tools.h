/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Announces stacks and switches to AddressSanitizer, ThreadSanitizer and valgrind, whichever of them runs the program:
 * the library itself need not have been built for it.
 */
#ifndef ACCEL_CPU_FIBER_TOOLS_H
#define ACCEL_CPU_FIBER_TOOLS_H

#include "plugins/cpu/engine/export.h"

#include <stdbool.h>
#include <stddef.h>

/* What the tools want to be told of a fiber. */
typedef struct cpu_fiber_marks {
    const void *stack; /* lowest byte */
    size_t size;
    void *fake_stack;  /* AddressSanitizer's */
    void *fiber;       /* ThreadSanitizer's */
    unsigned valgrind; /* number of the stack */
} cpu_fiber_marks;

/* Is there any tool to be told? */
bool cpu_fiber_tools_present(void);
CPU_EXPORT bool cpu_fiber_tools_has_valgrind(void);
void cpu_fiber_tools_create(cpu_fiber_marks *, const void *stack, size_t size);
void cpu_fiber_tools_destroy(cpu_fiber_marks *);
/* No frame of the fiber is there any more. */
void cpu_fiber_tools_forget(const cpu_fiber_marks *);
/* The calling thread's own stack, before fibers run on it. */
void cpu_fiber_tools_own(cpu_fiber_marks *);
/* On the old stack, before a switch. */
void cpu_fiber_tools_leave(cpu_fiber_marks *from, const cpu_fiber_marks *to);
/* On the new stack, after a switch; also the first thing that a fiber does. */
void cpu_fiber_tools_arrive(cpu_fiber_marks *self);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a kernel touches only by mistake: guard pages behind the stacks of fibers, and what a kernel has for shared
 * memory if its launch asked for none. The owner of a zone is told of the fault, and decides how the thread goes on.
 */
#ifndef ACCEL_CPU_ZONE_H
#define ACCEL_CPU_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

typedef struct cpu_zone cpu_zone;

/* Runs in a signal handler on the thread that touched `address`, and only does what is safe there. True: the thread goes
 * on as `registers` now say. False: this is not what the zone is for. */
typedef bool (*cpu_zone_touched)(void *owner, uintptr_t address, ucontext_t *registers);

/* NULL if memory is short: then faults there stay the program's. */
cpu_zone *cpu_zone_add(const void *begin, size_t size, cpu_zone_touched, void *owner);
/* No thread touches it any more. NULL is allowed. */
void cpu_zone_remove(cpu_zone *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all CPU backends of the process share: the CPUs that the process may use, and the locks behind atomics on structs
 * (semantics K8).
 *
 * The process's CPUs are those on which any of its threads may run. They are read when a CPU backend opens and no other is
 * open, so that all backends that are open at once have the same. They are read again
 *  - when a backend opens after all others were closed. The engine's own threads, which may still be about to end, do not
 *    count; those of an OpenMP runtime do, as those of the program.
 *  - in the child of a fork, when a backend opens there and none that was opened in the child is open; and when a device
 *    of the parent is first used there, unless they have been read. That device keeps to those of its CPUs that the child
 *    has, with no more threads than these are; a device of whose CPUs the child has none keeps them all.
 *
 * One thread's affinity says nothing of the others': a thread that is pinned, and creates a worker, narrows nothing. Where
 * the environment lets OpenMP runtimes pin threads, the one that opens a backend may have been the only one there was to
 * pin: there CPUs that are read again come to those that were known, and take none away.
 *
 * Where hwloc imitates another machine (topology.h), the process's CPUs are those that it may use there.
 */
#ifndef ACCEL_CPU_PROCESS_H
#define ACCEL_CPU_PROCESS_H

#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/mask.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_LOCKS = 4096 };

/* The process's lock table. All locks are free in the child of a fork. */
extern uint32_t cpu_process_locks[CPU_LOCKS];

/* A lock that does not become free within the time: its holder has left it. NULL: there is none. For signal handlers, too. */
CPU_EXPORT uint32_t *cpu_process_lock_left(uint64_t patience_ns);

/* A CPU backend opens: the CPUs of the process. The generation of forks is to be told when it closes. */
void cpu_process_open(uint8_t mask[CPU_MASK_BYTES], uint32_t *generation);
void cpu_process_close(uint32_t generation);
/* The CPUs of the process as they were read last. */
CPU_EXPORT void cpu_process_cpus(uint8_t mask[CPU_MASK_BYTES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all CPU backends of the process share, whichever plugin comes first: the CPUs that the process may use, and the
 * locks behind atomics on structs (semantics K8). It lies in libaccel's process slot of the name below; a change of the
 * layout takes a new name.
 *
 * The process's CPUs are those on which any of its threads may run, as when a CPU backend opened and no other was open; so
 * all backends that are open at once have the same. They are read anew
 *  - when a backend opens after all others were closed. The engine's own threads, which may still be about to end, do not
 *    count; those of an OpenMP runtime do, as those of the program.
 *  - in the child of a fork, when a backend opens there and none that was opened in the child is open; and when a device
 *    of the parent is first used there, unless they have been read. That device keeps to those of its CPUs that the child
 *    has, with no more threads than these are; a device of whose CPUs the child has none keeps them all.
 *
 * One thread's affinity says nothing of the others': a thread that is pinned, and creates a worker, narrows nothing. Where
 * the environment lets OpenMP runtimes pin threads, the one that opens a backend may have been the only one there was to
 * pin: there CPUs that are read anew come to those that were known, and take none away.
 */
#ifndef ACCEL_CPU_PROCESS_H
#define ACCEL_CPU_PROCESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_PROCESS_SLOT "cpu-process-2"

enum { CPU_LOCKS = 4096, CPU_MASK_BYTES = 1024 };

typedef struct cpu_process {
    _Atomic uint32_t generation; /* of forks, for which the locks were reset */
    _Atomic uint32_t busy; /* guards what follows, up to the mask. 0: free; else 1 + the holder's generation of forks */
    uint32_t known;        /* 1 + the generation in which the mask was read; 0: not yet */
    uint32_t backends;     /* that were opened in that generation, and are open */
    _Alignas(8) uint8_t mask[CPU_MASK_BYTES];
    uint32_t locks[CPU_LOCKS];
} cpu_process;

/* NULL if memory is short. */
cpu_process *cpu_process_get(void);
/* A CPU backend opens: the CPUs of the process. The generation of forks is to be told when it closes. */
void cpu_process_open(cpu_process *, uint8_t mask[CPU_MASK_BYTES], uint32_t *generation);
void cpu_process_close(cpu_process *, uint32_t generation);
/* The CPUs of the process as they were read last. */
void cpu_process_cpus(cpu_process *, uint8_t mask[CPU_MASK_BYTES]);
/* Before the first kernel runs in the child of a fork, so that locks that other threads held are free. */
void cpu_process_after_fork(cpu_process *);

#endif

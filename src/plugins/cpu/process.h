/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all CPU backends of the process share, whichever plugin comes first: the CPUs that the process may use, and the
 * locks behind atomics on structs (semantics K8). It lies in libaccel's process slot of the name below; a change of the
 * layout takes a new name.
 */
#ifndef ACCEL_CPU_PROCESS_H
#define ACCEL_CPU_PROCESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_PROCESS_SLOT "cpu-process-1"

enum { CPU_LOCKS = 4096, CPU_MASK_BYTES = 1024 };

typedef struct cpu_process {
    _Atomic uint32_t state;      /* 0 zeroed, 1 being filled, 2 filled (release) */
    _Atomic uint32_t generation; /* of forks, for which the locks were reset */
    uint32_t cpu_count;          /* set bits of the mask, at least 1 */
    uint32_t reserved;
    /* CPUs on which any thread of the process may run, as when the first CPU backend opened: a later pinning of the
     * thread that happens to create a worker (libgomp pins the main thread) does not narrow it. */
    _Alignas(8) uint8_t mask[CPU_MASK_BYTES];
    uint32_t locks[CPU_LOCKS];
} cpu_process;

/* NULL if memory is short. */
cpu_process *cpu_process_get(void);
/* Before the first kernel runs in the child of a fork, so that locks that other threads held are free. */
void cpu_process_after_fork(cpu_process *);

#endif

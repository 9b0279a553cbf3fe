/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CPUs the threads of a team may use.
 *
 * The threads of a sub-device's team keep to its CPUs. Runtimes put threads where their leader is or, with OMP_PROC_BIND, at
 * places of the whole process; and LLVM's moves a thread from one team to another. So each thread checks, when it
 * begins its part of a launch, whether it is bound to this device's CPUs, and binds itself if it is not.
 */
#ifndef ACCEL_CPU_OMP_BINDING_H
#define ACCEL_CPU_OMP_BINDING_H

#include "plugins/cpu/engine/process.h"

/* Of a device. */
typedef struct cpu_omp_binding {
    uint64_t number; /* of its own; 0: its threads stay where the runtime puts them */
    uint8_t mask[CPU_MASK_BYTES];
} cpu_omp_binding;

/* There has been a binding with a number. Relaxed: whoever begins a part of a launch knows the device's. */
extern _Atomic uint32_t cpu_omp_bindings;

void cpu_omp_binding_make(cpu_omp_binding *, const uint8_t mask[CPU_MASK_BYTES]);
void cpu_omp_bind_thread(const cpu_omp_binding *);

/* The calling thread belongs to a team of the device. */
static inline void cpu_omp_bind(const cpu_omp_binding *binding)
{
    if (__builtin_expect(atomic_load_explicit(&cpu_omp_bindings, memory_order_relaxed) != 0, 0))
        cpu_omp_bind_thread(binding);
}

/*
 * The calling thread of a team is on the CPU of the thread that leads, which waits for it. It goes to another one of its CPUs, if
 * it has as many as the team has threads, and may run on all of them afterwards. The system puts a thread that it wakes there
 * (thread.h), and leaves it there for some launches of 4 to 8 ms each. At most once in 10 ms, as another process may have the
 * other CPUs.
 */
void cpu_omp_step_aside(int cpu, uint32_t threads);

/*
 * With OMP_PROC_BIND, runtimes pin the thread that loads them. That is whoever makes an instance here, perhaps for another
 * backend. So the pinning is undone, and done again when that thread leads its first team.
 */

/* What the calling thread had before the runtime was loaded. */
typedef struct cpu_omp_pinning {
    uint8_t mask[CPU_MASK_BYTES];
    long bytes; /* of it; negative: unknown */
} cpu_omp_pinning;

extern _Atomic int cpu_omp_pinned; /* the thread that is to be pinned; 0: none */

cpu_omp_pinning cpu_omp_pinning_begin(void);
void cpu_omp_pinning_undo(const cpu_omp_pinning *);
void cpu_omp_pin_thread(void);

/* The calling thread is about to lead a team. */
static inline void cpu_omp_pin(void)
{
    if (__builtin_expect(atomic_load_explicit(&cpu_omp_pinned, memory_order_acquire) != 0, 0))
        cpu_omp_pin_thread();
}

#endif

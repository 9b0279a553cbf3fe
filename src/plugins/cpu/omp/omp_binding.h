/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of a sub-device's teams keep to its CPUs. Runtimes put threads where their leader is or, with OMP_PROC_BIND, at
 * places of the whole process; and LLVM's lends a thread to one team and later to another. So each thread looks, when it
 * begins its part of a launch, whether it stands where this device's threads belong; the first time, it goes there.
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

#endif

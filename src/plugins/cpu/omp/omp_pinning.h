/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OMP_PROC_BIND lets runtimes pin the thread that loads them. It happens here to whoever makes an instance, perhaps for
 * another backend: so that is taken back, and done when that thread leads its first team.
 */
#ifndef ACCEL_CPU_OMP_PINNING_H
#define ACCEL_CPU_OMP_PINNING_H

#include "plugins/cpu/engine/process.h"

/* What the calling thread had before the runtime was loaded. */
typedef struct cpu_omp_pinning {
    uint8_t mask[CPU_MASK_BYTES];
    long bytes; /* of it; negative: unknown */
} cpu_omp_pinning;

extern _Atomic int cpu_omp_pinned; /* the thread that is to be pinned; 0: none */

cpu_omp_pinning cpu_omp_pinning_begin(void);
void cpu_omp_pinning_take_back(const cpu_omp_pinning *);
void cpu_omp_pin_thread(void);

/* The calling thread is about to lead a team. */
static inline void cpu_omp_pin(void)
{
    if (__builtin_expect(atomic_load_explicit(&cpu_omp_pinned, memory_order_acquire) != 0, 0))
        cpu_omp_pin_thread();
}

#endif

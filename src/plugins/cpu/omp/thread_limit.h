/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads the system allows a team. OpenMP runtimes end the process if they cannot create a thread (limits of
 * processes, control groups, memory). So before a thread first leads a team of some size, as many threads are created and
 * ended here, where a failure has no such consequence, and then the runtime creates its own in an empty region. Where the
 * process's address space is limited, the team grows by one thread at a time.
 *
 * What cannot be prevented: another part of the process, or another process under the same limit, may take the room in between,
 * and a program's own parallel regions do not pass here.
 */
#ifndef ACCEL_CPU_OMP_THREAD_LIMIT_H
#define ACCEL_CPU_OMP_THREAD_LIMIT_H

#include "plugins/cpu/engine/export.h"

#include <stdint.h>

/* The most threads that the calling thread has prepared for, itself included, and the most that it can have. */
extern CPU_OF_THREAD uint32_t cpu_omp_prepared_threads, cpu_omp_possible_threads;

uint32_t cpu_omp_prepare_threads(uint32_t threads);
/* Once in the child of a fork, before its first launch. */
void cpu_omp_thread_limit_after_fork(void);

/* The calling thread is about to lead a team of so many threads. Returns how many it may have: fewer, after a warning, where
 * the system allows no more. The runtime may be called. */
static inline uint32_t cpu_omp_allowed_threads(uint32_t threads)
{
    return __builtin_expect(threads <= cpu_omp_prepared_threads, 1) ? threads : cpu_omp_prepare_threads(threads);
}

#endif

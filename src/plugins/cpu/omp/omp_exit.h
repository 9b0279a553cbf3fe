/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's runtime is taken down when the program exits, and crashes if another thread then begins a team (semantics O5). So
 * from the moment of exit on launches run on their own threads alone, and exit waits a while for teams at work.
 */
#ifndef ACCEL_CPU_OMP_EXIT_H
#define ACCEL_CPU_OMP_EXIT_H

#include <stdbool.h>
#include <stdint.h>

/* Once per process, after the runtime was loaded, so that it is told before the runtime is. False: out of memory. */
bool cpu_omp_watch_exit(void);
/* Before the runtime is called, and after. False: the program exits; do not call. */
bool cpu_omp_enter(void);
void cpu_omp_leave(void);
/* Calls between the two, for which exit waits. */
uint32_t cpu_omp_inside(void);
/* In the child of a fork, once per fork: what other threads entered is void. */
void cpu_omp_after_fork(void);

#endif

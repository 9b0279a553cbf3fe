/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Teams of threads of the OpenMP runtime, which run launches of a cpu-omp device.
 *
 * A team runs a launch in one parallel region. Its threads get contiguous shares of the blocks or, if OMP_SCHEDULE is set, parts
 * by schedule(runtime). Runtimes keep a team for each thread that ever led one. To have no more threads at work than one team
 * has, a device has one team at work at a time: a launch that finds it busy begins inline, in small parts, and gets the team as
 * soon as it is free. So nobody waits.
 *
 * The team of a sub-device has its part of the device's threads, as many as when the sub-device was made, on its CPUs. A thread of
 * its own leads it, while the launching thread waits. OpenMP settings that the launching thread changes later do not reach it.
 */
#ifndef ACCEL_CPU_OMP_TEAM_H
#define ACCEL_CPU_OMP_TEAM_H

#include "plugins/cpu/dispatch/dispatch.h"
#include "plugins/cpu/engine/lock.h"
#include "plugins/cpu/omp/binding.h"
#include "plugins/cpu/omp/leader.h"
#include "plugins/cpu/omp/runtime.h"

enum { CPU_OMP_LINE = 64 };

typedef struct cpu_omp_scratch {
    _Alignas(CPU_OMP_LINE) cpu_scratch scratch;
} cpu_omp_scratch;

typedef struct cpu_omp_team {
    uint32_t limit;         /* threads */
    cpu_omp_leader *leader; /* owned; of a sub-device's team, which has `limit` threads; NULL: whoever launches */
    cpu_omp_binding binding;
    bool scheduled;                      /* by OMP_SCHEDULE */
    uint8_t leader_mask[CPU_MASK_BYTES]; /* where a leader starts, and so its team's threads */

    _Alignas(CPU_OMP_LINE) cpu_lock busy; /* tried only; held by the launch that the team runs, and guards the rest */
    uint32_t scratch_count;
    cpu_omp_scratch *scratches; /* owned; of threads from 1 on. Thread 0 uses that of the launch's queue */
} cpu_omp_team;

/* Threads of the next region that the calling thread begins. */
uint32_t cpu_omp_team_size(const cpu_omp_team *);
/* Runs the blocks from `first` on. */
accel_status cpu_omp_team_run(cpu_omp_team *, const cpu_launch *, cpu_scratch *, cpu_cost *, size_t first);
/* Nothing runs, and nothing will. Does not wait for the leader. */
void cpu_omp_team_clear(cpu_omp_team *);
/* In the child of a fork, once. Scratches that the team was using are left as they are, because their fibers may be anywhere. */
void cpu_omp_team_after_fork(cpu_omp_team *);

#endif

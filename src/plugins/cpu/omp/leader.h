/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that leads teams for others. Two need one:
 *  - Sub-devices. A runtime makes a team's threads where the team's leader may run, and keeps them for it; so the team of a
 *    sub-device has a leader of its own, and not whoever launches.
 *  - The child of a fork. GNU's runtime keeps a team's threads by the thread that led it. In the child they do not exist,
 *    and the thread that forked, were it to lead a team again, would wait for them for ever.
 */
#ifndef ACCEL_CPU_OMP_LEADER_H
#define ACCEL_CPU_OMP_LEADER_H

#include "plugins/cpu/engine/process.h"

#include <stdbool.h>

/* Zeroed: nobody leads yet. Call and data are the caller's to write while the state is IDLE; the release of CALLED and of
 * IDLE pass them, and what was done, on. */
typedef struct cpu_omp_leader {
    _Atomic uint32_t state;    /* both sides sleep on it */
    _Atomic uint32_t sleepers; /* or about to sleep; seq_cst, as the state */
    void (*call)(void *data);
    void *data;
    uint64_t spin_ns; /* how long both poll first */
    bool runs;
    uint32_t generation; /* of forks, in which it was started */
} cpu_omp_leader;

/* Is the calling thread the one that forked? Only asked in the child of a fork. */
bool cpu_omp_leader_needed(void);
/* Runs call(data) on the leader and waits; false, and nothing was run: it could not be started. By one thread at a time. The
 * leader starts on the CPUs of the mask. */
bool cpu_omp_leader_call(cpu_omp_leader *, void (*call)(void *data), void *data, const uint8_t mask[CPU_MASK_BYTES]);
/* Nobody calls it again. The leader, which must have been allocated, runs last(data) and is freed, now or soon. */
void cpu_omp_leader_end(cpu_omp_leader *, void (*last)(void *data), void *data);

#endif

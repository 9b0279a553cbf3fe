/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that leads teams for others. It is needed twice:
 *  - Sub-devices. A runtime creates a team's threads where the team's leader may run, and keeps them for that leader. So the
 *    team of a sub-device has a leader of its own, not the launching thread.
 *  - The child of a fork. GNU's runtime keeps a team's threads with the thread that led it. In the child they do not exist, and
 *    the thread that forked would wait for them for ever if it led a team again.
 */
#ifndef ACCEL_CPU_OMP_LEADER_H
#define ACCEL_CPU_OMP_LEADER_H

#include "plugins/cpu/engine/process.h"

#include <stdbool.h>

/* Zeroed: nobody leads yet. The caller writes `call` and `data` while the state is IDLE. The release of CALLED publishes them,
 * that of IDLE publishes what was done. */
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

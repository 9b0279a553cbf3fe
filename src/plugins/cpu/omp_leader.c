/* SPDX-License-Identifier: Apache-2.0 */
#include "omp_leader.h"
#include "engine.h"
#include "futex.h"
#include "thread.h"

enum { IDLE, CALLED };

/* One for the process. Call and data are the caller's to write while the state is IDLE, the release of CALLED and of IDLE
 * pass them, and what was done, on. */
static struct {
    _Atomic uint32_t state; /* both sleep on it */
    void (*call)(void *);
    void *data;
    bool runs;
    uint32_t generation; /* of forks, in which it was started */
} leader;

bool cpu_omp_leader_needed(void)
{
    return gettid() == getpid();
}

static void *leader_main(void *user)
{
    (void)user;
    cpu_thread_begin("accel-leader");
    for (;;) {
        while (atomic_load_explicit(&leader.state, memory_order_acquire) != CALLED)
            cpu_futex_wait(&leader.state, IDLE, 0);
        leader.call(leader.data);
        atomic_store_explicit(&leader.state, IDLE, memory_order_release);
        cpu_futex_wake(&leader.state, 1);
    }
    return NULL;
}

bool cpu_omp_leader_call(void (*call)(void *), void *data, const uint8_t mask[CPU_MASK_BYTES])
{
    uint32_t generation = *cpu_host()->fork_generation;
    if (!leader.runs || leader.generation != generation) {
        atomic_store_explicit(&leader.state, IDLE, memory_order_relaxed);
        leader.generation = generation;
        leader.runs = cpu_thread_start(leader_main, NULL, mask) == 0;
        if (!leader.runs)
            return false;
    }
    leader.call = call;
    leader.data = data;
    atomic_store_explicit(&leader.state, CALLED, memory_order_release);
    cpu_futex_wake(&leader.state, 1);
    while (atomic_load_explicit(&leader.state, memory_order_acquire) != IDLE)
        cpu_futex_wait(&leader.state, CALLED, 0);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/leader.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/futex.h"
#include "plugins/cpu/dispatch/policy.h"
#include "plugins/cpu/machine/thread.h"

#include <limits.h>

enum { IDLE, CALLED, ENDING, PAUSES = 64 /* between two looks at the clock */ };

bool cpu_omp_leader_needed(void)
{
    return gettid() == getpid();
}

static void change(cpu_omp_leader *leader, uint32_t state)
{
    atomic_store_explicit(&leader->state, state, memory_order_seq_cst);
    if (atomic_load_explicit(&leader->sleepers, memory_order_seq_cst) != 0)
        cpu_futex_wake(&leader->state, INT_MAX);
}

/* Returns the state when it is another one than this. */
static uint32_t wait_while(cpu_omp_leader *leader, uint32_t state)
{
    cpu_spin spin = cpu_spin_of(leader->spin_ns);
    uint32_t now;
    for (uint32_t turn = 1; (now = atomic_load_explicit(&leader->state, memory_order_acquire)) == state; ++turn) {
        cpu_relax();
        if (turn % PAUSES != 0 || cpu_spin_continues(&spin, cpu_clock_ns()))
            continue;
        atomic_fetch_add_explicit(&leader->sleepers, 1, memory_order_seq_cst);
        while (atomic_load_explicit(&leader->state, memory_order_seq_cst) == state)
            cpu_futex_wait(&leader->state, state, 0);
        atomic_fetch_sub_explicit(&leader->sleepers, 1, memory_order_relaxed);
    }
    return now;
}

static void *leader_main(void *user)
{
    cpu_omp_leader *leader = user;
    cpu_thread_begin(CPU_THREAD_NAME "leader");
    while (wait_while(leader, IDLE) == CALLED) {
        leader->call(leader->data);
        change(leader, IDLE);
    }
    leader->call(leader->data);
    free(leader);
    return NULL;
}

bool cpu_omp_leader_call(cpu_omp_leader *leader, void (*call)(void *), void *data, const uint8_t mask[CPU_MASK_BYTES])
{
    uint32_t generation = *cpu_host()->fork_generation;
    if (!leader->runs || leader->generation != generation) {
        atomic_store_explicit(&leader->state, IDLE, memory_order_relaxed);
        atomic_store_explicit(&leader->sleepers, 0, memory_order_relaxed);
        leader->generation = generation;
        leader->runs = cpu_thread_start(leader_main, leader, mask) == 0;
        if (!leader->runs)
            return false;
    }
    leader->call = call;
    leader->data = data;
    change(leader, CALLED);
    wait_while(leader, CALLED);
    return true;
}

void cpu_omp_leader_end(cpu_omp_leader *leader, void (*last)(void *), void *data)
{
    if (!leader->runs || leader->generation != *cpu_host()->fork_generation) {
        free(leader);
        return;
    }
    leader->call = last;
    leader->data = data;
    change(leader, ENDING);
}

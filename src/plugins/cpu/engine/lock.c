/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/lock.h"

#include <sched.h>

enum { SPINS = 200, SLEEP_NS = 1000000, NAP_NS = 50000 };

void cpu_lock_acquire_slow(cpu_lock *lock)
{
    for (int i = 0; i < SPINS; ++i) {
        cpu_relax();
        if (cpu_lock_try(lock))
            return;
    }
    atomic_fetch_add_explicit(&lock->waiters, 1, memory_order_relaxed);
    while (!cpu_lock_try(lock))
        cpu_futex_wait(&lock->held, CPU_LOCK_HELD, SLEEP_NS);
    atomic_fetch_sub_explicit(&lock->waiters, 1, memory_order_relaxed);
}

/* Whoever holds it has lost its CPU if this takes long: let it run. */
static void let_run(int turn)
{
    if (turn <= SPINS)
        cpu_relax();
    else if (turn % SPINS != 0)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS},
                  NULL); /* a holder of lower priority gains nothing by a yield */
}

void cpu_lock_spin_slow(cpu_lock *lock)
{
    for (int turn = 1; !cpu_lock_try(lock); ++turn)
        let_run(turn);
}

void cpu_lock_look_slow(cpu_lock *lock)
{
    for (int turn = 1; !cpu_lock_try_look(lock); ++turn)
        let_run(turn);
}

void cpu_lock_wake(cpu_lock *lock)
{
    cpu_futex_wake(&lock->held, 1);
}

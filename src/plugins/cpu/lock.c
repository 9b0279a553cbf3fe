/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

enum { SPINS = 200, SLEEP_NS = 1000000 };

void cpu_lock_acquire_slow(cpu_lock *lock)
{
    for (int i = 0; i < SPINS; ++i) {
        cpu_relax();
        if (cpu_lock_try(lock))
            return;
    }
    atomic_fetch_add_explicit(&lock->waiters, 1, memory_order_relaxed);
    while (!cpu_lock_try(lock))
        cpu_futex_wait(&lock->held, 1, SLEEP_NS);
    atomic_fetch_sub_explicit(&lock->waiters, 1, memory_order_relaxed);
}

void cpu_lock_wake(cpu_lock *lock)
{
    cpu_futex_wake(&lock->held, 1);
}

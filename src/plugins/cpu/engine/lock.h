/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock whose uncontended cost is one atomic exchange to take and one plain store to give back. Each lock is taken in
 * one of two ways: cpu_lock_acquire where it may be held for long, waiters sleep; cpu_lock_spin where it is held for a
 * few instructions, waiters spin and no holder ever has to wake one.
 *
 * Giving back has no fence between the store and the look at `waiters`, so a waiter that arrives at that moment may be
 * missed: waiters therefore sleep at most a millisecond at a time.
 */
#ifndef ACCEL_CPU_LOCK_H
#define ACCEL_CPU_LOCK_H

#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/futex.h"

#include <stdbool.h>

enum {
    CPU_LOCK_HELD = 1,
    CPU_LOCK_LOOKING =
        2 /* by a holder who changes nothing that a fork could leave half done; a waiter may make it HELD */
};

typedef struct cpu_lock {
    _Atomic uint32_t held;    /* 0, or CPU_LOCK_*; taken with acquire, given back with release */
    _Atomic uint32_t waiters; /* threads that sleep or are about to; relaxed, see above */
} cpu_lock;

CPU_EXPORT void cpu_lock_acquire_slow(cpu_lock *);
void cpu_lock_spin_slow(cpu_lock *);
void cpu_lock_look_slow(cpu_lock *);
CPU_EXPORT void cpu_lock_wake(cpu_lock *);

static inline bool cpu_lock_is_held(cpu_lock *lock)
{
    return atomic_load_explicit(&lock->held, memory_order_acquire) != 0;
}

static inline bool cpu_lock_try(cpu_lock *lock)
{
    return atomic_load_explicit(&lock->held, memory_order_relaxed) == 0 &&
           atomic_exchange_explicit(&lock->held, CPU_LOCK_HELD, memory_order_acquire) == 0;
}

static inline void cpu_lock_acquire(cpu_lock *lock)
{
    if (__builtin_expect(atomic_exchange_explicit(&lock->held, CPU_LOCK_HELD, memory_order_acquire) != 0, 0))
        cpu_lock_acquire_slow(lock);
}

static inline void cpu_lock_spin(cpu_lock *lock)
{
    if (__builtin_expect(atomic_exchange_explicit(&lock->held, CPU_LOCK_HELD, memory_order_acquire) != 0, 0))
        cpu_lock_spin_slow(lock);
}

static inline bool cpu_lock_try_look(cpu_lock *lock)
{
    uint32_t free = 0;
    return atomic_compare_exchange_strong_explicit(&lock->held, &free, CPU_LOCK_LOOKING, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* As cpu_lock_spin, by whoever only looks at what the lock guards. */
static inline void cpu_lock_look(cpu_lock *lock)
{
    if (__builtin_expect(!cpu_lock_try_look(lock), 0))
        cpu_lock_look_slow(lock);
}

/* The lock's storage must outlive the call: whoever frees it knows that no thread is inside. True: somebody waits. */
static inline bool cpu_lock_leave(cpu_lock *lock)
{
    atomic_store_explicit(&lock->held, 0, memory_order_release);
    return __builtin_expect(atomic_load_explicit(&lock->waiters, memory_order_relaxed) != 0, 0);
}

static inline void cpu_lock_release(cpu_lock *lock)
{
    if (cpu_lock_leave(lock))
        cpu_lock_wake(lock);
}

#endif

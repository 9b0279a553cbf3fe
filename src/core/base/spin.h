/* SPDX-License-Identifier: Apache-2.0 */
/* A lock for a few instructions, which is given back by a store: it costs half of a mutex. Made of zeros. */
#ifndef ACCEL_CORE_SPIN_H
#define ACCEL_CORE_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

/* In a loop that polls. */
static inline void accel_spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}

static inline void accel_spin_lock(_Atomic uint32_t *lock)
{
    for (unsigned turn = 1; atomic_exchange_explicit(lock, 1, memory_order_acquire) != 0; ++turn) {
        if (turn % 64 == 0)
            sched_yield(); /* its owner may have lost the CPU */
        else
            accel_spin_pause();
    }
}

static inline void accel_spin_unlock(_Atomic uint32_t *lock)
{
    atomic_store_explicit(lock, 0, memory_order_release);
}

#endif

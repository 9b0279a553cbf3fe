/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fork left behind is put in order once per object, by whoever uses it first in the child, while others wait. An
 * object has a generation of forks for this: the one in which it is in order.
 */
#ifndef ACCEL_CPU_FORK_H
#define ACCEL_CPU_FORK_H

#include "plugins/cpu/engine/host.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* True: the caller is to put the object in order, and then to call cpu_fork_end. False: it is in order. */
static inline bool cpu_fork_begin(_Atomic uint32_t *generation)
{
    const uint32_t now = *cpu_host()->fork_generation, at_it = now | 1u << 31;
    uint32_t seen;
    while ((seen = atomic_load_explicit(generation, memory_order_acquire)) != now) {
        if (seen == at_it)
            sched_yield();
        else if (atomic_compare_exchange_strong(generation, &seen, at_it)) /* also of one that a further fork left */
            return true;
    }
    return false;
}

static inline void cpu_fork_end(_Atomic uint32_t *generation)
{
    atomic_store_explicit(generation, *cpu_host()->fork_generation, memory_order_release);
}

#endif

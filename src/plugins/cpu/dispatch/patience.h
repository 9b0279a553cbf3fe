/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a thread that has nothing to do polls before it sleeps. At most for ACCEL_CPU_SPIN_US, 0: not at all; after each
 * poll in vain the next is half as long, down to an eighth, until there was work again. And where more threads want to
 * run than there are CPUs, it does not poll: what it waits for may be waiting for its CPU.
 *
 * That is seen by the clock: two looks at it are far apart only if another thread had the CPU in between. Once is no sign,
 * twice without work in between is. Then the poll ends at once, and for a while there is no other.
 *
 * A struct belongs to one thread. Times are those of cpu_clock_ns.
 */
#ifndef ACCEL_CPU_PATIENCE_H
#define ACCEL_CPU_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CPU_PATIENCE_LEAST = 8,           /* no poll gets shorter than this part of the longest */
    CPU_PATIENCE_TAKEN_NS = 20000,    /* looks at the clock are further apart only if another thread had the CPU */
    CPU_PATIENCE_TAKEN_TIMES = 2,     /* so often without work in between, and there are more threads than CPUs */
    CPU_PATIENCE_CROWDED_NS = 1000000 /* for so long after that there is no poll */
};

typedef struct cpu_patience {
    uint64_t most;          /* ns that a poll lasts at first */
    uint64_t budget;        /* ns that the next one lasts */
    uint64_t begin;         /* of the poll that is under way; 0: none is */
    uint64_t last;          /* look at the clock in a poll; 0: there was none yet */
    uint64_t crowded_until; /* no poll begins before this */
    uint32_t taken;         /* times that another thread had the CPU */
} cpu_patience;

static inline cpu_patience cpu_patience_of(uint64_t most)
{
    return (cpu_patience){.most = most, .budget = most};
}

/* There was work, or at least a sign of some: the next poll begins anew. */
static inline void cpu_patience_restart(cpu_patience *own)
{
    own->begin = 0;
}

/* There was work: the next poll lasts as long as the first one did. */
static inline void cpu_patience_renew(cpu_patience *own)
{
    own->begin = 0;
    own->budget = own->most;
    own->taken = 0;
}

/* Begins a poll, or goes on with it: to be asked at each look at the clock. False: sleep now. The next call after that begins
 * another poll. */
static inline bool cpu_patience_lasts(cpu_patience *own, uint64_t now)
{
    if (own->begin == 0) {
        if (own->budget == 0 || now < own->crowded_until)
            return false;
        own->begin = own->last = now;
        return true;
    }
    own->taken += now - own->last > CPU_PATIENCE_TAKEN_NS;
    own->last = now;
    bool crowded = own->taken >= CPU_PATIENCE_TAKEN_TIMES;
    if (!crowded && now - own->begin < own->budget)
        return true;
    own->begin = 0;
    if (own->budget > own->most / CPU_PATIENCE_LEAST)
        own->budget /= 2;
    if (crowded) {
        own->crowded_until = now + CPU_PATIENCE_CROWDED_NS;
        own->taken = 0;
    }
    return false;
}

#endif

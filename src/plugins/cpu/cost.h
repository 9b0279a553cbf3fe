/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What launches of a queue cost lately, so that those that are over before another thread could take part are not
 * handed out. Ticks are the processor's: of a third to one nanosecond on x86-64, of a nanosecond elsewhere. What is
 * decided by them needs no more exactness.
 */
#ifndef ACCEL_CPU_COST_H
#define ACCEL_CPU_COST_H

#include "futex.h"

#include <accel/plugin.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t cpu_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return cpu_clock_ns();
#endif
}

#if defined(__x86_64__)
#define CPU_TICKS_OF_NS(ns) ((ns) * (uint64_t)2)
#else
#define CPU_TICKS_OF_NS(ns) ((ns) * (uint64_t)1)
#endif

/* A launch of the same kernel and shape is expected to take as long as the last one. */
typedef struct cpu_cost {
    const accel_kernel_descriptor *kernel; /* NULL: empty */
    uint64_t shape;                        /* of blocks, threads and elements, hashed */
    uint64_t ticks;                        /* of all blocks on one thread; UINT64_MAX: unknown */
    uint32_t small;                        /* launches in a row that were not worth a hand-out */
    uint32_t trust;                        /* so many of them are believed; doubles when they were wrong */
    uint32_t losses;                       /* hand-outs in a row that took longer than one thread would have */
    uint32_t alone;                        /* launches that are therefore still to be run by their caller */
} cpu_cost;

enum { CPU_COSTS = 8, CPU_COST_TRUST = 2, CPU_COST_TRUST_MAX = 1 << 12, CPU_COST_LOSSES_MAX = 8 };
/* Below this a launch is run by its caller alone: a hand-out to a thread that polls costs both about as much. */
#define CPU_COST_SMALL CPU_TICKS_OF_NS(1000)

static inline bool cpu_cost_is_small(const cpu_cost *cost)
{
    return cost->small >= cost->trust;
}

/* After a hand-out that took `elapsed`, where one thread would have taken `ticks`. There may be more threads than CPUs, and
 * then whoever waits for another one waits for a turn of the system's scheduler. Once is no sign: threads were made. */
static inline void cpu_cost_compare(cpu_cost *cost, uint64_t elapsed, uint64_t ticks)
{
    cost->losses = elapsed <= ticks ? 0 : cost->losses < CPU_COST_LOSSES_MAX ? cost->losses + 1 : cost->losses;
    cost->alone = ((uint32_t)1 << cost->losses) / 4 * 2; /* 0, 0, 2, 4, 8 ... */
}

/* After a launch that took, or would have taken, so long on one thread. */
static inline void cpu_cost_note(cpu_cost *cost, uint64_t ticks)
{
    if (ticks <= CPU_COST_SMALL) {
        cost->small += cost->small < CPU_COST_TRUST_MAX;
    } else {
        if (cost->small >= cost->trust && cost->trust < CPU_COST_TRUST_MAX)
            cost->trust *= 2;
        cost->small = 0;
    }
    cost->ticks = ticks;
}

#endif

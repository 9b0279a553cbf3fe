/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What launches of a queue cost lately, so that those that are over before another thread could take part are not
 * handed out. Ticks are the processor's: of a third to one nanosecond on x86-64, of a nanosecond elsewhere. What is
 * decided by them needs no more exactness.
 */
#ifndef ACCEL_CPU_COST_H
#define ACCEL_CPU_COST_H

#include "plugins/cpu/machine/futex.h"

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

/* How a launch is run: shared out, or by its caller alone. */
enum { CPU_SHARED, CPU_ALONE };

/*
 * Launches of one kernel and shape. Whether a hand-out of a microsecond or two pays is not computed but tried, from time to
 * time, one way against the other: it depends on how near the CPUs are to one another, and on whose caches hold the
 * data. Alone, all of them come to one CPU; shared out, every thread finds its part again. So the first launches after a
 * change are slow either way, and the first ticks of a launch that is shared out do not tell what it would take alone.
 */
typedef struct cpu_cost {
    const accel_kernel_descriptor *kernel; /* NULL: empty */
    uint64_t shape;                        /* of blocks, threads and elements, hashed */
    uint64_t ticks;            /* of all blocks on one thread, as the last launch has it; UINT64_MAX: unknown */
    uint64_t took[2], most[2]; /* what those that count took together; the longest of them */
    uint32_t how;              /* launches are run now */
    uint32_t trial;            /* 1: only to find out what it takes */
    uint32_t left;             /* launches until the other way is tried or, in a trial, until it is judged */
    uint32_t stint;            /* launches from a trial to the next; doubles with each that changed nothing */
    uint32_t longer;           /* LONG launches alone, in a row */
    uint32_t losses;           /* hand-outs in a row that took longer than one thread would have */
    uint32_t alone;            /* launches that are therefore still to be run by their caller */
} cpu_cost;

enum {
    CPU_COSTS = 32,
    CPU_COST_SETTLE = 8,  /* launches at the beginning of a trial that move data and do not count */
    CPU_COST_SAMPLES = 9, /* launches at the end of a trial, or of a stint, that count, but for the longest */
    CPU_COST_LONGER = 2,  /* one may be an interruption */
    CPU_COST_STINT = 64,
    CPU_COST_STINT_MAX = 1 << 16,
    CPU_COST_LOSSES_MAX = 14 /* even */
};
/* Up to TINY a launch is over before another thread could take part: the other way is never tried. Above LONG it is
 * shared out: the hand-out to a thread that polls costs less than is gained. */
#define CPU_COST_TINY CPU_TICKS_OF_NS(250)
#define CPU_COST_LONG CPU_TICKS_OF_NS(4000)
/* An eighth of a launch that is run alone takes no longer, or the rest is shared out: an interruption may be in it. */
#define CPU_COST_PATIENT (CPU_COST_LONG / 2)

#define CPU_COST_UNKNOWN .ticks = UINT64_MAX, .left = CPU_COST_SAMPLES, .stint = CPU_COST_STINT

static inline bool cpu_cost_is_alone(const cpu_cost *cost)
{
    return cost->how == CPU_ALONE;
}

/* After a hand-out that took `elapsed`, where one thread would have taken `ticks`. There may be more threads than CPUs, and
 * then whoever waits for another one waits for a turn of the system's scheduler. One loss is no sign: threads were made, or
 * had fallen asleep while launches were run alone. So the next launch is handed out, too, and only if that one loses as well,
 * some are run alone: 2, then 4, 8 ... */
static inline void cpu_cost_compare(cpu_cost *cost, uint64_t elapsed, uint64_t ticks)
{
    if (elapsed <= ticks)
        cost->losses = 0;
    else
        cost->losses = cost->losses < CPU_COST_LOSSES_MAX ? cost->losses + 1 : CPU_COST_LOSSES_MAX - 1;
    cost->alone = cost->losses % 2 != 0 || cost->losses == 0 ? 0 : (uint32_t)1 << cost->losses / 2;
}

/* Begins a trial, which is to be compared with what the launches before it took: 0 if that is not known. */
static inline void cpu_cost_try(cpu_cost *cost, uint32_t how)
{
    cost->how = how;
    cost->trial = 1;
    cost->left = CPU_COST_SETTLE + CPU_COST_SAMPLES;
    cost->took[how] = cost->most[how] = 0;
}

/* Begins a stint. */
static inline void cpu_cost_go_on(cpu_cost *cost, uint32_t how, uint32_t stint)
{
    cost->how = how;
    cost->trial = 0;
    cost->stint = cost->left = stint < CPU_COST_STINT_MAX ? stint : CPU_COST_STINT_MAX;
    cost->took[how] = cost->most[how] = 0;
    cost->longer = 0;
}

static inline void cpu_cost_judge(cpu_cost *cost)
{
    uint32_t how = cost->how;
    cost->took[how] -= cost->most[how];
    if (!cost->trial)
        cpu_cost_try(cost, !how);
    else if (cost->took[how] < cost->took[!how] || cost->took[!how] == 0)
        cpu_cost_go_on(cost, how, CPU_COST_STINT);
    else
        cpu_cost_go_on(cost, !how, 2 * cost->stint);
}

/* After a launch that was run so: it took, or would have taken, `ticks` on one thread, and took `elapsed`; 0: that is
 * not known. */
static inline void cpu_cost_note(cpu_cost *cost, uint32_t how, uint64_t ticks, uint64_t elapsed)
{
    cost->ticks = ticks;
    if (how != cost->how) /* it could not be run as it should */
        return;
    if (how == CPU_ALONE && ticks > CPU_COST_LONG) {
        if (++cost->longer == CPU_COST_LONGER)
            cpu_cost_go_on(cost, CPU_SHARED, 2 * cost->stint);
        return;
    }
    cost->longer = 0;
    if (how == CPU_ALONE && ticks <= CPU_COST_TINY) {
        if (__builtin_expect(cost->trial != 0, 0))
            cpu_cost_go_on(cost, CPU_ALONE, CPU_COST_STINT);
        return;
    }
    if (how == CPU_SHARED && ticks <= CPU_COST_TINY && !cost->trial) {
        cost->took[CPU_SHARED] = 0;
        cpu_cost_try(cost, CPU_ALONE);
        return;
    }
    if (elapsed == 0 || (ticks > CPU_COST_LONG && !cost->trial))
        return;
    if (cost->left <= CPU_COST_SAMPLES) {
        cost->took[how] += elapsed;
        cost->most[how] = elapsed > cost->most[how] ? elapsed : cost->most[how];
    }
    if (--cost->left == 0)
        cpu_cost_judge(cost);
}

#endif

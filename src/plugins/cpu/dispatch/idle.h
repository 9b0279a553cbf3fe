/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a worker of a pool waits for the next launch. It polls for ACCEL_CPU_SPIN_US. Programs do other work between launches:
 * if the usual gap is longer than that, and short enough to be waited through, the worker goes on, for twice as long as that
 * at most. If it is long enough for a timer, the worker naps until some time before its end, and polls then. If nothing comes it
 * sleeps until a launch wakes it.
 *
 * What it gets must be worth it: a gap in which it waited counts for or against the next one. If another thread had its CPU
 * meanwhile, no worker of the pool waits longer than ACCEL_CPU_SPIN_US for as long as that took. This time doubles if it
 * happens again soon.
 *
 * Times are those of cpu_clock_ns. The constants are policy.h's.
 */
#ifndef ACCEL_CPU_IDLE_H
#define ACCEL_CPU_IDLE_H

#include "plugins/cpu/dispatch/policy.h"

typedef enum cpu_idle_step {
    CPU_IDLE_POLL,  /* look for work, and at the clock soon */
    CPU_IDLE_YIELD, /* likewise, and let other threads run in between: the wait is a long one */
    CPU_IDLE_NAP,   /* sleep until `nap_end` at most */
    CPU_IDLE_SLEEP  /* until woken */
} cpu_idle_step;

/* Of one worker, which alone uses it. */
typedef struct cpu_idle {
    cpu_workers *workers; /* the pool's */
    uint64_t begin;       /* of the wait: the last work ended; 0: there was none yet */
    uint64_t looked;      /* at the clock */
    uint64_t nap;         /* how long it sleeps first */
    uint64_t spin_end, nap_end, poll_end;
    uint64_t found; /* when work was found; 0: none was yet, or it woke the worker */
    uint64_t gap;   /* from `begin` to then */
    uint64_t usual; /* gap; meaningless if trust is 0 */
    uint32_t trust; /* 0: no gap is waited through */
    bool polls;     /* it has polled since `looked` */
} cpu_idle;

/* The worker has no work from now on. */
void cpu_idle_begin(cpu_idle *, uint64_t now);
/* It has polled, and the clock has jumped: by the host of a virtual machine, or because another thread had the CPU. */
bool cpu_idle_jumped(const cpu_idle *, uint64_t now);
/* It was another thread. */
void cpu_idle_lost_cpu(cpu_idle *, uint64_t now);
/* What it does next. */
cpu_idle_step cpu_idle_next(cpu_idle *, uint64_t now);
/* There is a sign of work. If it gets some, another wait begins when that is done; else this one goes on. */
void cpu_idle_found(cpu_idle *);
/* A launch has woken the worker, from a nap or a sleep. */
void cpu_idle_woken(cpu_idle *, uint64_t now);

#endif

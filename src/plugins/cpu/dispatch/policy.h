/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dispatch policy of the CPU engine: whether a launch runs inline, on its caller, or in parallel; how large the chunks
 * are that threads take; when sleeping workers are woken; how long an idle thread polls. All of its constants are here.
 *
 * Inline or parallel. Each queue keeps the recent cost of its launches, by kernel and shape.
 *  1. At most INLINE_NS on one thread: inline. The launch is over before another thread could take part.
 *  2. More than PARALLEL_NS on one thread: parallel.
 *  3. In between, both modes are tried from time to time, and the faster one is kept. Which one that is cannot be computed: it
 *     depends on the distance between the CPUs and on whose caches hold the data. Inline, all data comes to one CPU; in
 *     parallel, every thread finds its own share again. So the first launches after a change of mode are slow either way, and
 *     the first chunk of a parallel launch does not tell what the launch would take inline.
 *  4. An inline launch is timed after an eighth of its blocks. If it takes longer than expected, the rest runs in parallel.
 *  5. If two parallel launches in a row take longer than one thread would have, launches run inline for a time in proportion.
 *     This happens where there are more threads than CPUs: whoever waits for a thread then waits for the system's scheduler.
 *     Launches also lose while data moves to the caches of its threads, which would begin anew after inline ones. So small
 *     losses count if there are more of them.
 *
 * Waking. It costs the launch a system call, and the woken thread arrives tens of microseconds later. A launch that finds all
 * workers asleep wakes one if it is long, or if many such launches follow each other closely: a worker that is awake waits for
 * the next one (idle.h). Otherwise it runs inline.
 */
#ifndef ACCEL_CPU_POLICY_H
#define ACCEL_CPU_POLICY_H

#include "plugins/cpu/machine/futex.h"

#include <accel/plugin.h>
#include <stdbool.h>
#include <stdint.h>

/* Times are in nanoseconds; LAUNCHES and numbers without a unit count. The figures are in docs/notebook/dispatch.md. */
enum {
    /* Inline or parallel */
    CPU_POLICY_INLINE_NS = 250,          /* below the cost of a dispatch, 300 to 400 measured */
    CPU_POLICY_PARALLEL_NS = 4000,       /* ten dispatches: parallel always won, measured */
    CPU_POLICY_OVERRUN_NS = 2000,        /* of an eighth of the blocks; longer than a page fault or an interrupt */
    CPU_POLICY_OVERRUN_LAUNCHES = 2,     /* above PARALLEL_NS; one may be an interruption ... */
    CPU_POLICY_WARY_LAUNCHES = 32,       /* ... but hardly two among so many that are short */
    CPU_POLICY_SETTLE_LAUNCHES = 8,      /* of a trial, in which data moves; not counted */
    CPU_POLICY_SAMPLE_LAUNCHES = 9,      /* compared, without the longest; with 5, a third of the choices were wrong */
    CPU_POLICY_INTERVAL_LAUNCHES = 8192, /* between trials, which then cost up to 0.6 %, simulated */
    CPU_POLICY_DOUBT_LAUNCHES = 1024,    /* after a trial that changed the mode: the CPU may have been lost for 2 ms */
    CPU_POLICY_LOSS_LAUNCHES = 2,        /* lost in a row; the first may have woken the threads */
    CPU_POLICY_MOVE_NS = 100000,         /* a smaller loss may be data that moves, a second level at 20 GB/s; then
                                          * SETTLE_LAUNCHES in a row */
    CPU_POLICY_HEAVY_LOSS = 16,          /* times as long as on one thread; caches do not cost that much */
    CPU_POLICY_LIGHT_LOSS = 4, /* this part of that time is no loss: a thread that came too late costs no more */
    CPU_POLICY_RECOVERY = 8,   /* times as long as a loss, launches then run inline: it costs an eighth */
    CPU_POLICY_RECOVERY_MAX = 1 << 16, /* launches; the process may have been stopped */
    CPU_POLICY_AGEING = 256,           /* short parallel launches that make a longer inline time fade */
    CPU_POLICY_PROBED_BLOCKS = 8,      /* of so many an eighth is timed in every inline launch */
    CPU_POLICY_UNTIMED_BITS = 4,       /* fewer: up to 2^4 - 1 launches between two that are timed, if these are tiny */
    CPU_POLICY_UNTIMED_BITS_MAX = 6,   /* in the end 2^6 - 1; a look at the clock takes up to 18 ns, measured */
    CPU_POLICY_CALM_LAUNCHES = 128,    /* timed and tiny, in a row, for each bit more */

    /* Chunks */
    CPU_POLICY_CHUNK_NS = 500, /* ten atomic operations on a line that another CPU has */
    CPU_POLICY_STEAL_NS =
        10000,           /* work worth stealing: for the data of less the thief waits longer than for the owner */
    CPU_STEAL_LEAST = 2, /* chunks that must be left in any case: the owner keeps one */
    CPU_POLICY_CHUNKS_PER_THREAD = 4, /* at least, if there are blocks enough: to be stolen from */

    /* Waking */
    CPU_POLICY_WAKE_NS = 75000, /* a wake-up took 60000, measured */

    /* Looking for work in all groups of a pool (group.h), by a thread whose own has none */
    CPU_POLICY_ROAM_NS = 2000, /* at first, and twice as long each time: a launch that is balanced has ended before */

    /* Waiting for the next launch (idle.h) */
    CPU_POLICY_GAP_NS = 1500000,      /* between launches; longer ones are waited through only if they are alike */
    CPU_POLICY_GAP_MAX_NS = 20000000, /* and none that is longer than this */
    CPU_POLICY_NAP_NS = 50000,        /* at least: such a gap is slept through at first ... */
    CPU_POLICY_LEAD_NS = 800000, /* ... until so long before its end: timers are late by 100000, now and then 500000 */
    CPU_POLICY_LEAD_LONG_NS = 600000, /* likewise, above GAP_NS, where the end is less certain */
    CPU_POLICY_POLL_NS = 850000,      /* at most; in vain, with its wake, less than 1 % of 100 ms without launch */
    CPU_POLICY_POLL_WORK = 64,        /* times as long as a launch on one thread takes, a worker polls for it */
    CPU_POLICY_TRUST_MAX = 8,         /* waits with success, less twice those in vain */
    CPU_POLICY_TRUST_WOKEN = 4,       /* of a worker that was woken for launches that follow each other */
    CPU_POLICY_JUMP_NS = 500000, /* between two looks at the clock; another thread had the CPU for more than a moment */
    CPU_POLICY_PAUSE_MAX = 64,   /* times as long as the jump, nobody polls long; at first once */
    CPU_POLICY_PAUSE_MAX_NS = 1000000000
};

/* --- inline or parallel --- */

/* The processor's time stamps: a third of a nanosecond to one on x86-64, a nanosecond elsewhere. The policy needs no more
 * precision. */
static inline uint64_t cpu_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return cpu_clock_ns();
#endif
}

#if defined(__x86_64__)
enum { CPU_TICKS_PER_NS = 2 };
#else
enum { CPU_TICKS_PER_NS = 1 };
#endif

#define CPU_TICKS_OF_NS(ns) ((uint64_t)(ns)*CPU_TICKS_PER_NS)

typedef enum cpu_mode { CPU_PARALLEL, CPU_INLINE } cpu_mode;

/* Recent launch costs of one kernel and shape in one queue. Used under the queue's `run` lock. */
typedef struct cpu_cost {
    const accel_descriptor *kernel; /* NULL: empty */
    uint64_t shape;                 /* hash of blocks, threads and elements */
    uint64_t ticks;                 /* of all blocks on one thread, by the last launch; UINT64_MAX: unknown */
    uint64_t sum[2], longest[2];    /* ticks of the samples of each mode */
    cpu_mode mode;                  /* of the launches to come */
    uint32_t trial;                 /* 1: this mode is only tried */
    uint32_t left;                  /* launches until the other mode is tried or, in a trial, until it is judged */
    uint32_t interval;              /* launches between the last trial and the next */
    uint32_t overruns;              /* recent inline launches above PARALLEL_NS */
    uint32_t wary;                  /* short launches until they are forgotten */
    uint32_t losses;                /* parallel launches that took longer than one thread would have, in a row */
    uint32_t backoff;               /* launches that therefore still run inline */
    uint64_t inline_ticks;          /* a launch that had to run inline took so many; 0: none did lately */
    uint32_t untimed;               /* inline launches that are not timed, because the last one was over at once */
    uint32_t random;                /* state of the numbers that `untimed` begins with */
    uint32_t calm;                  /* launches that were timed and tiny, in a row */
} cpu_cost;

enum { CPU_COSTS = 32 };

/* Values of an unknown launch: it runs in parallel, and inline is tried next. */
#define CPU_COST_UNKNOWN .ticks = UINT64_MAX, .left = CPU_POLICY_SAMPLE_LAUNCHES

/* What the policy knows of an executor's workers. Those that sleep and wake count themselves. */
typedef struct cpu_workers {
    _Atomic uint32_t asleep, running; /* `running` includes those asleep; 0: none was started yet */
    _Atomic uint32_t arriving;        /* started or woken, and not there yet */
    uint64_t spin_ns; /* how long workers poll at least; changes only while no launch runs, as does the next */
    bool may_wait;    /* they may poll longer: there are no more of them than CPUs */
    /* The rest is relaxed, and wrong now and then. Of launches that found all workers asleep: ns of those that followed each
     * other closely, when the last one ended, the gap before it, and the same, but 0 if that was too long to be waited through. */
    _Atomic uint64_t unhelped, unhelped_until, last_gap, gap;
    /* A worker has lost its CPU to another thread: until when nobody polls longer, and for how long this was so. */
    _Atomic uint64_t resumes, pause;
} cpu_workers;

typedef struct cpu_decision {
    cpu_mode mode;
    uint64_t limit; /* inline: ticks of an eighth of the blocks above which the rest runs in parallel */
    bool wake;      /* parallel: the caller wakes a worker, which wakes others */
} cpu_decision;

/* How long a worker sleeps at first, if it expects the next launch after such a gap. */
static inline uint64_t cpu_policy_nap(uint64_t gap)
{
    uint64_t lead = gap < CPU_POLICY_GAP_NS ? CPU_POLICY_LEAD_NS : CPU_POLICY_LEAD_LONG_NS;
    return gap >= lead + CPU_POLICY_NAP_NS ? gap - lead : 0;
}

/* All workers sleep: is a launch of so many ticks worth waking one? `now` is that of cpu_clock_ns. */
bool cpu_policy_is_worth_waking(cpu_workers *, uint64_t ticks, uint64_t now);

static inline bool cpu_workers_all_asleep(cpu_workers *workers)
{
    return atomic_load_explicit(&workers->asleep, memory_order_relaxed) >=
           atomic_load_explicit(&workers->running, memory_order_acquire);
}

/* Would a parallel launch find nobody to help, because all who do not sleep are still on their way? */
static inline bool cpu_workers_all_on_their_way(cpu_workers *workers)
{
    uint32_t arriving = atomic_load_explicit(&workers->arriving, memory_order_relaxed);
    return arriving != 0 && arriving + atomic_load_explicit(&workers->asleep, memory_order_relaxed) >=
                                atomic_load_explicit(&workers->running, memory_order_relaxed);
}

/* Whom a parallel launch wakes. */
static inline cpu_decision cpu_policy_parallel(cpu_workers *workers)
{
    return (cpu_decision){.mode = CPU_PARALLEL, .wake = workers != NULL && cpu_workers_all_asleep(workers)};
}

/* Two looks at the clock take as long as the rest of a tiny launch. So only some launches of few blocks are timed, at irregular
 * intervals: costs may change with a period of their own. */
static inline bool cpu_policy_is_untimed(cpu_cost *cost, size_t blocks)
{
    if (cost->untimed == 0 || blocks >= CPU_POLICY_PROBED_BLOCKS)
        return false;
    cost->untimed--;
    return true;
}

/* The decision about a launch of two blocks or more. `workers`: NULL if the executor does not know whether they sleep. */
static inline cpu_decision cpu_policy_decide(cpu_cost *cost, cpu_workers *workers)
{
    if (cost->mode == CPU_INLINE)
        return (cpu_decision){.mode = CPU_INLINE, .limit = CPU_TICKS_OF_NS(CPU_POLICY_OVERRUN_NS)};
    if (__builtin_expect(cost->backoff != 0, 0)) {
        cost->backoff--;
        return (cpu_decision){.mode = CPU_INLINE, .limit = 2 * cost->ticks};
    }
    if (workers != NULL && atomic_load_explicit(&workers->running, memory_order_relaxed) != 0 &&
        cpu_workers_all_asleep(workers) && !cpu_policy_is_worth_waking(workers, cost->ticks, cpu_clock_ns()))
        return (cpu_decision){.mode = CPU_INLINE, .limit = 2 * cost->ticks};
    /* Short ones would be over before somebody comes, and a trial would be judged by them. */
    if (workers != NULL && cost->ticks <= CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS) &&
        cpu_workers_all_on_their_way(workers))
        return (cpu_decision){.mode = CPU_INLINE, .limit = 2 * cost->ticks};
    return cpu_policy_parallel(workers);
}

/* Begins launches in this mode, with a trial of the other one after so many. */
void cpu_policy_begin_interval(cpu_cost *, cpu_mode, uint32_t launches);
/* At the end of an interval begins a trial of the other mode; at the end of a trial keeps the faster one. */
void cpu_policy_judge(cpu_cost *);

/* A launch in the current mode took so many ticks. */
static inline void cpu_policy_sample(cpu_cost *cost, uint64_t ticks)
{
    if (cost->left <= CPU_POLICY_SAMPLE_LAUNCHES) {
        cost->sum[cost->mode] += ticks;
        cost->longest[cost->mode] = ticks > cost->longest[cost->mode] ? ticks : cost->longest[cost->mode];
    }
    if (--cost->left == 0)
        cpu_policy_judge(cost);
}

/* After an inline launch that should have run in parallel. */
void cpu_policy_note_misplaced(cpu_cost *, uint64_t ticks);

/* A launch was over at once: some of the next ones are not timed, more of them the longer this goes on. */
static inline void cpu_policy_skip(cpu_cost *cost)
{
    enum { CALM_MAX = CPU_POLICY_CALM_LAUNCHES * (CPU_POLICY_UNTIMED_BITS_MAX - CPU_POLICY_UNTIMED_BITS) };
    const uint32_t bits = CPU_POLICY_UNTIMED_BITS + cost->calm / CPU_POLICY_CALM_LAUNCHES;
    cost->calm += cost->calm < CALM_MAX;
    cost->random = cost->random * 1664525u + 1013904223u;
    cost->untimed = cost->random >> (32 - bits);
}

/* After an inline launch: what it took, or would have taken. */
static inline void cpu_policy_note_inline(cpu_cost *cost, uint64_t ticks)
{
    cost->ticks = ticks;
    if (cost->mode != CPU_INLINE || __builtin_expect(ticks > CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS), 0)) {
        cpu_policy_note_misplaced(cost, ticks);
        return;
    }
    if (__builtin_expect(cost->overruns != 0, 0) && --cost->wary == 0)
        cost->overruns = 0;
    if (ticks > CPU_TICKS_OF_NS(CPU_POLICY_INLINE_NS)) {
        cost->calm = 0;
        cpu_policy_sample(cost, ticks);
        return;
    }
    if (cost->overruns == 0) /* otherwise the next one may be long, too */
        cpu_policy_skip(cost);
    if (__builtin_expect(cost->trial != 0, 0))
        cpu_policy_begin_interval(cost, CPU_INLINE, CPU_POLICY_INTERVAL_LAUNCHES);
}

/* After the parallel part of a launch: it took `elapsed` where one thread would have taken `ticks`. `whole`: it was all of the
 * launch. */
void cpu_policy_note_parallel(cpu_cost *, uint64_t ticks, uint64_t elapsed, bool whole);

/* --- chunks --- */

/* Blocks that a thread takes by one atomic operation. */
size_t cpu_policy_chunk(const cpu_cost *, size_t blocks, uint32_t threads);

/* Chunks that must be left of a thread's share for another thread to steal half of them. */
uint32_t cpu_policy_worth_stealing(const cpu_cost *, size_t blocks, size_t chunk);

/* --- polling --- */

/* How long a thread without work polls before it sleeps: ACCEL_CPU_SPIN_US. Belongs to one thread. Times are those of
 * cpu_clock_ns. */
typedef struct cpu_spin {
    uint64_t limit; /* ns that a poll lasts */
    uint64_t begin; /* of the last poll; 0: there was none yet */
    bool polls;     /* it is under way */
} cpu_spin;

static inline cpu_spin cpu_spin_of(uint64_t limit)
{
    return (cpu_spin){.limit = limit};
}

/* There was work, or at least a sign of some: the next poll begins. */
static inline void cpu_spin_restart(cpu_spin *own)
{
    own->polls = false;
}

/* Begins a poll, or continues it: asked at each look at the clock. False: sleep now. The next call then begins another poll. */
static inline bool cpu_spin_continues(cpu_spin *own, uint64_t now)
{
    if (!own->polls) {
        if (own->limit == 0)
            return false;
        own->begin = now;
    }
    own->polls = now - own->begin < own->limit;
    return own->polls;
}

#endif

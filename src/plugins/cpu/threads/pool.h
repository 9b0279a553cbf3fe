/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of one cpu-threads device. A launch is divided into units of one or more blocks, and these into as many
 * contiguous shares as there are threads. Its caller works on share 0; whoever is free claims others; a thread that
 * finds no share left takes half of what another has left in its own.
 *
 * A launch occupies a slot. It is found through one word, `unclaimed`: a set bit is a share that nobody has. All
 * words lie side by side, so that a thread that polls keeps two lines in its cache, and a hand-out moves one of them.
 * Nothing has to be taken back: when the caller has claimed the last share itself, the launch is no longer to be found.
 *
 * Whoever has units of a launch keeps it alive: its caller returns when all units are done. What a slot says of its launch
 * is therefore read only after units were got, by an atomic operation on `unclaimed` or on a range, that acquires. A
 * thread that was delayed in between and finds the bits of a later launch in the same place has got units of that one,
 * which is as good.
 */
#ifndef ACCEL_CPU_POOL_H
#define ACCEL_CPU_POOL_H

#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/engine/failure.h"
#include "plugins/cpu/dispatch/patience.h"

enum {
    CPU_POOL_SLOTS = 16,
    CPU_POOL_SHARES = 64,
    CPU_POOL_LINE = 64,
    CPU_POOL_UNITS = (1 << 30) - 1 /* as many as a range can count */
};

/* Of a worker. */
enum {
    CPU_POOL_BUSY,    /* has units, or looks for some */
    CPU_POOL_POLLING, /* looks at `unclaimed` */
    CPU_POOL_ASLEEP,  /* waits until it is BUSY; the futex */
    CPU_POOL_WAKING   /* as ASLEEP, but somebody is about to wake it */
};

/* Units next to end-1 of the launch in a slot: slot << 60 | next << 30 | end. Its thread takes from the front, thieves
 * from the back. */
typedef _Atomic uint64_t cpu_pool_range;

typedef struct cpu_slot {
    /* The caller's to write, before it publishes shares. */
    _Alignas(CPU_POOL_LINE) cpu_lock owned; /* tried only */
    cpu_launch launch;                      /* a copy: its lines come at once, not one behind the other */
    size_t first, blocks;                   /* the blocks to be run: `blocks` is the end */
    size_t unit;                            /* blocks of a unit, but for the last */
    uint32_t units, shares;
    int cpu;    /* where the caller was when it woke a worker; -1 if it did not */
    bool wakes; /* the launch is long enough for sleeping workers to be woken */

    _Alignas(CPU_POOL_LINE) cpu_pool_range range; /* of the caller */

    /* The helpers' to write. */
    _Alignas(CPU_POOL_LINE) _Atomic uint32_t done; /* units that were not done by the caller */
    _Atomic uint32_t waits; /* 1: the caller sleeps on `done`, or is about to; seq_cst, as done */
    cpu_failure failure;
} cpu_slot;

typedef struct cpu_pool cpu_pool;

typedef struct cpu_pool_worker {
    _Alignas(CPU_POOL_LINE) cpu_pool_range range;
    _Alignas(CPU_POOL_LINE) _Atomic uint32_t state; /* CPU_POOL_* */
    /* The worker's own. */
    _Alignas(CPU_POOL_LINE) cpu_pool *pool;
    uint32_t index; /* the share that it prefers; from 1 on */
    cpu_patience patience;
    /* The waker's, while the state is WAKING. */
    _Atomic int thread; /* the system's number; 0: not known yet */
    int avoids;         /* the CPU on which it may not run; -1: none */
    /* Its own again. */
    cpu_scratch scratch;
} cpu_pool_worker;

struct cpu_pool {
    cpu_executor executor; /* first; the rest is read-only, up to the next alignment, once the workers run */
    uint32_t units;        /* threads of a launch */
    uint32_t room;         /* workers that there is memory for; at least units - 1 */
    uint64_t spin_ns;
    uint8_t (*masks)[CPU_MASK_BYTES]; /* owned; of the workers */
    cpu_pool_worker *workers;         /* owned; `room` */

    _Alignas(CPU_POOL_LINE) _Atomic uint64_t unclaimed[CPU_POOL_SLOTS];

    _Alignas(CPU_POOL_LINE) _Atomic uint32_t asleep; /* workers whose state is ASLEEP */
    _Atomic uint32_t helpers;                        /* workers that run: 0 until the first launch that wants them */
    _Atomic uint32_t references;                     /* device, workers */
    _Atomic bool closing;                            /* seq_cst */
    cpu_lock starting;                               /* tried only; kept by whoever started the workers */
    /* Relaxed, and wrong now and then: what launches that found all workers asleep would have gained, see pool_worker.c. */
    _Atomic uint64_t missed, missed_at;

    cpu_slot slots[CPU_POOL_SLOTS];
};

/* ACCEL_OUT_OF_MEMORY, with a text. Threads are started by the first launch that wants them. */
accel_status cpu_pool_create(const cpu_executor *like, const cpu_placement *, const cpu_settings *, cpu_pool **);
void cpu_pool_destroy(cpu_pool *);
/* cpu_executor.after_fork. It may have fewer threads from then on, and never more. */
void cpu_pool_after_fork(cpu_pool *, const cpu_placement *, const cpu_settings *);
/* Starts the workers, unless they run or another thread is at it. Fewer than wanted is no failure. */
void cpu_pool_start(cpu_pool *);
/* Of a worker that ends, too. */
void cpu_pool_release(cpu_pool *);

/* --- pool_run.c --- */

/* cpu_executor.run */
accel_status cpu_pool_run(cpu_pool *, const cpu_launch *, cpu_scratch *);
/* Is there a share that nobody has? */
bool cpu_pool_has_shares(cpu_pool *);
/* Gives the worker a share that nobody has, and wakes others if there are more: the one of its own number first, which is
 * the same part of every launch of that shape; so it finds what it touched before in its caches, and on its NUMA node. */
bool cpu_pool_claim(cpu_pool_worker *, uint64_t *range);
/* What a worker does when it may have work: every share and part of one that it gets. Returns whether there was any. */
bool cpu_pool_work(cpu_pool_worker *);

/* --- pool_worker.c --- */

void *cpu_pool_worker_main(void *worker);
/* Wakes up to `count` sleeping workers, away from the CPU of the launch that they are to help; -1: anywhere. */
void cpu_pool_wake(cpu_pool *, uint32_t count, int caller_cpu);
/* All workers sleep: shall a launch that takes so many ticks wake one? UINT64_MAX: it is not known how many. */
bool cpu_pool_is_worth_waking(cpu_pool *, uint64_t ticks, uint64_t now);

#endif

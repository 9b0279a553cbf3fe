/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the callers and the workers of one cpu-threads device share. A launch is divided into chunks of one or more blocks, and
 * these into as many contiguous shares as there are threads. The caller works on share 0. A free thread claims a share; if
 * there is none left it steals half of the range of another thread.
 *
 * A launch occupies a slot. Each group of threads (group.h) finds it through one word, `unclaimed`: a set bit is a share that
 * nobody has claimed. All of a group's words lie side by side, so that a polling thread keeps two lines in its cache, and a
 * dispatch moves one of them. Nothing has to be taken back: once the caller has claimed the last share itself, the launch cannot
 * be found any more.
 *
 * A share has the number of the thread that prefers it. A launch with fewer shares than threads begins with the group whose CPUs
 * the caller is on, its home. Threads look for work in their own group. One that has found none for a while looks at all.
 *
 * Whoever has chunks of a launch keeps it alive: its caller returns when all chunks are done. So the contents of a slot are
 * read only after chunks were acquired, by an atomic operation on `unclaimed` or on a range. A delayed thread may claim bits
 * of a later launch in the same slot; it then works on that launch.
 */
#ifndef ACCEL_CPU_POOL_H
#define ACCEL_CPU_POOL_H

#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/dispatch/idle.h"
#include "plugins/cpu/dispatch/policy.h"
#include "plugins/cpu/engine/lock.h"
#include "plugins/support/failure.h"
#include "plugins/cpu/threads/group.h"

enum {
    CPU_POOL_SLOTS = CPU_RANGE_SLOTS,
    CPU_POOL_LINE = CPU_GROUP_LINE,
    CPU_POOL_ARGS = 192 /* bytes: more are read where the caller has them */
};

/* Of a worker. */
enum {
    CPU_POOL_BUSY,    /* has chunks, or looks for some */
    CPU_POOL_POLLING, /* looks at `unclaimed` */
    CPU_POOL_ASLEEP,  /* waits until it is BUSY; the futex */
    CPU_POOL_WAKING   /* as ASLEEP, but somebody is about to wake it */
};

typedef struct cpu_slot {
    _Alignas(CPU_POOL_LINE) cpu_lock owned; /* tried only; in a line that no worker reads */

    /* The caller's to write, before it publishes shares: with CPU_SLOT_SET, or as that does. */
    _Alignas(CPU_POOL_LINE) cpu_launch launch; /* a copy: its lines come at once, not one behind the other */
    size_t first, blocks;                      /* the blocks to be run: `blocks` is the end */
    size_t chunk;                              /* blocks of a chunk, but for the last */
    uint32_t chunks, shares;
    _Atomic uint32_t least;      /* chunks that must be left of a share for some to be stolen; relaxed */
    int cpu;                     /* where the caller was when it woke a worker; -1 if it did not */
    uint32_t home, groups;       /* the first group that has shares, and how many have: it and those behind it */
    uint16_t before[CPU_GROUPS]; /* shares before those of a group that has some */
    _Alignas(CPU_POOL_LINE) unsigned char args[CPU_POOL_ARGS]; /* a copy of the launch's, unless they are larger */

    _Alignas(CPU_POOL_LINE) cpu_range range; /* of the caller */

    _Alignas(
        CPU_POOL_LINE) uint32_t counted[CPU_GROUPS]; /* the caller's: by group, what `done` was before the launch */

    /* The workers' to write. Seldom. */
    _Alignas(
        CPU_POOL_LINE) _Atomic uint32_t waits; /* 1: the caller sleeps on a `done`, or is about to; seq_cst, as that */
    plugin_failure failure;
} cpu_slot;

/* Workers have the lines of a slot in their caches. A store would take them away, so what is as before is not stored. */
#define CPU_SLOT_SET(member, value)                                                                                    \
    do {                                                                                                               \
        __typeof__(member) slot_value = (value);                                                                       \
        if ((member) != slot_value)                                                                                    \
            (member) = slot_value;                                                                                     \
    } while (0)

static inline void cpu_slot_set_least(cpu_slot *slot, uint32_t least)
{
    if (atomic_load_explicit(&slot->least, memory_order_relaxed) != least)
        atomic_store_explicit(&slot->least, least, memory_order_relaxed);
}

typedef struct cpu_pool cpu_pool;

typedef struct cpu_pool_worker {
    _Alignas(CPU_POOL_LINE) cpu_range range;
    _Alignas(CPU_POOL_LINE) _Atomic uint32_t state; /* CPU_POOL_* */
    /* The worker's own. */
    _Alignas(CPU_POOL_LINE) cpu_pool *pool;
    uint32_t index; /* of the thread, which is the share that it prefers; from 1 on */
    uint32_t group;
    uint64_t roams;    /* when it looks at all groups next; 0: not in this wait yet */
    uint64_t roams_in; /* ns from there to the time after that */
    cpu_idle idle;
    /* The waker's, while the state is WAKING, and of launches that lost. */
    _Atomic int thread; /* the system's number; 0: not known yet */
    _Atomic int avoids; /* the CPU on which it may not run; -1: none; relaxed */
    _Atomic int cpu;    /* where it was at the end of its last long wait; relaxed */
    /* Its own again. */
    cpu_scratch scratch;
} cpu_pool_worker;

struct cpu_pool {
    cpu_executor executor; /* first; the rest is read-only, up to the next alignment, once the workers run */
    uint32_t threads;      /* of a launch */
    uint32_t awake;        /* so many workers may be woken: with more threads than CPUs they would only take turns */
    uint32_t room;         /* workers that there is memory for; at least threads - 1 */
    uint64_t spin_ns;
    cpu_placement place;              /* of the workers */
    uint8_t (*masks)[CPU_MASK_BYTES]; /* owned; theirs, once they are started: finding them reads the topology */
    cpu_pool_worker *workers;         /* owned; `room` */

    cpu_group *groups;    /* owned; room for as many as threads */
    uint8_t *group_of;    /* owned; by CPU, CPU_MASK_BITS of them; NULL: there is one group, or no memory */
    uint32_t group_count; /* 0: the workers were never started */

    _Alignas(CPU_POOL_LINE) cpu_workers counts; /* of the workers; none runs until the first launch that wants them */
    _Atomic uint32_t references;                /* device, workers */
    _Atomic bool closing;                       /* seq_cst */
    cpu_lock starting;                          /* tried only; kept by whoever started the workers */

    cpu_slot slots[CPU_POOL_SLOTS];
};

/* ACCEL_OUT_OF_MEMORY, with a text. It has no threads yet. */
accel_status cpu_pool_create(const cpu_executor *like, const cpu_placement *, const cpu_settings *, cpu_pool **);
/* Gives a reference back: the device's, or that of a worker that ends. */
void cpu_pool_release(cpu_pool *);
/* cpu_executor.after_fork. It may have fewer threads from then on, and never more. */
void cpu_pool_after_fork(cpu_pool *, const cpu_placement *, const cpu_settings *);

/* Finds the workers' masks, and parts the threads into groups. None runs yet. Without memory there is one group. */
void cpu_pool_part(cpu_pool *);

/* A slot for a launch; false: all are taken. */
bool cpu_pool_take_slot(cpu_pool *, const cpu_scratch *, uint32_t *number);
/* Chooses the home of a launch, and which shares are whose. */
void cpu_pool_assign(cpu_pool *, cpu_slot *);
/* The number of the `at`th group of the launch. */
static inline uint32_t cpu_slot_group(const cpu_pool *pool, const cpu_slot *slot, uint32_t at)
{
    uint32_t group = slot->home + at;
    return group < pool->group_count ? group : group - pool->group_count;
}
/* How many shares a group has, if it is the `at`th of the launch. */
static inline uint32_t cpu_slot_shares_of(const cpu_slot *slot, const cpu_group *group, uint32_t before)
{
    return group->workers < slot->shares - before ? group->workers : slot->shares - before;
}
/* The first chunk of a share; that behind the last one is `chunks`. */
static inline uint32_t cpu_slot_chunk(const cpu_slot *slot, uint32_t share)
{
    return (uint32_t)((uint64_t)slot->chunks * share / slot->shares);
}
/* The chunks of a share of this group. */
uint64_t cpu_pool_share(const cpu_slot *, uint32_t number, uint32_t group, uint32_t share);
/* Has the group a share that nobody has claimed? */
bool cpu_group_has_shares(cpu_group *);
/* Claims a share of the launch in this slot from a group: that of its worker number `wish`, from 0 on, or the first after it.
 * -1: none is left. */
int cpu_group_claim(cpu_group *, uint32_t slot, uint32_t wish);
/* Steals from the workers of a group, beginning with number `first`, whose caches are near. `only`: a slot whose caller the
 * thread is, or -1. `anything`: less than is worth it, too, because its owner may be late. */
bool cpu_pool_steal(cpu_pool *, uint32_t group, uint32_t first, int only, bool anything, uint64_t *stolen);
/* Steals from callers. */
bool cpu_pool_steal_from_callers(cpu_pool *, uint64_t *stolen);
/* Runs chunks from `next` on. After a failure they only count. */
void cpu_slot_run_chunks(cpu_slot *, cpu_scratch *, uint32_t next, uint32_t count);
/* Runs a range to its end, but for what is stolen from it. Returns how many chunks. */
uint32_t cpu_slot_run_range(cpu_slot *, cpu_range *, cpu_scratch *);

#endif

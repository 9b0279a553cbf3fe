/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chunks next to end-1 of the launch in a slot, in one word: slot << 59 | group << 54 | next << 27 | end. They belong to the
 * share of a thread of that group (group.h). The thread that owns the range takes chunks from its front; other threads steal from
 * its back.
 */
#ifndef ACCEL_CPU_RANGE_H
#define ACCEL_CPU_RANGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CPU_RANGE_SLOTS = 16,
    CPU_RANGE_GROUPS = 32,
    CPU_RANGE_BITS = 27,
    CPU_RANGE_CHUNKS = (1 << CPU_RANGE_BITS) - 1, /* as many as a range can count */
    CPU_RANGE_TAKES = 4                           /* a thread takes this part of what is left; the rest can be stolen */
};

typedef _Atomic uint64_t cpu_range;

/* `place`: slot * CPU_RANGE_GROUPS + group. */
static inline uint64_t cpu_range_pack(uint32_t place, uint32_t next, uint32_t end)
{
    return (uint64_t)place << 2 * CPU_RANGE_BITS | (uint64_t)next << CPU_RANGE_BITS | end;
}

static inline uint32_t cpu_range_place(uint64_t range)
{
    return (uint32_t)(range >> 2 * CPU_RANGE_BITS);
}

static inline uint32_t cpu_range_slot(uint64_t range)
{
    return cpu_range_place(range) / CPU_RANGE_GROUPS;
}

static inline uint32_t cpu_range_group(uint64_t range)
{
    return cpu_range_place(range) % CPU_RANGE_GROUPS;
}

static inline uint32_t cpu_range_next(uint64_t range)
{
    return (uint32_t)(range >> CPU_RANGE_BITS & CPU_RANGE_CHUNKS);
}

static inline uint32_t cpu_range_end(uint64_t range)
{
    return (uint32_t)(range & CPU_RANGE_CHUNKS);
}

/* How many of the chunks from `next` to end-1 a thread takes: large parts first, so that they are few. They end at a multiple of
 * `grain`, a power of two, or at `end`. */
static inline uint32_t cpu_range_part(uint32_t next, uint32_t end, uint32_t grain)
{
    uint32_t cut = (next + (end - next + CPU_RANGE_TAKES - 1) / CPU_RANGE_TAKES + grain - 1) & ~(grain - 1);
    return (cut < end ? cut : end) - next;
}

/* Takes chunks from the front of the thread's own range. Returns how many; 0: there are none. */
static inline uint32_t cpu_range_take(cpu_range *range, uint32_t grain, uint32_t *next)
{
    uint64_t now = atomic_load_explicit(range, memory_order_relaxed);
    for (;;) {
        uint32_t first = cpu_range_next(now), end = cpu_range_end(now);
        if (first >= end)
            return 0;
        uint32_t count = cpu_range_part(first, end, grain);
        if (atomic_compare_exchange_weak_explicit(range, &now, now + ((uint64_t)count << CPU_RANGE_BITS),
                                                  memory_order_acq_rel, memory_order_relaxed)) {
            *next = first;
            return count;
        }
    }
}

/* Steals half of what a range has left, if that is more than one chunk and at least `least`, and belongs to slot `only` unless that is
 * -1. */
static inline bool cpu_range_steal(cpu_range *victim, int only, uint32_t least, uint64_t *stolen)
{
    uint64_t now = atomic_load_explicit(victim, memory_order_relaxed);
    for (;;) {
        uint32_t next = cpu_range_next(now), end = cpu_range_end(now), place = cpu_range_place(now);
        if (end < next + 2 || end - next < least || (only >= 0 && place / CPU_RANGE_GROUPS != (uint32_t)only))
            return false;
        uint32_t middle = end - (end - next) / 2;
        if (!atomic_compare_exchange_weak_explicit(victim, &now, cpu_range_pack(place, next, middle),
                                                   memory_order_acq_rel, memory_order_relaxed))
            continue;
        *stolen = cpu_range_pack(place, middle, end);
        return true;
    }
}

#endif

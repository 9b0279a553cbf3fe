/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of a pool in groups. A line of memory that many cores write costs each of them a message, one after the other: of
 * 64 threads that claim in one word the last begins microseconds after the first. So the threads of a group, whose CPUs share a
 * cache where there is one, claim in words of their own and count in words of their own what they have done.
 *
 * Threads of launches have numbers: the caller of a launch is thread 0, worker i is thread i. Neighbours are near to each
 * other, so a group is a row of numbers.
 */
#ifndef ACCEL_CPU_GROUP_H
#define ACCEL_CPU_GROUP_H

#include "plugins/cpu/machine/placement.h"
#include "plugins/cpu/threads/range.h"

enum {
    CPU_GROUPS = CPU_RANGE_GROUPS, /* at most */
    CPU_GROUP_THREADS = 8, /* of a group, unless that makes too many; 4 to 8 were best in the model of the hand-out */
    CPU_GROUP_LINE = 64
};

_Static_assert((int)CPU_GROUP_THREADS >= (int)CPU_PLACE_FEW, "few threads of a node are one group");

/* What the workers of a group have done for one launch. */
typedef struct cpu_group_end {
    _Alignas(
        CPU_GROUP_LINE) _Atomic uint32_t done; /* chunks of the group's shares, of all launches in this slot; seq_cst */
} cpu_group_end;

typedef struct cpu_group {
    /* By slot: a set bit is a share that nobody has claimed, of the group's first worker, the second, ... */
    _Alignas(CPU_GROUP_LINE) _Atomic uint64_t unclaimed[CPU_RANGE_SLOTS];
    cpu_group_end ends[CPU_RANGE_SLOTS];
    _Alignas(CPU_GROUP_LINE) uint32_t first,
        workers;             /* the first one's number, and how many; none: the caller is alone */
    _Atomic uint32_t asleep; /* of them; relaxed */
} cpu_group;

/* Parts threads, at most 1024, into groups of at most 64, none of which has threads of two nodes unless there would be too many. firsts[i] becomes the first
 * thread of group i; there is room for CPU_GROUPS and one more, which becomes `threads`. Returns how many groups. `seats`: NULL if
 * nothing is known. */
uint32_t cpu_groups_part(const cpu_seat *seats, uint32_t threads, uint32_t *firsts);

#endif

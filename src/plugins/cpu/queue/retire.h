/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is released before the end of work that may use it (semantics O4). Kernels are given addresses, so nobody
 * knows who uses what: memory is given back when every queue of the process that was busy at the release has completed what
 * it had then. All CPU backends share the process's memory, so the queues of all of them count. If none is busy, that is at
 * once.
 *
 * A queue has a list of the memory that waits for it, in the order of releases. Its launches pay nothing for that: after a
 * command a queue looks anyway whether somebody awaits that ticket (scheduler.c), and after an operation of a blocking queue
 * whether somebody waits for its lock. Either leads here.
 *
 * One lock guards all lists. It is held for a few instructions, and during a fork. Nothing is freed under it.
 */
#ifndef ACCEL_CPU_RETIRE_H
#define ACCEL_CPU_RETIRE_H

#include "plugins/cpu/engine/memory.h"
#include "plugins/cpu/queue/ring.h"

/* Part of a queue. */
typedef struct cpu_retire_list {
    cpu_lock *run;                           /* of a blocking queue, held while an operation runs; else NULL */
    cpu_ring *ring;                          /* of a queue that is not blocking */
    const _Atomic uint32_t *generation;      /* of forks, in which the queue works */
    uint64_t number;                         /* of the queue, from 1 on */
    struct cpu_retire_list *next, *previous; /* of the process's queues, by number */
    /* First in, first out. seq_cst, as ring->awaited: whoever reads `first` without the lock has changed that word. */
    _Atomic(cpu_memory_wait *) first;
    cpu_memory_wait *last;
} cpu_retire_list;

/* A queue comes, with the first three members set, or goes: nothing runs in it any more. */
void cpu_retire_add(cpu_retire_list *);
void cpu_retire_remove(cpu_retire_list *);

/* Takes memory, and never waits: frees it now, or when the queues that are busy now are done. */
void cpu_retire(accel_impl_memory *);
/* The same for memory that only this queue uses. */
void cpu_retire_after(cpu_retire_list *, accel_impl_memory *);
/* The queue has completed something: frees what no longer waits. */
void cpu_retire_collect(cpu_retire_list *);
/* In the child of a fork, by whoever uses the queue first there and has reset its locks. */
void cpu_retire_after_fork(cpu_retire_list *);

#endif

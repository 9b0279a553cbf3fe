/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of a queue in order: a chain of chunks that holds records of any size up to CPU_RING_RECORD_MAX. It
 * grows without bound, so that submitting never waits (semantics Q5). Producers hold the ring's lock; there is one
 * consumer at a time. A command's ticket is its number, counted from 1.
 */
#ifndef ACCEL_CPU_RING_H
#define ACCEL_CPU_RING_H

#include "plugins/cpu/engine/lock.h"

#include <stddef.h>

enum { CPU_RING_LINE = 64, CPU_RING_CHUNK = 65536, CPU_RING_ALIGN = 16, CPU_RING_RECORD_MAX = 16384 };

/* Begins every record. */
typedef struct cpu_record {
    uint32_t size; /* of the record, a multiple of CPU_RING_ALIGN */
    uint16_t kind; /* the user's; CPU_RING_JUMP is the ring's */
    uint16_t more; /* the user's, as the kind has it */
} cpu_record;

enum { CPU_RING_JUMP = 0 };

typedef struct cpu_ring_chunk cpu_ring_chunk;

typedef struct cpu_ring {
    /* Producers'. All but `published` are guarded by the lock. */
    _Alignas(CPU_RING_LINE) cpu_lock lock;
    _Atomic uint64_t published; /* ticket of the last command; stored with release behind the record, under the lock */
    unsigned char *tail;        /* where the next record goes; NULL: no chunk yet */
    unsigned char *tail_end;    /* behind the last place of the chunk where a record may end */
    cpu_ring_chunk *tail_chunk;
    cpu_ring_chunk *first; /* the very first chunk, for the consumer's start; published with its first record */
    cpu_ring_chunk *spare; /* empty chunks, taken from `empty` */
    cpu_ring_chunk *held;  /* set aside for `holder`; NULL: not yet, or it is in use */
    const void *holder;    /* names a thread; NULL: none */

    /* The consumer's. Its owner changes with the queue's run lock. */
    _Alignas(CPU_RING_LINE) unsigned char *head; /* NULL: not begun */
    cpu_ring_chunk *head_chunk;

    /* The consumer's to write, everybody's to read. */
    _Alignas(CPU_RING_LINE) _Atomic uint64_t
        completed; /* ticket of the last command that is done; seq_cst, see scheduler.c */
    /* The least ticket for which somebody waits who is to be told, UINT64_MAX: none; seq_cst, see scheduler.c. */
    _Atomic uint64_t awaited;
    _Atomic(cpu_ring_chunk *)
        empty;               /* chunks that the consumer gives back one by one (release), and a producer takes all at
                                   once (acquire) */
    _Atomic uint32_t spares; /* about how many are in `empty` and `spare`; relaxed */
} cpu_ring;

/* A ring is made of zeros, but for `awaited`. No thread is inside. */
void cpu_ring_clear(cpu_ring *);

/* Under the lock: room for a record of `size` bytes (at most CPU_RING_RECORD_MAX) with size filled in, or NULL if
 * memory is short. Nothing has changed until it is published. */
cpu_record *cpu_ring_reserve(cpu_ring *, size_t size);
/* Under the lock: gives the reserved record to the consumer. Returns its ticket. */
uint64_t cpu_ring_publish(cpu_ring *, cpu_record *);

/* Under the lock: sets a chunk aside, so that memory is not short for what the calling thread reserves until it lets go:
 * CPU_RING_CHUNK bytes, with what others reserve meanwhile. One thread at a time. False: memory is short now. */
bool cpu_ring_hold(cpu_ring *);
void cpu_ring_let_go(cpu_ring *);

/* Consumer: the first command that is not done. There is one. */
cpu_record *cpu_ring_peek(cpu_ring *);
/* Consumer: leaves the command behind. Its memory may be reused at once. Does not count it as completed. */
void cpu_ring_pop(cpu_ring *, const cpu_record *);

static inline uint64_t cpu_ring_published(cpu_ring *ring)
{
    return atomic_load_explicit(&ring->published, memory_order_acquire);
}

static inline uint64_t cpu_ring_completed(cpu_ring *ring)
{
    return atomic_load_explicit(&ring->completed, memory_order_seq_cst);
}

/* Whoever completes this ticket is to tell. To be called before one looks whether it is completed already. */
static inline void cpu_ring_await(cpu_ring *ring, uint64_t ticket)
{
    uint64_t least = atomic_load_explicit(&ring->awaited, memory_order_seq_cst);
    while (ticket < least && !atomic_compare_exchange_weak(&ring->awaited, &least, ticket))
        ;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/ring.h"

struct cpu_ring_chunk {
    cpu_ring_chunk *next; /* written before the jump that leads to it is published */
    _Alignas(CPU_RING_LINE) unsigned char records[CPU_RING_CHUNK];
};

_Static_assert(sizeof(cpu_record) <= CPU_RING_ALIGN, "a jump fits where any record would");

/* How far ahead of the tail lines are fetched for writing: the consumer had them last, and a store that waits for
 * them would hold up the next submit's lock. */
enum { PREFETCH = 512, SPARES = 8 };

/* For writing: compilers for every x86-64 processor fetch for reading. */
static inline void prefetch(void *line)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

static void begin_chunk(cpu_ring *ring, cpu_ring_chunk *chunk)
{
    chunk->next = NULL;
    ring->tail_chunk = chunk;
    ring->tail = chunk->records;
    ring->tail_end = chunk->records + CPU_RING_CHUNK - CPU_RING_ALIGN; /* the last place is for a jump */
}

/* Its address names the thread. */
static _Thread_local char self;

static cpu_ring_chunk *take_held(cpu_ring *ring)
{
    cpu_ring_chunk *chunk = ring->holder == &self ? ring->held : NULL;
    if (chunk != NULL)
        ring->held = NULL;
    return chunk;
}

/* NULL: memory is short. */
static cpu_ring_chunk *take(cpu_ring *ring)
{
    if (ring->spare == NULL)
        ring->spare = atomic_exchange_explicit(&ring->empty, NULL, memory_order_acquire);
    cpu_ring_chunk *chunk = ring->spare;
    if (chunk == NULL)
        return aligned_alloc(CPU_RING_LINE, sizeof(cpu_ring_chunk));
    ring->spare = chunk->next;
    atomic_fetch_sub_explicit(&ring->spares, 1, memory_order_relaxed);
    return chunk;
}

static bool grow(cpu_ring *ring)
{
    cpu_ring_chunk *chunk = take(ring);
    if (chunk == NULL)
        chunk = take_held(ring);
    if (chunk == NULL)
        return false;
    if (ring->tail == NULL) {
        ring->first = chunk;
    } else {
        ring->tail_chunk->next = chunk;
        *(cpu_record *)(void *)ring->tail = (cpu_record){.size = 0, .kind = CPU_RING_JUMP};
    }
    begin_chunk(ring, chunk);
    return true;
}

cpu_record *cpu_ring_reserve(cpu_ring *ring, size_t size)
{
    size = (size + CPU_RING_ALIGN - 1) & ~(size_t)(CPU_RING_ALIGN - 1);
    if (__builtin_expect(ring->tail == NULL || (size_t)(ring->tail_end - ring->tail) < size, 0) && !grow(ring))
        return NULL;
    cpu_record *record = (cpu_record *)(void *)ring->tail;
    record->size = (uint32_t)size;
    return record;
}

uint64_t cpu_ring_publish(cpu_ring *ring, cpu_record *record)
{
    ring->tail += record->size;
    if (ring->tail_end - ring->tail >= 2 * PREFETCH)
        for (size_t ahead = 0; ahead < record->size; ahead += CPU_RING_LINE)
            prefetch(ring->tail + PREFETCH + ahead);
    uint64_t ticket = atomic_load_explicit(&ring->published, memory_order_relaxed) + 1;
    atomic_store_explicit(&ring->published, ticket, memory_order_release);
    return ticket;
}

bool cpu_ring_hold(cpu_ring *ring)
{
    if (ring->held == NULL)
        ring->held = take(ring);
    if (ring->held == NULL)
        return false;
    ring->held->next = NULL;
    ring->holder = &self;
    return true;
}

/* The chunk stays for the next time. */
void cpu_ring_let_go(cpu_ring *ring)
{
    ring->holder = NULL;
}

/* Without the lock, which busy submitters would hardly ever leave to the consumer. */
static void give_back(cpu_ring *ring, cpu_ring_chunk *chunk)
{
    if (atomic_load_explicit(&ring->spares, memory_order_relaxed) >= SPARES) {
        free(chunk);
        return;
    }
    atomic_fetch_add_explicit(&ring->spares, 1, memory_order_relaxed);
    chunk->next = atomic_load_explicit(&ring->empty, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&ring->empty, &chunk->next, chunk, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

cpu_record *cpu_ring_peek(cpu_ring *ring)
{
    if (ring->head == NULL) {
        ring->head_chunk = ring->first;
        ring->head = ring->head_chunk->records;
    }
    cpu_record *record = (cpu_record *)(void *)ring->head;
    if (record->kind == CPU_RING_JUMP) {
        cpu_ring_chunk *left = ring->head_chunk;
        ring->head_chunk = left->next;
        ring->head = ring->head_chunk->records;
        give_back(ring, left);
        record = (cpu_record *)(void *)ring->head;
    }
    return record;
}

void cpu_ring_pop(cpu_ring *ring, const cpu_record *record)
{
    ring->head += record->size;
}

static void free_list(cpu_ring_chunk *chunk)
{
    while (chunk != NULL) {
        cpu_ring_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void cpu_ring_clear(cpu_ring *ring)
{
    free_list(ring->head_chunk != NULL ? ring->head_chunk : ring->first);
    free_list(ring->spare);
    free(ring->held);
    free_list(atomic_load_explicit(&ring->empty, memory_order_acquire));
}

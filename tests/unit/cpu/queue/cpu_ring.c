/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/ring.h"
#include "run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A record that says who made it, and whose bytes can be checked. */
typedef struct item {
    cpu_record record;
    uint32_t producer, number;
    unsigned char bytes[];
} item;

static cpu_ring *make(void)
{
    cpu_ring *ring = aligned_alloc(CPU_RING_LINE, sizeof(*ring));

    ck_assert_ptr_nonnull(ring);
    memset(ring, 0, sizeof(*ring));
    return ring;
}

static void destroy(cpu_ring *ring)
{
    cpu_ring_clear(ring);
    free(ring);
}

static size_t length_of(uint32_t number)
{
    return number * 37u % 4099u;
}

static uint64_t put(cpu_ring *ring, uint32_t producer, uint32_t number)
{
    size_t length = length_of(number);

    cpu_lock_spin(&ring->lock);
    item *made = (item *)(void *)cpu_ring_reserve(ring, sizeof(item) + length);
    ck_assert_ptr_nonnull(made);
    ck_assert_uint_eq((uintptr_t)made % CPU_RING_ALIGN, 0);
    made->record.kind = 1;
    made->producer = producer;
    made->number = number;
    memset(made->bytes, (int)(number & 0xff), length);
    uint64_t ticket = cpu_ring_publish(ring, &made->record);
    cpu_lock_release(&ring->lock);
    return ticket;
}

/* Takes one command and checks its bytes. */
static item take(cpu_ring *ring)
{
    item *next = (item *)(void *)cpu_ring_peek(ring);
    item head = *next;

    ck_assert_uint_eq(head.record.kind, 1);
    for (size_t i = 0; i < length_of(head.number); ++i)
        if (next->bytes[i] != (head.number & 0xff))
            ck_abort_msg("byte %zu of command %u", i, head.number);
    cpu_ring_pop(ring, &next->record);
    atomic_store(&ring->completed, cpu_ring_completed(ring) + 1);
    return head;
}

START_TEST(an_empty_ring_has_nothing_published_and_takes_no_memory)
{
    cpu_ring *ring = make();

    ck_assert_uint_eq(cpu_ring_published(ring), 0);
    ck_assert_uint_eq(cpu_ring_completed(ring), 0);
    destroy(ring);
}
END_TEST

START_TEST(tickets_count_from_one)
{
    cpu_ring *ring = make();

    for (uint32_t i = 0; i < 10; ++i)
        ck_assert_uint_eq(put(ring, 0, i), i + 1);
    destroy(ring);
}
END_TEST

/* The jump to the next chunk stands behind the last record. */
START_TEST(the_last_place_of_a_chunk_is_left_free)
{
    cpu_ring *ring = make();
    unsigned char *first = NULL;
    size_t records = 0;

    for (bool inside = true; inside; ++records) {
        cpu_record *record = cpu_ring_reserve(ring, CPU_RING_ALIGN);
        ck_assert_ptr_nonnull(record);
        first = first != NULL ? first : (unsigned char *)record;
        inside = (unsigned char *)record == first + records * CPU_RING_ALIGN;
        cpu_ring_publish(ring, record);
    }
    ck_assert_uint_le(records, CPU_RING_CHUNK / CPU_RING_ALIGN); /* with the one that was elsewhere */
    destroy(ring);
}
END_TEST

START_TEST(Q1_commands_of_any_size_come_out_as_they_went_in_across_chunks)
{
    enum { ROUNDS = 50, BATCH = 97 };
    cpu_ring *ring = make();
    uint32_t put_next = 0, take_next = 0;

    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < BATCH; ++i)
            put(ring, 0, put_next++);
        for (int i = 0; i < BATCH - round % 3; ++i)
            ck_assert_uint_eq(take(ring).number, take_next++);
    }
    while (take_next != put_next)
        ck_assert_uint_eq(take(ring).number, take_next++);
    destroy(ring);
}
END_TEST

START_TEST(the_largest_record_fits)
{
    cpu_ring *ring = make();

    for (int i = 0; i < 20; ++i) {
        cpu_lock_spin(&ring->lock);
        cpu_record *record = cpu_ring_reserve(ring, CPU_RING_RECORD_MAX);
        ck_assert_ptr_nonnull(record);
        record->kind = 1;
        memset(record + 1, 0x5a, CPU_RING_RECORD_MAX - sizeof(*record));
        cpu_ring_publish(ring, record);
        cpu_lock_release(&ring->lock);
    }
    for (int i = 0; i < 20; ++i) {
        cpu_record *record = cpu_ring_peek(ring);
        ck_assert_uint_eq(record->size, CPU_RING_RECORD_MAX);
        cpu_ring_pop(ring, record);
        atomic_store(&ring->completed, cpu_ring_completed(ring) + 1);
    }
    destroy(ring);
}
END_TEST

START_TEST(Q5_a_ring_grows_as_far_as_it_must)
{
    enum { COMMANDS = 20000 }; /* some 40 MB */
    cpu_ring *ring = make();

    for (uint32_t i = 0; i < COMMANDS; ++i)
        put(ring, 0, i);
    for (uint32_t i = 0; i < COMMANDS; ++i)
        ck_assert_uint_eq(take(ring).number, i);
    destroy(ring);
}
END_TEST

enum { PRODUCERS = 3, EACH = 5000 };

typedef struct job {
    cpu_ring *ring;
    uint32_t producer;
} job;

static void *produce(void *user)
{
    job *own = user;

    for (uint32_t i = 0; i < EACH; ++i)
        put(own->ring, own->producer, i);
    return NULL;
}

START_TEST(O2_each_producers_commands_stay_in_its_order)
{
    cpu_ring *ring = make();
    pthread_t threads[PRODUCERS];
    job jobs[PRODUCERS];
    uint32_t next[PRODUCERS] = {0};

    for (uint32_t i = 0; i < PRODUCERS; ++i) {
        jobs[i] = (job){ring, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, produce, &jobs[i]), 0);
    }
    for (uint32_t taken = 0; taken < PRODUCERS * EACH;) {
        if (cpu_ring_published(ring) == taken)
            continue;
        item head = take(ring);
        ck_assert_uint_eq(head.number, next[head.producer]++);
        ++taken;
    }
    for (uint32_t i = 0; i < PRODUCERS; ++i)
        pthread_join(threads[i], NULL);
    destroy(ring);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_ring");

    add(suite, an_empty_ring_has_nothing_published_and_takes_no_memory);
    add(suite, tickets_count_from_one);
    add(suite, the_last_place_of_a_chunk_is_left_free);
    add(suite, Q1_commands_of_any_size_come_out_as_they_went_in_across_chunks);
    add(suite, the_largest_record_fits);
    add(suite, Q5_a_ring_grows_as_far_as_it_must);
    add(suite, O2_each_producers_commands_stay_in_its_order);
    return suite;
}

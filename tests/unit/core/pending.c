/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/allocate.h"
#include "core/tools/pending.h"
#include "run.h"

#include <pthread.h>
#include <sched.h>

START_TEST(a_record_that_was_given_back_is_taken_again_without_an_allocation)
{
    watch_pending *list = NULL, *first = accel_pending_take(&list), *second = accel_pending_take(&list);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_ne(first, second);
    accel_pending_give(first);
    accel_pending_give(second);
    run_fail_allocation(1);
    watch_pending *again = accel_pending_take(&list), *other = accel_pending_take(&list);
    ck_assert(!run_allocation_failed());
    ck_assert((again == first && other == second) || (again == second && other == first));
    ck_assert_ptr_null(accel_pending_take(&list));
    ck_assert(run_allocation_failed());
    accel_pending_give(again);
    accel_pending_give(other);
    accel_pending_discard(&list);
}
END_TEST

START_TEST(what_is_discarded_is_taken_no_more)
{
    watch_pending *list = NULL, *first = accel_pending_take(&list), *second = accel_pending_take(&list);
    accel_pending_give(first);
    accel_pending_give(second);
    first = accel_pending_take(&list); /* the other one is in the list now */
    accel_pending_give(first);
    accel_pending_discard(&list);
    ck_assert_ptr_null(list);
    run_fail_allocation(1);
    ck_assert_ptr_null(accel_pending_take(&list));
    run_fail_allocation(0);
}
END_TEST

/* A queue's thread takes records; another gives them back. New memory holds neither mark. */
enum { QUEUES = 2, ROUNDS = 1000000, ROOM = 8, OWNED = 0x51f2a7, FREE = 0x3c1d9b };
typedef struct pair {
    _Atomic(watch_pending *) room[ROOM];
    size_t made, shared; /* records that were new, and those that two had at once */
} pair;

static void *takes(void *user)
{
    pair *p = user;
    watch_pending *list = NULL;
    for (size_t i = 0; i < ROUNDS; ++i) {
        _Atomic(watch_pending *) *place = &p->room[i % ROOM];
        while (atomic_load(place) != NULL)
            sched_yield();
        watch_pending *pending = accel_pending_take(&list);
        p->shared += pending->mask == OWNED;
        p->made += pending->mask != OWNED && pending->mask != FREE;
        pending->mask = OWNED;
        atomic_store(place, pending);
    }
    while (list != NULL) {
        watch_pending *next = list->next;
        accel_pending_give(list);
        list = next;
    }
    return NULL;
}

static void *gives(void *user)
{
    pair *p = user;
    for (size_t i = 0; i < ROUNDS; ++i) {
        watch_pending *pending;
        while ((pending = atomic_exchange(&p->room[i % ROOM], NULL)) == NULL)
            sched_yield();
        pending->mask = FREE;
        accel_pending_give(pending);
    }
    return NULL;
}

START_TEST(no_record_has_two_owners_and_none_is_lost)
{
    static pair pairs[QUEUES];
    pthread_t threads[QUEUES][2];
    watch_pending *list = NULL;
    size_t made = 0, left = 0;
    for (size_t q = 0; q < QUEUES; ++q) {
        ck_assert_int_eq(pthread_create(&threads[q][0], NULL, takes, &pairs[q]), 0);
        ck_assert_int_eq(pthread_create(&threads[q][1], NULL, gives, &pairs[q]), 0);
    }
    for (size_t q = 0; q < QUEUES; ++q) {
        pthread_join(threads[q][0], NULL);
        pthread_join(threads[q][1], NULL);
        ck_assert_uint_eq(pairs[q].shared, 0);
        made += pairs[q].made;
    }
    run_fail_allocation(1);
    for (watch_pending *pending; (pending = accel_pending_take(&list)) != NULL; ++left)
        accel_deallocate(pending);
    ck_assert_uint_eq(left, made);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("pending");
    add(suite, a_record_that_was_given_back_is_taken_again_without_an_allocation);
    add(suite, what_is_discarded_is_taken_no_more);
    add(suite, no_record_has_two_owners_and_none_is_lost);
    return suite;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Queues: order, blocking, independence, growth. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void launch_words(accel_queue *queue, const char *name, accel_buffer *buffer, size_t n, uint32_t value)
{
    words_args args = {.words = accel_buffer_ptr(buffer), .n = n, .value = value};
    accel_work work = work_of(2, 1);
    ok(accel_launch(queue, kernel_named(name), &work, &args, sizeof args));
}

/* Every kind of operation, each of which depends on the one before. */
static void check_order(accel_queue *queue)
{
    enum { N = 1000 };
    accel_buffer *a = words_new(test.device, N, 0), *b = words_new(test.device, N, 0);
    uint32_t expected = 0;
    uint32_t *words = calloc(N, sizeof *words);
    for (uint32_t round = 0; round < 60; ++round) {
        if (round % 10 == 0) {
            expected = round;
            ok(accel_fill(queue, a, &expected, sizeof expected, NULL));
        }
        launch_words(queue, "chain", a, N, round);
        expected = 3 * expected + round;
        ok(accel_copy(queue, b, a, NULL));
        launch_words(queue, "chain", b, N, 1);
        expected = 3 * expected + 1;
        ok(accel_copy(queue, a, b, NULL));
    }
    ok(accel_read(queue, words, a));
    ok(accel_queue_wait(queue));
    for (int i = 0; i < N; ++i)
        ck_assert_uint_eq(words[i], expected);
    free(words);
    accel_buffer_release(a);
    accel_buffer_release(b);
}

START_TEST(q1_operations_of_one_queue_take_effect_in_order)
{
    static const uint32_t flags[] = {0, ACCEL_QUEUE_BLOCKING, ACCEL_QUEUE_PROFILING,
                                     ACCEL_QUEUE_BLOCKING | ACCEL_QUEUE_PROFILING};
    for (int i = 0; i < 4; ++i) {
        accel_queue *queue = queue_new(test.device, flags[i]);
        check_order(queue);
        accel_queue_release(queue);
    }
}
END_TEST

/* A blocking queue that threads share, and what its host functions see. */
typedef struct shared_queue {
    accel_queue *queue;
    accel_buffer *words;
    _Atomic uint32_t inside, overlaps, changes;
    uint32_t seen[100]; /* written by reads of the queue */
} shared_queue;

static void look_twice(void *user, accel_status status)
{
    shared_queue *shared = user;
    volatile const uint32_t *seen = shared->seen;
    const struct timespec nap = {.tv_nsec = 200000};
    uint32_t first = seen[0], last = seen[99];
    (void)status;
    if (atomic_fetch_add(&shared->inside, 1) != 0)
        ++shared->overlaps;
    nanosleep(&nap, NULL);
    if (seen[0] != first || seen[99] != last)
        ++shared->changes;
    --shared->inside;
}

static void *call_and_read(void *user)
{
    shared_queue *shared = user;
    for (uint32_t i = 0; i < 40; ++i) {
        uint32_t value = i;
        ok(accel_queue_call(shared->queue, look_twice, shared));
        ok(accel_fill(shared->queue, shared->words, &value, sizeof value, NULL));
        ok(accel_read(shared->queue, shared->seen, shared->words));
    }
    return NULL;
}

START_TEST(q1_operations_of_a_blocking_queue_exclude_those_of_other_threads)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    shared_queue shared = {.queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING),
                           .words = words_new(test.device, 100, 7)};
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, call_and_read, &shared), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(shared.overlaps, 0);
    ck_assert_uint_eq(shared.changes, 0);
    accel_queue_release(shared.queue);
    accel_buffer_release(shared.words);
}
END_TEST

START_TEST(q1_different_queues_are_independent)
{
    gate door;
    accel_queue *held = queue_new(test.device, 0), *other = queue_new(test.device, 0);
    accel_queue *blocking = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_buffer *buffer = words_new(test.device, 100, 1);
    bool idle = true;
    gate_init(&door);
    gate_in(&door, held);
    launch_words(held, "set", buffer, 100, 5);
    gate_entered(&door);
    check_order(other);
    check_order(blocking);
    words_are(other, buffer, 1);
    ok(accel_queue_is_idle(held, &idle));
    ck_assert(!idle);
    ok(accel_queue_is_idle(other, &idle));
    ck_assert(idle);
    gate_open(&door);
    ok(accel_queue_wait(held));
    ok(accel_queue_is_idle(held, &idle));
    ck_assert(idle);
    words_are(held, buffer, 5);
    accel_queue_release(held);
    accel_queue_release(other);
    accel_queue_release(blocking);
    accel_buffer_release(buffer);
    gate_destroy(&door);
}
END_TEST

static void note(void *user, accel_status status)
{
    (void)status;
    atomic_store((_Atomic uint32_t *)user, 1);
}

static void *open_later(void *user)
{
    sleep_ms(60);
    gate_open(user);
    return NULL;
}

START_TEST(q2_on_a_blocking_queue_each_operation_is_complete_when_the_call_returns)
{
    enum { N = 10000 };
    static _Atomic uint32_t called;
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING), *watcher = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, N, 0);
    uint32_t value = 3, *words = calloc(N, sizeof *words);
    bool yes = false;
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_queue_is_idle(queue, &yes));
    ck_assert(yes);
    words_are(watcher, buffer, 3);
    launch_words(queue, "set", buffer, N, 4);
    words_are(watcher, buffer, 4);
    ok(accel_read(queue, words, buffer));
    ck_assert_uint_eq(words[N - 1], 4);
    words[N - 1] = 5;
    ok(accel_write(queue, buffer, words));
    memset(words, 0, N * sizeof *words);
    ok(accel_read(watcher, words, buffer));
    ok(accel_queue_wait(watcher));
    ck_assert_uint_eq(words[N - 1], 5);
    atomic_store(&called, 0);
    ok(accel_queue_call(queue, note, &called));
    ck_assert_uint_eq(atomic_load(&called), 1);
    accel_event *event = event_new(test.device, 0);
    ok(accel_event_record(event, queue));
    ok(accel_event_is_complete(event, &yes));
    ck_assert(yes);
    free(words);
    accel_event_release(event);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_queue_release(watcher);
}
END_TEST

START_TEST(q2_a_blocking_queue_waits_for_events_in_the_call)
{
    gate door;
    pthread_t thread;
    accel_queue *blocking = queue_new(test.device, ACCEL_QUEUE_BLOCKING), *other = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 1);
    accel_event *event = event_new(test.device, 0);
    bool yes = false;
    gate_init(&door);
    gate_in(&door, other);
    launch_words(other, "set", buffer, 100, 2);
    ok(accel_event_record(event, other));
    gate_entered(&door);
    ok(accel_event_is_complete(event, &yes));
    ck_assert(!yes);
    ck_assert_int_eq(pthread_create(&thread, NULL, open_later, &door), 0);
    ok(accel_queue_wait_event(blocking, event));
    ok(accel_event_is_complete(event, &yes));
    ck_assert(yes);
    words_are(blocking, buffer, 2);
    pthread_join(thread, NULL);
    accel_event_release(event);
    accel_buffer_release(buffer);
    accel_queue_release(blocking);
    accel_queue_release(other);
    gate_destroy(&door);
}
END_TEST

START_TEST(q3_work_starts_without_any_further_call)
{
    static _Atomic uint32_t called;
    accel_queue *queue = queue_new(test.device, 0);
    for (unsigned pause = 0; pause <= 20; pause += 10) { /* awake, between two naps, asleep */
        sleep_ms(pause);
        atomic_store(&called, 0);
        ok(accel_queue_call(queue, note, &called));
        ck_assert(becomes(&called, 1, 20));
    }
    accel_queue_release(queue);
}
END_TEST

static pthread_t waiting_thread;
static _Atomic uint32_t run_by_waiter, calls;

static void note_thread(void *user, accel_status status)
{
    (void)user;
    (void)status;
    if (pthread_equal(pthread_self(), waiting_thread))
        atomic_fetch_add(&run_by_waiter, 1);
    atomic_fetch_add(&calls, 1);
}

START_TEST(q4_a_waiting_thread_runs_only_the_work_it_waits_for)
{
    accel_queue *mine = queue_new(test.device, 0), *foreign = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 0);
    waiting_thread = pthread_self();
    atomic_store(&run_by_waiter, 0);
    atomic_store(&calls, 0);
    for (int round = 0; round < 200; ++round) {
        for (int k = 0; k < 5; ++k)
            ok(accel_queue_call(foreign, note_thread, NULL));
        launch_words(mine, "set", buffer, 100, (uint32_t)round);
        ok(accel_queue_wait(mine));
        ck_assert_uint_eq(atomic_load(&run_by_waiter), 0);
    }
    ok(accel_queue_wait(foreign));
    ck_assert_uint_eq(atomic_load(&calls), 1000);
    words_are(mine, buffer, 199);
    accel_buffer_release(buffer);
    accel_queue_release(mine);
    accel_queue_release(foreign);
}
END_TEST

START_TEST(q5_submitting_never_blocks_on_a_full_ring)
{
    enum { LAUNCHES = 30000 };
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 8, 0);
    bool idle = true;
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    atomic_store(&calls, 0);
    for (uint32_t i = 0; i < LAUNCHES; ++i) {
        launch_words(queue, "add", buffer, 8, 1);
        if (i % 100 == 0)
            ok(accel_queue_call(queue, note_thread, NULL));
    }
    ck_assert_uint_eq(atomic_load(&calls), 0);
    ok(accel_queue_is_idle(queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    words_are(queue, buffer, LAUNCHES);
    ck_assert_uint_eq(atomic_load(&calls), LAUNCHES / 100);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(q6_arguments_and_patterns_are_copied_before_the_call_returns)
{
    enum { N = 64 };
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *a = words_new(test.device, N, 0), *b = words_new(test.device, N, 0), *sum = bytes_new(test.device, 8);
    words_args args = {.words = accel_buffer_ptr(a), .n = N, .value = 77};
    accel_work work = work_of(1, 1);
    uint32_t pattern = 88;
    big_args *big;
    size_t size;
    uint64_t expected, result = 0;
    accel_kernel *kernel = kernel_of_most_arguments(7, &big, &size, &expected);
    big->sum = accel_buffer_ptr(sum);
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    ok(accel_launch(queue, kernel_named("set"), &work, &args, sizeof args));
    ok(accel_launch(queue, kernel, &work, big, size));
    ok(accel_fill(queue, b, &pattern, sizeof pattern, NULL));
    memset(&args, 0xee, sizeof args);
    memset(big, 0xee, sizeof *big);
    free(big);
    memset(&work, 0xee, sizeof work);
    pattern = 0xeeeeeeee;
    gate_open(&door);
    words_are(queue, a, 77);
    words_are(queue, b, 88);
    ok(accel_read(queue, &result, sum));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(result, expected);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_buffer_release(sum);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(priorities_are_brought_into_the_devices_range)
{
    static const int32_t wishes[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; ++i) {
        accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
        accel_queue *queue = NULL;
        desc.priority = wishes[i];
        ok(accel_queue_create(test.device, &desc, &queue));
        accel_buffer *buffer = words_new(test.device, 4, 2);
        words_are(queue, buffer, 2);
        ck_assert_ptr_eq(accel_queue_device(queue), test.device);
        accel_buffer_release(buffer);
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(an_empty_queue_is_idle_and_waits_for_nothing)
{
    for (uint32_t flags = 0; flags < 4; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        bool idle = false;
        ok(accel_queue_is_idle(queue, &idle));
        ck_assert(idle);
        ok(accel_queue_wait(queue));
        ck_assert_ptr_eq(accel_queue_retain(queue), queue);
        accel_queue_release(queue);
        ok(accel_queue_wait(queue));
        accel_queue_release(queue);
    }
}
END_TEST

Suite *queue_suite(void)
{
    Suite *suite = suite_create("queue");
    add(suite, q1_operations_of_one_queue_take_effect_in_order);
    add(suite, q1_operations_of_a_blocking_queue_exclude_those_of_other_threads);
    add(suite, q1_different_queues_are_independent);
    add(suite, q2_on_a_blocking_queue_each_operation_is_complete_when_the_call_returns);
    add(suite, q2_a_blocking_queue_waits_for_events_in_the_call);
    add(suite, q3_work_starts_without_any_further_call);
    add(suite, q4_a_waiting_thread_runs_only_the_work_it_waits_for);
    add(suite, q5_submitting_never_blocks_on_a_full_ring);
    add(suite, q6_arguments_and_patterns_are_copied_before_the_call_returns);
    add(suite, priorities_are_brought_into_the_devices_range);
    add(suite, an_empty_queue_is_idle_and_waits_for_nothing);
    return suite;
}

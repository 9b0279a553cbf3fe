/* SPDX-License-Identifier: Apache-2.0 */
/* Events that the program signals, and queues that wait for them. */
#include "fork_at_rest.h"
#include "nouns.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static void is_complete(accel_event *event, bool expected)
{
    bool yes = !expected;
    ok(accel_event_is_complete(event, &yes));
    ck_assert(yes == expected);
}

START_TEST(e1_e6_a_host_event_that_was_never_armed_counts_as_complete)
{
    accel_event *event = event_new(test.host, 0);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 5, 1);
    is_complete(event, true);
    ok(accel_event_wait(event));
    ok(accel_queue_wait_event(queue, event));
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_event_release(event);
}
END_TEST

START_TEST(e6_queues_of_every_backend_wait_from_arm_to_signal)
{
    enum { EACH = 2 };
    accel_device *devices[] = {test.device, need_partner()};
    accel_queue *queues[2][EACH];
    accel_buffer *buffers[2][EACH];
    accel_event *event = event_new(test.host, 0);
    uint32_t one = 1;
    bool yes = true;
    for (uint32_t round = 0; round < 3; ++round) {
        ok(accel_event_arm(event));
        is_complete(event, false);
        for (int d = 0; d < 2; ++d)
            for (int i = 0; i < EACH; ++i) {
                queues[d][i] = queue_new(devices[d], 0);
                buffers[d][i] = words_new(devices[d], 100, 0);
                ok(accel_queue_wait_event(queues[d][i], event));
                ok(accel_fill(queues[d][i], buffers[d][i], &one, sizeof one, NULL));
            }
        sleep_ms(20);
        for (int d = 0; d < 2; ++d)
            for (int i = 0; i < EACH; ++i) {
                ok(accel_queue_is_idle(queues[d][i], &yes));
                ck_assert(!yes);
            }
        ok(accel_event_signal(event, ACCEL_OK));
        is_complete(event, true);
        ok(accel_event_wait(event));
        for (int d = 0; d < 2; ++d)
            for (int i = 0; i < EACH; ++i) {
                words_are(queues[d][i], buffers[d][i], 1);
                accel_buffer_release(buffers[d][i]);
                accel_queue_release(queues[d][i]);
            }
    }
    accel_event_release(event);
}
END_TEST

START_TEST(e2_e6_a_wait_refers_to_the_latest_arming_at_its_call)
{
    accel_event *event = event_new(test.host, 0);
    accel_queue *first = queue_new(test.device, 0), *second = queue_new(test.device, 0);
    accel_buffer *a = words_new(test.device, 100, 0), *b = words_new(test.device, 100, 0);
    uint32_t one = 1, two = 2;
    bool yes = true;
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(first, event));
    ok(accel_fill(first, a, &one, sizeof one, NULL));
    ok(accel_event_signal(event, ACCEL_OK));
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(second, event));
    ok(accel_fill(second, b, &two, sizeof two, NULL));
    words_are(first, a, 1); /* although the second arming is pending */
    sleep_ms(20);
    ok(accel_queue_is_idle(second, &yes));
    ck_assert(!yes);
    ok(accel_event_signal(event, ACCEL_OK));
    words_are(second, b, 2);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(first);
    accel_queue_release(second);
    accel_event_release(event);
}
END_TEST

START_TEST(q7_e6_queues_inherit_the_failure_that_a_signal_carries)
{
    accel_event *event = event_new(test.host, 0);
    accel_queue *early = queue_new(test.device, 0), *late = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 7);
    uint32_t one = 1;
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(early, event));
    ok(accel_fill(early, buffer, &one, sizeof one, NULL)); /* skipped */
    ok(accel_event_signal(event, ACCEL_IO));
    refused(ACCEL_IO, accel_event_wait(event), "ACCEL_IO");
    is_complete(event, true);
    refused(ACCEL_IO, accel_queue_wait(early), "event");
    words_are(early, buffer, 7); /* reported and cleared */
    ok(accel_queue_wait_event(late, event));
    refused(ACCEL_IO, accel_queue_wait(late), "event");
    ok(accel_event_arm(event));
    ok(accel_event_signal(event, ACCEL_OK));
    ok(accel_event_wait(event));
    ok(accel_queue_wait_event(late, event));
    words_are(late, buffer, 7);
    accel_buffer_release(buffer);
    accel_queue_release(early);
    accel_queue_release(late);
    accel_event_release(event);
}
END_TEST

static void signal_inside(void *user, accel_status status)
{
    if (accel_event_signal(user, status) != ACCEL_OK)
        abort();
}

START_TEST(q8_e6_a_host_function_may_signal)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_event *event = event_new(test.host, 0);
        accel_queue *signalling = queue_new(test.device, flags), *waiting = queue_new(test.device, 0);
        accel_buffer *buffer = words_new(test.device, 100, 0);
        for (uint32_t round = 1; round <= 200; ++round) {
            ok(accel_event_arm(event));
            ok(accel_queue_wait_event(waiting, event));
            ok(accel_fill(waiting, buffer, &round, sizeof round, NULL));
            ok(accel_queue_call(signalling, signal_inside, event));
            if (round % 50 == 0)
                words_are(waiting, buffer, round);
            else
                ok(accel_event_wait(event));
        }
        accel_queue_release(signalling);
        ok(accel_queue_wait(waiting));
        accel_queue_release(waiting);
        accel_event_release(event);
        accel_buffer_release(buffer);
    }
}
END_TEST

static void release_inside(void *user, accel_status status)
{
    (void)status;
    accel_event_release(user);
}

START_TEST(e6_the_last_release_of_an_armed_event_signals_unavailable)
{
    accel_queue *waiting = queue_new(test.device, 0), *other = queue_new(test.device, 0);
    accel_event *event = event_new(test.host, 0);
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(waiting, event));
    accel_event_release(accel_event_retain(event));
    is_complete(event, false);
    accel_event_release(event);
    refused(ACCEL_UNAVAILABLE, accel_queue_wait(waiting), "event");

    event = event_new(test.host, 0);
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(waiting, event));
    ok(accel_queue_call(other, release_inside, event)); /* at once there too: nothing else would end the wait */
    refused(ACCEL_UNAVAILABLE, accel_queue_wait(waiting), "event");
    ok(accel_queue_wait(other));
    accel_queue_release(waiting);
    accel_queue_release(other);
}
END_TEST

static void *signal_soon(void *event)
{
    sleep_ms(30);
    return accel_event_signal(event, ACCEL_OK) == ACCEL_OK ? event : NULL;
}

START_TEST(q2_e6_a_blocking_queue_waits_in_the_call)
{
    accel_event *event = event_new(test.host, 0);
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    pthread_t thread;
    void *result = NULL;
    ok(accel_event_arm(event));
    ck_assert_int_eq(pthread_create(&thread, NULL, signal_soon, event), 0);
    ok(accel_queue_wait_event(queue, event));
    is_complete(event, true);
    pthread_join(thread, &result);
    ck_assert_ptr_nonnull(result);
    ok(accel_event_arm(event));
    ck_assert_int_eq(pthread_create(&thread, NULL, signal_soon, event), 0);
    ok(accel_event_wait(event));
    pthread_join(thread, &result);
    ck_assert_ptr_nonnull(result);
    accel_queue_release(queue);
    accel_event_release(event);
}
END_TEST

typedef struct rivals {
    accel_event *event;
    _Atomic uint32_t won;
} rivals;

static void *rival(void *user)
{
    rivals *all = user;
    if (accel_event_signal(all->event, ACCEL_OK) == ACCEL_OK)
        atomic_fetch_add(&all->won, 1);
    return NULL;
}

START_TEST(e6_of_several_threads_that_signal_one_succeeds)
{
    enum { THREADS = 4, ROUNDS = 100 };
    rivals all = {.event = event_new(test.host, 0)};
    for (uint32_t round = 1; round <= ROUNDS; ++round) {
        pthread_t threads[THREADS];
        ok(accel_event_arm(all.event));
        for (int i = 0; i < THREADS; ++i)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, rival, &all), 0);
        ok(accel_event_wait(all.event));
        for (int i = 0; i < THREADS; ++i)
            pthread_join(threads[i], NULL);
        ck_assert_uint_eq(atomic_load(&all.won), round);
    }
    accel_event_release(all.event);
}
END_TEST

START_TEST(e6_arming_and_signalling_take_turns)
{
    accel_event *event = event_new(test.host, 0);
    refused(ACCEL_INVALID, accel_event_signal(event, ACCEL_OK), "not armed", "accel_event_arm");
    ok(accel_event_arm(event));
    refused(ACCEL_INVALID, accel_event_arm(event), "armed", "accel_event_signal");
    refused(ACCEL_INVALID, accel_event_signal(event, ACCEL_NOT_READY), "ACCEL_NOT_READY");
    refused(ACCEL_INVALID, accel_event_signal(event, ACCEL_INTERNAL + 1), "no result");
    is_complete(event, false); /* refused calls change nothing */
    ok(accel_event_signal(event, ACCEL_OK));
    refused(ACCEL_INVALID, accel_event_signal(event, ACCEL_OK), "signalled already");
    accel_event_release(event);
}
END_TEST

START_TEST(e6_queues_record_no_host_events_and_programs_signal_no_others)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *host = event_new(test.host, 0), *device = event_new(test.device, 0);
    uint64_t between = 17;
    void *native = NULL;
    refused(ACCEL_INVALID, accel_event_record(host, queue), "\"host\"", "accel_event_arm", test.properties.name);
    refused(ACCEL_INVALID, accel_event_arm(device), test.properties.name, "accel_instance_host");
    refused(ACCEL_INVALID, accel_event_signal(device, ACCEL_OK), test.properties.name, "accel_instance_host");
    refused(ACCEL_INVALID, accel_event_elapsed(host, device, &between), "\"host\"", test.properties.name);
    refused(ACCEL_UNSUPPORTED, accel_event_native(host, &native), "\"host\"");
    ck_assert_uint_eq(between, 17);
    ck_assert_ptr_null(native);
    is_complete(device, true);
    accel_event_release(host);
    accel_event_release(device);
    accel_queue_release(queue);
}
END_TEST

START_TEST(e4_e6_elapsed_is_the_time_between_two_signals)
{
    accel_event *start = event_new(test.host, ACCEL_EVENT_TIMING), *end = event_new(test.host, ACCEL_EVENT_TIMING);
    accel_event *untimed = event_new(test.host, 0);
    uint64_t between = 17;
    refused(ACCEL_INVALID, accel_event_elapsed(start, end, &between), "armed");
    ok(accel_event_arm(start));
    ok(accel_event_arm(end));
    ok(accel_event_arm(untimed));
    ok(accel_event_signal(start, ACCEL_OK));
    ok(accel_event_signal(untimed, ACCEL_OK));
    refused(ACCEL_NOT_READY, accel_event_elapsed(start, end, &between), "complete");
    refused(ACCEL_INVALID, accel_event_elapsed(start, untimed, &between), "ACCEL_EVENT_TIMING");
    ck_assert_uint_eq(between, 17);
    sleep_ms(20);
    ok(accel_event_signal(end, ACCEL_OK));
    ok(accel_event_elapsed(start, end, &between));
    ck_assert_uint_ge(between, 19000000);
    refused(ACCEL_INVALID, accel_event_elapsed(end, start, &between), "before");
    accel_event_release(start);
    accel_event_release(end);
    accel_event_release(untimed);
}
END_TEST

/* 0, or the number of the check that failed. */
static int use_in_child(accel_event *pending, accel_event *at_rest)
{
    bool yes = false;
    if (accel_event_signal(pending, ACCEL_OK) != ACCEL_FORKED || accel_event_wait(pending) != ACCEL_FORKED ||
        accel_event_arm(pending) != ACCEL_FORKED)
        return 1;
    if (accel_event_arm(at_rest) != ACCEL_OK || accel_event_is_complete(at_rest, &yes) != ACCEL_OK || yes)
        return 2;
    if (accel_event_signal(at_rest, ACCEL_IO) != ACCEL_OK || accel_event_wait(at_rest) != ACCEL_IO)
        return 3;
    accel_event_release(pending);
    accel_event_release(at_rest);
    return 0;
}

START_TEST(o7_e6_in_the_child_of_a_fork_an_armed_event_says_so_and_others_work)
{
    accel_event *pending = event_new(test.host, 0), *at_rest = event_new(test.host, 0);
    accel_queue *queue = queue_new(test.device, 0);
    int status = 0;
    ok(accel_event_arm(pending));
    ok(accel_queue_wait_event(queue, pending));
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(40);
        _exit(use_in_child(pending, at_rest));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ok(accel_event_signal(pending, ACCEL_OK)); /* the parent's is untouched */
    ok(accel_queue_wait(queue));
    accel_event_release(pending);
    accel_event_release(at_rest);
    accel_queue_release(queue);
}
END_TEST

Suite *host_event_suite(void)
{
    Suite *suite = suite_create("host event");
    add(suite, e1_e6_a_host_event_that_was_never_armed_counts_as_complete);
    add(suite, e6_queues_of_every_backend_wait_from_arm_to_signal);
    add(suite, e2_e6_a_wait_refers_to_the_latest_arming_at_its_call);
    add(suite, q7_e6_queues_inherit_the_failure_that_a_signal_carries);
    add(suite, q8_e6_a_host_function_may_signal);
    add(suite, e6_the_last_release_of_an_armed_event_signals_unavailable);
    add(suite, q2_e6_a_blocking_queue_waits_in_the_call);
    add(suite, e6_of_several_threads_that_signal_one_succeeds);
    add(suite, e6_arming_and_signalling_take_turns);
    add(suite, e6_queues_record_no_host_events_and_programs_signal_no_others);
    add(suite, e4_e6_elapsed_is_the_time_between_two_signals);
    add(suite, o7_e6_in_the_child_of_a_fork_an_armed_event_says_so_and_others_work);
    return suite;
}

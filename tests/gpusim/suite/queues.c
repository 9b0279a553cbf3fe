/* SPDX-License-Identifier: Apache-2.0 */
/* Queues that wait for another backend's work, and what a release leaves to others. The other backend is cpu-serial. */
#include "rig.h"

#include <faulty.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Atomic uint32_t called, last_status;

static void count(void *user, accel_status status)
{
    (void)user;
    last_status = status;
    ++called;
}

static void sleep_ms(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static bool becomes(_Atomic uint32_t *word, uint32_t value)
{
    for (int i = 0; i < 20000 && *word != value; ++i)
        sleep_ms(1);
    return *word == value;
}

static accel_queue *queue_new(accel_device *device)
{
    accel_queue *queue = NULL;
    ok(accel_queue_create(device, NULL, &queue));
    return queue;
}

static accel_event *event_new(accel_device *device)
{
    accel_event *event = NULL;
    ok(accel_event_create(device, NULL, &event));
    return event;
}

/* A rig, and a queue of another backend. */
static rig begin_beside(const char *backend, accel_queue **queue, accel_event **event)
{
    rig r = rig_begin_beside(backend);
    accel_device *device = accel_instance_device(r.instance, accel_instance_device_count(r.instance) - 1);
    *queue = queue_new(device);
    *event = event_new(device);
    return r;
}

static uint32_t first_word(const rig *r, accel_queue *queue)
{
    uint32_t words[RIG_WORDS];
    ok(accel_read(queue, words, r->words));
    ok(accel_queue_wait(queue));
    return words[0];
}

static bool is_idle(accel_queue *queue)
{
    bool yes = false;
    ok(accel_queue_is_idle(queue, &yes));
    return yes;
}

START_TEST(e5_what_follows_an_event_of_another_backend_is_deferred_and_then_runs_in_order)
{
    accel_queue *theirs;
    accel_event *reached;
    rig_gate gate;
    bool yes = true;
    rig r = begin_beside("cpu-serial", &theirs, &reached);
    accel_queue *other = queue_new(r.device);
    accel_event *event = event_new(r.device);
    rig_gate_in(&gate, theirs);
    ok(accel_event_record(reached, theirs));
    ok(accel_queue_wait_event(r.queue, reached));
    ok(rig_launch(&r, r.queue, r.set, NULL));
    ok(accel_queue_call(r.queue, count, NULL));
    ok(accel_event_record(event, r.queue));
    ok(accel_queue_wait_event(other, event)); /* on a record that no driver knows yet */
    ok(accel_queue_call(other, count, NULL));
    ck_assert(!is_idle(r.queue));
    ck_assert(!is_idle(other));
    ok(accel_event_is_complete(event, &yes));
    ck_assert(!yes);
    sleep_ms(20);
    ck_assert_uint_eq(called, 0);
    gate.open = true;
    ok(accel_event_wait(event));
    ok(accel_queue_wait(other));
    ck_assert_uint_eq(called, 2);
    ck_assert_uint_eq(last_status, ACCEL_OK);
    ck_assert_uint_eq(first_word(&r, r.queue), 5);
    ok(rig_launch(&r, r.queue, r.add, NULL)); /* no longer deferred */
    ck_assert_uint_eq(first_word(&r, r.queue), 10);
    accel_event_release(event);
    accel_event_release(reached);
    accel_queue_release(other);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

/* The driver answers a fault as the function reaches it: nobody else runs it then. */
START_TEST(q8_a_deferred_host_function_that_the_driver_refuses_runs_once)
{
    accel_queue *theirs;
    accel_event *reached;
    rig_gate gate;
    setenv("GPUSIM_FAIL", "cuLaunchHostFunc@1=700,hipLaunchHostFunc@1=700", 1);
    rig r = begin_beside("cpu-serial", &theirs, &reached);
    rig_gate_in(&gate, theirs);
    ok(accel_event_record(reached, theirs));
    ok(accel_queue_wait_event(r.queue, reached));
    ok(accel_queue_call(r.queue, count, NULL));
    gate.open = true;
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(r.queue), "700");
    ck_assert_uint_eq(called, 1);
    ck_assert_uint_eq(last_status, ACCEL_KERNEL_FAULT);
    accel_event_release(reached);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

/* The driver does not know of the launch yet, so it would not wait for it. */
START_TEST(o4_memory_that_is_released_stays_for_the_launches_that_are_deferred)
{
    accel_queue *theirs;
    accel_event *reached;
    accel_buffer *buffer = NULL;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    rig_gate gate;
    rig r = begin_beside("cpu-serial", &theirs, &reached);
    rig_gate_in(&gate, theirs);
    ok(accel_event_record(reached, theirs));
    ok(accel_queue_wait_event(r.queue, reached));
    ok(accel_buffer_create(r.device, &desc, &buffer));
    ok(rig_launch(&r, r.queue, r.set, accel_buffer_ptr(buffer)));
    accel_buffer_release(buffer);
    sleep_ms(20);
    gate.open = true;
    ok(accel_queue_wait(r.queue));
    ok(rig_use(r.device));
    accel_event_release(reached);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

START_TEST(q7_an_event_that_carries_a_failure_skips_what_was_deferred)
{
    accel_queue *theirs;
    accel_event *failed;
    void *native = NULL;
    uint32_t zero = 0, one[1] = {1};
    rig r = begin_beside("faulty", &theirs, &failed);
    accel_queue *other = queue_new(r.other);
    accel_event *event = event_new(r.device);
    accel_buffer_desc desc = accel_buffer_1d(sizeof(one), 1);
    accel_buffer *word = NULL;
    ok(accel_fill(r.queue, r.words, &zero, sizeof(zero), NULL));
    ok(accel_buffer_create(accel_instance_device(r.instance, accel_instance_device_count(r.instance) - 1), &desc,
                           &word));
    ok(accel_queue_native(theirs, &native));
    faulty_queue_control *control = native;
    control->hold(control);
    control->fail_next(control, ACCEL_KERNEL_FAULT);
    ok(accel_write(theirs, word, one));
    ok(accel_event_record(failed, theirs));
    ok(accel_queue_wait_event(r.queue, failed));
    ok(rig_launch(&r, r.queue, r.add, NULL));
    ok(accel_event_record(event, r.queue));
    ok(accel_queue_call(r.queue, count, NULL));
    ok(accel_queue_wait_event(other, event)); /* of another device */
    control->resume(control);
    refused(ACCEL_KERNEL_FAULT, accel_event_wait(event), "");
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(other), "");
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(r.queue), "");
    ck_assert_uint_eq(called, 1);
    ck_assert_uint_eq(last_status, ACCEL_KERNEL_FAULT);
    ok(accel_queue_wait(r.queue)); /* reported once */
    ck_assert_uint_eq(first_word(&r, r.queue), 0);
    ok(rig_launch(&r, r.queue, r.add, NULL));
    ck_assert_uint_eq(first_word(&r, r.queue), 5);
    (void)accel_queue_wait(theirs);
    accel_buffer_release(word);
    accel_event_release(event);
    accel_event_release(failed);
    accel_queue_release(other);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

START_TEST(e5_others_are_told_of_a_record_without_waiting_for_what_came_later)
{
    accel_queue *theirs;
    accel_event *unused;
    rig_gate gate;
    bool yes = true;
    rig r = begin_beside("cpu-serial", &theirs, &unused);
    accel_event *event = event_new(r.device);
    ok(accel_queue_wait_event(theirs, event)); /* never recorded */
    ok(accel_queue_call(theirs, count, NULL));
    ck_assert(becomes(&called, 1));
    ok(accel_event_record(event, r.queue));
    rig_gate_in(&gate, r.queue);
    ok(accel_queue_wait_event(theirs, event));
    ok(accel_queue_call(theirs, count, NULL));
    ck_assert(becomes(&called, 2));         /* although the gate is shut */
    ok(accel_event_record(event, r.queue)); /* another record */
    ok(accel_event_is_complete(event, &yes));
    ck_assert(!yes);
    gate.open = true;
    ok(accel_event_wait(event));
    accel_event_release(event);
    accel_event_release(unused);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

START_TEST(o3_a_queue_whose_work_is_deferred_may_be_released)
{
    accel_queue *theirs;
    accel_event *reached;
    rig_gate gate;
    rig r = begin_beside("cpu-serial", &theirs, &reached);
    accel_queue *queue = queue_new(r.device);
    rig_gate_in(&gate, theirs);
    ok(accel_event_record(reached, theirs));
    ok(accel_queue_wait_event(queue, reached));
    ok(accel_queue_call(queue, count, NULL));
    accel_queue_release(queue);
    sleep_ms(10);
    ck_assert_uint_eq(called, 0);
    gate.open = true;
    ck_assert(becomes(&called, 1));
    accel_event_release(reached);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

/* The simulated device has 8 units, which hold 2 blocks of 1024 threads each. */
START_TEST(q7_a_launch_that_was_deferred_and_is_too_large_fails_its_queue)
{
    accel_queue *theirs;
    accel_event *reached;
    rig_gate gate;
    uint32_t zero = 0;
    rig r = begin_beside("cpu-serial", &theirs, &reached);
    words_args args = {.words = accel_buffer_ptr(r.words), .n = RIG_WORDS, .value = 5};
    ok(accel_fill(r.queue, r.words, &zero, sizeof(zero), NULL));
    rig_gate_in(&gate, theirs);
    ok(accel_event_record(reached, theirs));
    ok(accel_queue_wait_event(r.queue, reached));
    for (size_t blocks = 16; blocks <= 17; ++blocks) {
        accel_work work = accel_work_1d(blocks, 1024, 1);
        work.flags = ACCEL_WORK_COOPERATIVE;
        ok(accel_launch(r.queue, r.add, &work, &args, sizeof(args)));
    }
    ok(rig_launch(&r, r.queue, r.add, NULL));
    gate.open = true;
    refused(ACCEL_LIMIT, accel_queue_wait(r.queue), "17x1x1 blocks of 1024x1x1 threads", "holds 16 ");
    ck_assert_uint_eq(first_word(&r, r.queue), 5); /* what stood before it */
    accel_event_release(reached);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

/* ------------------------------------------------------------------------------ two threads, one queue -- */

enum { LARGE = 4 << 20, TURNS = 100 }; /* many steps of a staged copy */
typedef struct reader {
    accel_queue *queue;
    accel_buffer *buffer;
    unsigned char *bytes; /* LARGE; alike before and after every read */
    _Atomic unsigned turn, torn;
} reader;

static void *fill_and_read(void *user)
{
    reader *own = user;
    for (unsigned char i = 0; i < TURNS; ++i) {
        ok(accel_fill(own->queue, own->buffer, &i, 1, NULL));
        ok(accel_queue_wait(own->queue)); /* the read is not deferred */
        own->turn = i + 1u;
        ok(accel_read(own->queue, own->bytes, own->buffer));
        ok(accel_queue_wait(own->queue));
    }
    return NULL;
}

static void look_at_bytes(void *user, accel_status status)
{
    reader *own = user;
    for (size_t i = 0; i < LARGE; i += 64 << 10)
        own->torn += own->bytes[i] != own->bytes[LARGE - 1];
    (void)status;
}

START_TEST(q1_a_host_function_never_runs_inside_a_copy_that_another_thread_submits)
{
    static unsigned char bytes[LARGE];
    accel_buffer_desc desc = accel_buffer_1d(1, LARGE);
    pthread_t thread;
    rig r = rig_begin();
    reader shared = {.queue = r.queue, .bytes = bytes};
    ok(accel_buffer_create(r.device, &desc, &shared.buffer));
    ck_assert_int_eq(pthread_create(&thread, NULL, fill_and_read, &shared), 0);
    for (unsigned i = 0; i < TURNS; ++i) { /* later and later in the other thread's submission */
        while (shared.turn <= i)
            sched_yield();
        for (volatile unsigned pause = 0; pause < 500 * i; ++pause)
            ;
        ok(accel_queue_call(r.queue, look_at_bytes, &shared));
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ok(accel_queue_wait(r.queue));
    ck_assert_uint_eq(shared.torn, 0);
    accel_buffer_release(shared.buffer);
    rig_end(&r);
}
END_TEST

/* ----------------------------------------------------------------------------------- giving back -- */

static void open_later(void *user, accel_status status)
{
    (void)status;
    sleep_ms(50);
    ((rig_gate *)user)->open = true;
}

/* Nothing is left but what was released and a fill behind the gate still needs: the allocation waits for it. */
START_TEST(o3_memory_released_while_the_device_works_is_found_by_the_next_allocation)
{
    accel_queue *theirs;
    accel_event *unused;
    rig_gate gate;
    accel_buffer_desc desc = accel_buffer_1d(1, 40 << 20);
    accel_buffer *first = NULL, *second = NULL;
    setenv("GPUSIM_MEMORY", "64", 1);
    rig r = begin_beside("cpu-serial", &theirs, &unused);
    ok(accel_buffer_create(r.device, &desc, &first));
    rig_gate_in(&gate, r.queue);
    ok(accel_fill(r.queue, first, "", 1, NULL));
    accel_buffer_release(first);
    ok(accel_queue_call(theirs, open_later, &gate));
    ok(accel_buffer_create(r.device, &desc, &second));
    ck_assert(gate.open);
    ok(accel_queue_wait(r.queue));
    ok(accel_queue_wait(theirs));
    accel_buffer_release(second);
    accel_event_release(unused);
    accel_queue_release(theirs);
    rig_end(&r);
}
END_TEST

/* What would give the memory back waits for this very thread: the allocation fails, and does not hang. */
START_TEST(o3_an_allocation_does_not_wait_for_ever_for_work_that_is_deferred)
{
    accel_buffer_desc desc = accel_buffer_1d(1, 40 << 20);
    accel_buffer *first = NULL, *second = NULL;
    setenv("GPUSIM_MEMORY", "64", 1);
    rig r = rig_begin();
    accel_event *event = event_new(accel_instance_host(r.instance));
    ok(accel_buffer_create(r.device, &desc, &first));
    ok(accel_event_arm(event));
    ok(accel_queue_wait_event(r.queue, event));
    ok(accel_fill(r.queue, first, "", 1, NULL));
    accel_buffer_release(first);
    refused(ACCEL_OUT_OF_MEMORY, accel_buffer_create(r.device, &desc, &second), "41943040 bytes");
    ok(accel_event_signal(event, ACCEL_OK));
    ok(accel_buffer_create(r.device, &desc, &second));
    ok(accel_queue_wait(r.queue));
    accel_buffer_release(second);
    accel_event_release(event);
    rig_end(&r);
}
END_TEST

START_TEST(ordered_memory_without_the_drivers_help_goes_back_behind_the_work)
{
    const char *trace = rig_scratch("trace"), *freed = rig_is_cuda() ? "cuMemFree_v2" : "hipFree";
    accel_buffer_desc desc = accel_buffer_1d(1, 100);
    accel_buffer *buffer = NULL;
    rig_gate gate;
    setenv("GPUSIM_POOLS", "0", 1);
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    ok(accel_buffer_create_async(r.queue, &desc, &buffer));
    ok(accel_queue_wait(r.queue));
    unsigned before = rig_calls(trace, freed);
    rig_gate_in(&gate, r.queue);
    accel_buffer_release(buffer);
    sleep_ms(20);
    ck_assert_uint_eq(rig_calls(trace, freed), before);
    gate.open = true;
    ok(accel_queue_wait(r.queue));
    for (int i = 0; i < 20000 && rig_calls(trace, freed) == before; ++i)
        sleep_ms(1);
    ck_assert_uint_eq(rig_calls(trace, freed), before + 1);
    rig_end(&r);
}
END_TEST

TCase *queues_tests(void)
{
    TCase *tests = tcase_create("queues");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, q8_a_deferred_host_function_that_the_driver_refuses_runs_once);
    tcase_add_test(tests, o4_memory_that_is_released_stays_for_the_launches_that_are_deferred);
    tcase_add_test(tests, e5_what_follows_an_event_of_another_backend_is_deferred_and_then_runs_in_order);
    tcase_add_test(tests, q7_an_event_that_carries_a_failure_skips_what_was_deferred);
    tcase_add_test(tests, e5_others_are_told_of_a_record_without_waiting_for_what_came_later);
    tcase_add_test(tests, o3_a_queue_whose_work_is_deferred_may_be_released);
    tcase_add_test(tests, q7_a_launch_that_was_deferred_and_is_too_large_fails_its_queue);
    tcase_add_test(tests, q1_a_host_function_never_runs_inside_a_copy_that_another_thread_submits);
    tcase_add_test(tests, o3_memory_released_while_the_device_works_is_found_by_the_next_allocation);
    tcase_add_test(tests, o3_an_allocation_does_not_wait_for_ever_for_work_that_is_deferred);
    tcase_add_test(tests, ordered_memory_without_the_drivers_help_goes_back_behind_the_work);
    return tests;
}

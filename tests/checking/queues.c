/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cpu-check says of operations of several queues. Usage: queues DIRECTORY-OF-SOURCES LIBRARY
 * The lines that reports must name are those of comments "NAME: here" in queues.k.c and in this file.
 */
#include <accel/accel.h>
#include <check.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "planted.h"
#include "suite.h"

enum { N = 1024, MANY = 40 };

static const char *sources, *library;
static accel_instance *instance;
static accel_device *device;
static accel_queue *first, *second;
static accel_module *module;
static accel_buffer *x, *y, *c;
static float host_memory[N];

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

static accel_queue *make_queue(uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue;
    desc.flags = flags;
    GOOD(accel_queue_create(device, &desc, &queue));
    return queue;
}

static accel_event *make_event(void)
{
    accel_event *event;
    GOOD(accel_event_create(device, NULL, &event));
    return event;
}

static void open_device(void)
{
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N), counts = accel_buffer_1d(sizeof(uint32_t), 64);
    const uint32_t zero = 0;
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, "cpu-check", &device));
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_buffer_create(device, &floats, &x));
    GOOD(accel_buffer_create(device, &floats, &y));
    GOOD(accel_buffer_create(device, &counts, &c));
    first = make_queue(0);
    second = make_queue(0);
    GOOD(accel_fill(first, x, &zero, sizeof zero, NULL));
    GOOD(accel_fill(first, y, &zero, sizeof zero, NULL));
    GOOD(accel_fill(first, c, &zero, sizeof zero, NULL));
    GOOD(accel_queue_wait(first));
}

static void close_device(void)
{
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(first);
    accel_queue_release(second);
    accel_instance_release(instance);
}

/* Elements from `begin` on. */
static accel_status launch_part(accel_queue *queue, const char *name, size_t begin, size_t count)
{
    accel_kernel *kernel;
    accel_work work = ACCEL_WORK_INIT;
    planted_args args = {count, (float *)accel_buffer_ptr(x) + begin, (float *)accel_buffer_ptr(y) + begin,
                         accel_buffer_ptr(c)};
    GOOD(accel_module_kernel(module, name, &kernel));
    work.dims = 1;
    work.blocks[0] = 4;
    work.threads[0] = N / 4;
    work.elems[0] = 1;
    return accel_launch(queue, kernel, &work, &args, sizeof args);
}

static void launch(accel_queue *queue, const char *name)
{
    GOOD(launch_part(queue, name, 0, N));
}

static void expect_line(const char *text, const char *file, const char *name)
{
    char wanted[64];
    size_t line = line_of(sources, file, name, "here");
    ck_assert_msg(line != 0, "%s has no comment for %s", file, name);
    snprintf(wanted, sizeof wanted, "/%s:%zu\n", file, line);
    ck_assert_msg(strstr(text, wanted) != NULL, "must name %s:\n%s", wanted, text);
}

/* Waits for both queues, one of which must have failed. Which operation comes second is theirs. */
static char *failure(void)
{
    char *text = NULL;
    accel_queue *const queues[] = {first, second};
    for (int i = 0; i < 2; ++i) {
        if (accel_queue_wait(queues[i]) == ACCEL_OK)
            continue;
        ck_assert_msg(text == NULL, "two failures:\n%s\n%s", text, accel_error_message());
        text = strdup(accel_error_message());
    }
    ck_assert_msg(text != NULL, "no error was found");
    return text;
}

/* The two sides are at these lines: of a kernel, or, where the name is the test's, of this file. */
static void expect(const char *name, const char *kind, const char *one, const char *other)
{
    const char *const sides[] = {one, other};
    char *text = failure(), here[64];
    ck_assert_msg(strstr(text, kind) != NULL, "%s must be \"%s\":\n%s", name, kind, text);
    for (int i = 0; i < 2; ++i) {
        if (strncmp(sides[i], "queue_", 6) == 0) {
            snprintf(here, sizeof here, "kernel \"%s\"", sides[i]);
            ck_assert_msg(strstr(text, here) != NULL, "must name %s:\n%s", here, text);
            expect_line(text, "queues.k.c", sides[i]);
        } else {
            expect_line(text, "queues.c", sides[i]);
        }
    }
    ck_assert_msg(strstr(text, " of a buffer of 4096 bytes, made at ") != NULL, "%s", text);
    free(text);
}

static void expect_none(void)
{
    GOOD(accel_queue_wait(first));
    GOOD(accel_queue_wait(second));
}

static void order_by_event(accel_queue *before, accel_queue *behind)
{
    accel_event *event = make_event();
    GOOD(accel_event_record(event, before));
    GOOD(accel_queue_wait_event(behind, event));
    accel_event_release(event);
}

START_TEST(races_between_launches_of_two_queues_are_found)
{
    static const char kind[] = "race between queues";
    launch(first, "queue_write");
    launch(second, "queue_read");
    expect("write_and_read", kind, "queue_write", "queue_read");
    launch(first, "queue_thread");
    launch(second, "queue_write");
    expect("write_and_write", kind, "queue_thread", "queue_write");
}
END_TEST

START_TEST(an_event_that_is_recorded_too_early_orders_nothing)
{
    static const char kind[] = "race between queues";
    order_by_event(first, second);
    launch(first, "queue_write");
    launch(second, "queue_read");
    expect("early_event", kind, "queue_write", "queue_read");
}
END_TEST

START_TEST(races_between_a_launch_and_a_copy_or_fill_are_found)
{
    static const char kind[] = "race between queues";
    const float one = 1;
    launch(first, "queue_write");
    GOOD(accel_read(second, host_memory, y)); /* read: here */
    expect("launch_and_read", kind, "queue_write", "read");
    launch(second, "queue_read");
    GOOD(accel_write(first, y, host_memory)); /* write: here */
    expect("write_and_launch", kind, "queue_read", "write");
    launch(first, "queue_thread");
    GOOD(accel_fill(second, y, &one, sizeof one, NULL)); /* fill: here */
    expect("launch_and_fill", kind, "queue_thread", "fill");
}
END_TEST

/* Of some elements. */
static accel_buffer *part_of_y(size_t begin, size_t count)
{
    accel_buffer *view;
    GOOD(accel_buffer_view(y, &begin, &count, &view));
    return view;
}

START_TEST(a_fill_may_have_half_of_what_a_launch_wrote_as_one_value)
{
    const float one = 1;
    accel_buffer *behind = part_of_y(N / 2, 3), *within = part_of_y(N / 2 - 1, 1);
    launch(first, "queue_pairs");
    GOOD(accel_queue_wait(first));
    GOOD(launch_part(first, "queue_pairs", 0, N / 2));
    GOOD(accel_fill(second, behind, &one, sizeof one, NULL)); /* its last element is the first of two */
    expect_none();
    launch(first, "queue_read");
    GOOD(accel_read(first, host_memory, y));
    expect_none();
    ck_assert(host_memory[N / 2 - 1] == 0 && host_memory[N / 2 + 2] == 1 && host_memory[N / 2 + 3] == 0);
    GOOD(launch_part(first, "queue_pairs", 0, N / 2));
    GOOD(accel_fill(second, within, &one, sizeof one, NULL)); /* half: here */
    expect("half", "race between queues", "queue_pairs", "half");
    accel_buffer_release(behind);
    accel_buffer_release(within);
}
END_TEST

START_TEST(races_between_copies_are_found)
{
    static const char kind[] = "race between queues";
    GOOD(accel_copy(first, y, x, NULL));       /* copy: here */
    GOOD(accel_write(second, y, host_memory)); /* second: here */
    expect("copies", kind, "copy", "second");
}
END_TEST

/* The copy is complete when its call returns, but the launch may not be. */
START_TEST(a_copy_of_a_blocking_queue_waits_for_no_other_queue)
{
    static const char kind[] = "race between queues";
    accel_queue_release(second);
    second = make_queue(ACCEL_QUEUE_BLOCKING);
    launch(first, "queue_write");
    (void)accel_read(second, host_memory, y); /* blocking: here */
    expect("blocking_copy", kind, "queue_write", "blocking");
}
END_TEST

START_TEST(events_order_queues)
{
    for (int i = 0; i < 3; ++i) {
        launch(first, "queue_write");
        order_by_event(first, second);
        launch(second, "queue_read");
        GOOD(accel_read(second, host_memory, y));
        order_by_event(second, first);
    }
    expect_none();
}
END_TEST

START_TEST(order_passes_through_a_third_queue)
{
    accel_queue *third = make_queue(0);
    launch(first, "queue_write");
    order_by_event(first, third);
    order_by_event(third, second);
    accel_queue_release(third);
    launch(second, "queue_read");
    expect_none();
}
END_TEST

START_TEST(waits_of_the_host_order_queues)
{
    accel_event *event = make_event();
    bool done = false;
    launch(first, "queue_write");
    GOOD(accel_queue_wait(first));
    launch(second, "queue_read");
    GOOD(accel_event_record(event, second));
    GOOD(accel_event_wait(event));
    launch(first, "queue_write");
    GOOD(accel_event_record(event, first));
    while (!done)
        GOOD(accel_event_is_complete(event, &done));
    launch(second, "queue_write");
    for (done = false; !done;)
        GOOD(accel_queue_is_idle(second, &done));
    launch(first, "queue_write");
    GOOD(accel_device_wait(device));
    launch(second, "queue_write");
    accel_event_release(event);
    expect_none();
}
END_TEST

static void tell(void *user, accel_status status)
{
    (void)status;
    atomic_store((atomic_bool *)user, true);
}

static void signal_event(void *user, accel_status status)
{
    (void)accel_event_signal(user, status);
}

START_TEST(host_functions_and_host_events_order_queues)
{
    atomic_bool told = false;
    accel_event *event;
    GOOD(accel_event_create(accel_instance_host(instance), NULL, &event));
    launch(first, "queue_write");
    GOOD(accel_queue_call(first, tell, &told));
    while (!atomic_load(&told))
        ;
    launch(second, "queue_write");
    GOOD(accel_event_arm(event));
    GOOD(accel_queue_wait_event(first, event));
    launch(first, "queue_write");
    GOOD(accel_queue_wait(second));
    GOOD(accel_event_signal(event, ACCEL_OK));
    expect_none();
    launch(first, "queue_write");
    GOOD(accel_event_arm(event));
    GOOD(accel_queue_wait_event(second, event));
    GOOD(accel_queue_call(first, signal_event, event));
    launch(second, "queue_read");
    expect_none();
    accel_event_release(event);
}
END_TEST

static void await(void *user, accel_status status)
{
    (void)status;
    while (!atomic_load((atomic_bool *)user))
        ;
}

START_TEST(a_host_function_that_waits_for_the_host_orders_queues)
{
    atomic_bool told = false;
    GOOD(accel_queue_call(first, await, &told));
    launch(first, "queue_write");
    launch(second, "queue_read");
    GOOD(accel_queue_wait(second));
    atomic_store(&told, true);
    expect_none();
}
END_TEST

START_TEST(another_backend_may_order_queues)
{
    accel_device *other;
    accel_queue *between;
    GOOD(accel_instance_find_device(instance, "cpu-serial", &other));
    GOOD(accel_queue_create(other, NULL, &between));
    launch(first, "queue_write");
    order_by_event(first, between);
    GOOD(accel_queue_wait(between));
    launch(second, "queue_read");
    order_by_event(second, between);
    accel_event *event;
    GOOD(accel_event_create(other, NULL, &event));
    GOOD(accel_event_record(event, between));
    GOOD(accel_queue_wait_event(first, event));
    launch(first, "queue_write");
    accel_event_release(event);
    accel_queue_release(between);
    expect_none();
}
END_TEST

START_TEST(blocking_queues_follow_each_other)
{
    accel_queue *blocking = make_queue(ACCEL_QUEUE_BLOCKING);
    launch(blocking, "queue_write");
    launch(first, "queue_read");
    GOOD(accel_queue_wait(first));
    launch(blocking, "queue_write");
    GOOD(accel_read(second, host_memory, y));
    accel_queue_release(blocking);
    expect_none();
}
END_TEST

START_TEST(parts_of_a_buffer_and_atomics_do_not_race)
{
    accel_event *event = make_event();
    GOOD(launch_part(first, "queue_write", 0, N / 2 + 1));
    GOOD(launch_part(second, "queue_write", N / 2 + 1, N / 2 - 1));
    launch(first, "queue_count");
    launch(second, "queue_count");
    expect_none();
    launch(first, "queue_write");
    GOOD(accel_event_record(event, first));
    launch(first, "queue_count"); /* which the event does not cover */
    GOOD(accel_queue_wait_event(second, event));
    launch(second, "queue_read");
    accel_event_release(event);
    expect_none();
}
END_TEST

/* There are tracks for fewer. */
START_TEST(many_queues_at_once_and_one_after_another_are_no_error)
{
    accel_queue *queues[MANY];
    for (int i = 0; i < 2 * MANY; ++i) {
        accel_queue *queue = make_queue(0);
        launch(queue, "queue_write");
        order_by_event(queue, first);
        order_by_event(first, second);
        launch(second, "queue_read");
        GOOD(accel_queue_wait(second));
        accel_queue_release(queue);
    }
    for (int i = 0; i < MANY; ++i) {
        queues[i] = make_queue(0);
        if (i != 0)
            order_by_event(queues[i - 1], queues[i]);
        launch(queues[i], i % 2 == 0 ? "queue_write" : "queue_read");
    }
    order_by_event(queues[MANY - 1], first);
    launch(first, "queue_write");
    expect_none();
    for (int i = 0; i < MANY; ++i) {
        GOOD(accel_queue_wait(queues[i]));
        accel_queue_release(queues[i]);
    }
}
END_TEST

/* A queue that takes the place of another one inherits its number, but not what it knew. */
START_TEST(a_queue_after_others_is_checked)
{
    static const char kind[] = "race between queues";
    for (int i = 0; i < MANY; ++i) {
        accel_queue *queue = make_queue(0);
        launch(queue, "queue_count");
        GOOD(accel_queue_wait(queue));
        accel_queue_release(queue);
    }
    accel_queue_release(second);
    second = make_queue(0);
    launch(first, "queue_write");
    launch(second, "queue_read");
    expect("late_queue", kind, "queue_write", "queue_read");
}
END_TEST

START_TEST(memory_is_released_while_work_is_pending)
{
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    for (int i = 0; i < 20; ++i) {
        accel_buffer *scratch;
        GOOD(accel_buffer_create_async(first, &floats, &scratch));
        GOOD(accel_write(first, scratch, host_memory));
        GOOD(accel_copy(first, y, scratch, NULL));
        accel_buffer_release(scratch);
        GOOD(accel_buffer_create(device, &floats, &scratch));
        GOOD(accel_write(second, scratch, host_memory));
        GOOD(accel_copy(second, x, scratch, NULL));
        accel_buffer_release(scratch);
    }
    expect_none();
}
END_TEST

int main(int count, char *arguments[])
{
    if (count != 3)
        return 2;
    sources = arguments[1];
    library = arguments[2];
    Suite *suite = suite_create("checking queues");
    TCase *tests = tcase_create("queues");
    tcase_add_checked_fixture(tests, open_device, close_device);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, races_between_launches_of_two_queues_are_found);
    tcase_add_test(tests, an_event_that_is_recorded_too_early_orders_nothing);
    tcase_add_test(tests, races_between_a_launch_and_a_copy_or_fill_are_found);
    tcase_add_test(tests, a_fill_may_have_half_of_what_a_launch_wrote_as_one_value);
    tcase_add_test(tests, races_between_copies_are_found);
    tcase_add_test(tests, a_copy_of_a_blocking_queue_waits_for_no_other_queue);
    tcase_add_test(tests, events_order_queues);
    tcase_add_test(tests, order_passes_through_a_third_queue);
    tcase_add_test(tests, waits_of_the_host_order_queues);
    tcase_add_test(tests, host_functions_and_host_events_order_queues);
    tcase_add_test(tests, a_host_function_that_waits_for_the_host_orders_queues);
    tcase_add_test(tests, another_backend_may_order_queues);
    tcase_add_test(tests, blocking_queues_follow_each_other);
    tcase_add_test(tests, parts_of_a_buffer_and_atomics_do_not_race);
    tcase_add_test(tests, many_queues_at_once_and_one_after_another_are_no_error);
    tcase_add_test(tests, a_queue_after_others_is_checked);
    tcase_add_test(tests, memory_is_released_while_work_is_pending);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

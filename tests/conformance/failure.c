/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failed operations. The partner's queues fail on request; queues of the device under test fail by inheriting the
 * failure of an event of the partner, and on CPUs by a kernel that crashes.
 */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

/* Makes the queue fail: for one of the partner by request, for others by an event that carries the failure. */
static void make_fail(accel_queue *queue)
{
    accel_device *partner = need_partner();
    uint32_t value = 0;
    accel_buffer *buffer = words_new(partner, 1, 0);
    if (accel_queue_device(queue) == partner) {
        faulty_queue_control *control = queue_control(queue);
        control->fail_next(control, ACCEL_KERNEL_FAULT);
        ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    } else {
        accel_queue *failing = queue_new(partner, 0);
        accel_event *event = event_new(partner, 0);
        faulty_queue_control *control = queue_control(failing);
        control->fail_next(control, ACCEL_KERNEL_FAULT);
        ok(accel_fill(failing, buffer, &value, sizeof value, NULL));
        ok(accel_event_record(event, failing));
        ok(accel_queue_wait_event(queue, event));
        accel_event_release(event);
        accel_queue_release(failing);
    }
    accel_buffer_release(buffer);
}

static void stays_until_reported(accel_device *device)
{
    accel_queue *queue = queue_new(device, 0);
    accel_buffer *buffer = words_new(device, 50, 1), *copy = words_new(device, 50, 2);
    uint32_t value = 9;
    make_fail(queue);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL)); /* skipped */
    ok(accel_copy(queue, copy, buffer, NULL));                 /* skipped */
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
    ok(accel_queue_wait(queue)); /* reported once */
    words_are(queue, buffer, 1);
    words_are(queue, copy, 2);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL)); /* the queue works on */
    words_are(queue, buffer, 9);
    accel_buffer_release(buffer);
    accel_buffer_release(copy);
    accel_queue_release(queue);
}

START_TEST(q7_first_failure_stays_until_wait_reports_it)
{
    stays_until_reported(need_partner());
    stays_until_reported(test.device);
}
END_TEST

START_TEST(q7_launches_after_a_failure_are_skipped)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 50, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 50, .value = 5};
    accel_work work = work_of(2, 1);
    make_fail(queue);
    for (int i = 0; i < 3; ++i)
        ok(accel_launch(queue, kernel_named("add"), &work, &args, sizeof args));
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
    words_are(queue, buffer, 1);
    ok(accel_launch(queue, kernel_named("add"), &work, &args, sizeof args));
    words_are(queue, buffer, 6);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(q7_events_recorded_after_a_failure_carry_it)
{
    accel_device *devices[] = {need_partner(), test.device};
    for (int i = 0; i < 2; ++i) {
        accel_queue *queue = queue_new(devices[i], 0);
        accel_event *before = event_new(devices[i], 0), *after = event_new(devices[i], 0),
                    *cleared = event_new(devices[i], 0);
        bool yes = false;
        ok(accel_event_record(before, queue));
        make_fail(queue);
        ok(accel_event_record(after, queue));
        refused(ACCEL_KERNEL_FAULT, accel_event_wait(after), "");
        ok(accel_event_wait(before));
        ok(accel_event_is_complete(after, &yes));
        ck_assert(yes);
        refused(ACCEL_KERNEL_FAULT, accel_event_wait(after), ""); /* the record keeps it */
        refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
        ok(accel_event_record(cleared, queue));
        ok(accel_event_wait(cleared));
        ok(accel_event_record(after, queue)); /* a new record is a new start */
        ok(accel_event_wait(after));
        accel_event_release(before);
        accel_event_release(after);
        accel_event_release(cleared);
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(q7_queues_that_wait_for_a_failed_event_inherit_it)
{
    accel_device *devices[] = {need_partner(), test.device};
    for (int from = 0; from < 2; ++from) {
        for (int to = 0; to < 2; ++to) {
            accel_queue *first = queue_new(devices[from], 0), *second = queue_new(devices[to], 0);
            accel_queue *third = queue_new(devices[from], 0), *unharmed = queue_new(devices[to], 0);
            accel_event *event = event_new(devices[from], 0), *next = event_new(devices[to], 0);
            accel_buffer *buffer = words_new(devices[to], 10, 1), *last = words_new(devices[from], 10, 2);
            uint32_t value = 7;
            make_fail(first);
            ok(accel_event_record(event, first));
            ok(accel_queue_wait_event(second, event));
            ok(accel_fill(second, buffer, &value, sizeof value, NULL));
            ok(accel_event_record(next, second));
            ok(accel_queue_wait_event(third, next)); /* and from there to a third */
            ok(accel_fill(third, last, &value, sizeof value, NULL));
            refused(ACCEL_KERNEL_FAULT, accel_queue_wait(third), "");
            refused(ACCEL_KERNEL_FAULT, accel_queue_wait(second), "");
            refused(ACCEL_KERNEL_FAULT, accel_queue_wait(first), "");
            ok(accel_queue_wait(third));
            ok(accel_queue_wait(second));
            ok(accel_queue_wait(unharmed));
            words_are(second, buffer, 1);
            words_are(third, last, 2);
            accel_event_release(event);
            accel_event_release(next);
            accel_buffer_release(buffer);
            accel_buffer_release(last);
            accel_queue_release(first);
            accel_queue_release(second);
            accel_queue_release(third);
            accel_queue_release(unharmed);
        }
    }
}
END_TEST

START_TEST(q7_the_loss_of_another_device_is_inherited_as_unavailable_and_cleared)
{
    accel_device *partner = need_partner();
    accel_queue *lost = queue_new(partner, 0), *queue = queue_new(test.device, 0);
    accel_event *event = event_new(partner, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1);
    uint32_t value = 7;
    faulty_queue_control *control = queue_control(lost);
    faulty_device_control *device = device_control(partner);
    control->hold(control);
    ok(accel_event_record(event, lost));
    ok(accel_queue_wait_event(queue, event));
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL)); /* skipped */
    device->lose(device);
    control->resume(control);
    refused(ACCEL_UNAVAILABLE, accel_queue_wait(queue), "");
    words_are(queue, buffer, 1);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL)); /* this device works on */
    words_are(queue, buffer, 7);
    accel_buffer_release(buffer);
    accel_event_release(event);
    accel_queue_release(queue);
    accel_queue_release(lost);
}
END_TEST

START_TEST(q7_a_blocking_queue_gives_the_failure_in_the_call_and_keeps_it)
{
    accel_device *partner = need_partner();
    accel_queue *failing = queue_new(partner, 0), *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_event *event = event_new(partner, 0);
    accel_buffer *theirs = words_new(partner, 1, 0), *ours = words_new(test.device, 20, 1);
    uint32_t value = 3;
    faulty_queue_control *control = queue_control(failing);
    control->fail_next(control, ACCEL_KERNEL_FAULT);
    ok(accel_fill(failing, theirs, &value, sizeof value, NULL));
    ok(accel_event_record(event, failing));
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait_event(queue, event), "");
    refused(ACCEL_KERNEL_FAULT, accel_fill(queue, ours, &value, sizeof value, NULL), "");
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
    ok(accel_queue_wait(queue));
    words_are(queue, ours, 1);
    ok(accel_fill(queue, ours, &value, sizeof value, NULL));
    words_are(queue, ours, 3);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(failing), "failed on request");
    accel_event_release(event);
    accel_buffer_release(theirs);
    accel_buffer_release(ours);
    accel_queue_release(failing);
    accel_queue_release(queue);
}
END_TEST

START_TEST(q7_the_first_of_several_failures_is_reported)
{
    accel_device *partner = need_partner();
    accel_queue *queue = queue_new(partner, 0);
    accel_buffer *buffer = words_new(partner, 4, 1);
    uint32_t value = 2;
    faulty_queue_control *control = queue_control(queue);
    control->fail_next(control, ACCEL_DRIVER);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    for (bool idle = false; !idle;) /* until the request was met */
        ok(accel_queue_is_idle(queue, &idle));
    make_fail(queue); /* skipped: nothing runs that could fail */
    refused(ACCEL_DRIVER, accel_queue_wait(queue), "failed on request");
    control->fail_next(control, ACCEL_OK);
    ok(accel_queue_wait(queue));
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

static _Atomic uint32_t order, seen_status[3], seen_order[3];

static void note(void *user, accel_status status)
{
    size_t i = (size_t)(uintptr_t)user;
    atomic_store(&seen_status[i], status);
    atomic_store(&seen_order[i], atomic_fetch_add(&order, 1) + 1);
}

START_TEST(q8_host_functions_run_once_in_order_also_after_a_failure)
{
    accel_device *devices[] = {need_partner(), test.device};
    for (int i = 0; i < 2; ++i) {
        accel_queue *queue = queue_new(devices[i], 0);
        atomic_store(&order, 0);
        ok(accel_queue_call(queue, note, (void *)0));
        make_fail(queue);
        ok(accel_queue_call(queue, note, (void *)1));
        ok(accel_queue_call(queue, note, (void *)2));
        refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(atomic_load(&order), 3);
        for (uint32_t k = 0; k < 3; ++k) {
            ck_assert_uint_eq(atomic_load(&seen_order[k]), k + 1);
            ck_assert_uint_eq(atomic_load(&seen_status[k]), k == 0 ? ACCEL_OK : ACCEL_KERNEL_FAULT);
        }
        accel_queue_release(queue);
    }
}
END_TEST

START_TEST(q7_skipped_operations_give_back_what_they_held)
{
    accel_device *partner = need_partner();
    faulty_device_control *control = device_control(partner);
    accel_queue *queue = queue_new(partner, 0);
    faulty_counts before, after;
    control->counts(control, &before);
    uint32_t value = 1;
    accel_buffer *buffer = words_new(partner, 100, 0), *other = words_new(partner, 100, 0);
    make_fail(queue);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_copy(queue, other, buffer, NULL));
    accel_buffer_release(buffer);
    accel_buffer_release(other);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
    control->counts(control, &after);
    ck_assert_uint_eq(after.allocated, before.allocated);
    accel_queue_release(queue);
}
END_TEST

/* --- kernels that crash on a CPU, with ACCEL_FAULTS=report --- */

/* What reports faults: an instance, and the suite's kernels in it. */
typedef struct reporting {
    accel_instance *instance;
    accel_device *device;
    accel_module *module;
} reporting;

static reporting open_reporting(void)
{
    reporting r = {NULL, NULL, NULL};
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    struct sigaction now;
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("a fault of a GPU ends its context");
    if (sigaction(SIGSEGV, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
        not_here("SIGSEGV is handled, as by a sanitizer");
    setenv("ACCEL_FAULTS", "report", 1);
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, &r.instance));
    unsetenv("ACCEL_FAULTS");
    r.device = accel_instance_device(r.instance, 0);
    ok(accel_module_load(r.device, "conformance", &r.module));
    return r;
}

static void close_reporting(const reporting *r)
{
    accel_module_release(r->module);
    accel_instance_release(r->instance);
}

static void fails(accel_queue *queue, accel_status launched, const char *kernel, const char *where, const char *history)
{
    char name[64];
    snprintf(name, sizeof name, "kernel \"%s\": SIGSEGV at 0x", kernel);
    if (launched != ACCEL_OK) { /* of a blocking queue */
        ck_assert_uint_eq(launched, ACCEL_KERNEL_FAULT);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), name));
    }
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), name, where, history);
    ok(accel_queue_wait(queue));
}

static void adds(accel_queue *queue, accel_device *device, accel_kernel *kernel)
{
    enum { N = 100000, BLOCKS = 64 };
    accel_buffer *buffer = words_new(device, N, 3);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = N, .value = 4};
    accel_work work = work_of(BLOCKS, 1);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    words_are(queue, buffer, 7);
    accel_buffer_release(buffer);
}

START_TEST(k20_a_kernel_that_crashes_fails_its_launch_on_request)
{
    reporting r = open_reporting();
    accel_kernel *thread_kernel = NULL, *add = NULL;
    ok(accel_module_kernel(r.module, "add", &add));
    ok(accel_module_kernel(r.module, "transpose", &thread_kernel));
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(r.device, flags);
        for (size_t blocks = 1; blocks <= 1024; blocks *= 32) {
            words_args args = {.words = (uint32_t *)64, .n = 1 << 20, .value = 1};
            accel_work work = work_of(blocks, 1);
            fails(queue, accel_launch(queue, add, &work, &args, sizeof args), "add", " in block (",
                  "Last launches, latest first: \"add\" (");
            adds(queue, r.device, add);
        }
        exchange_args wrong = {.out = (uint32_t *)64, .in = (const uint32_t *)64};
        size_t ones[2] = {1, 1}, threads[2] = {4, 4};
        accel_work work = accel_work_2d(ones, threads, ones);
        fails(queue, accel_launch(queue, thread_kernel, &work, &wrong, sizeof wrong), "transpose",
              " of block (0, 0, 0), ",
              "Last launches, latest first: \"transpose\" (1x1x1 blocks of 4x4x1 threads), \"add\" (64x1x1 blocks of ");
        adds(queue, r.device, add);
        accel_queue_release(queue);
    }
    close_reporting(&r);
}
END_TEST

START_TEST(what_to_do_about_faults_is_checked)
{
    accel_instance *instance = NULL;
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("a fault of a GPU ends its context");
    setenv("ACCEL_FAULTS", "ignore", 1);
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = test.properties.backend;
    refused(ACCEL_INVALID, accel_instance_create(&desc, &instance), "ACCEL_FAULTS is \"ignore\"", "crash", "report");
    setenv("ACCEL_FAULTS", "crash", 1);
    ok(accel_instance_create(&desc, &instance));
    accel_instance_release(instance);
}
END_TEST

Suite *failure_suite(void)
{
    Suite *suite = suite_create("failure");
    add(suite, q7_first_failure_stays_until_wait_reports_it);
    add(suite, q7_launches_after_a_failure_are_skipped);
    add(suite, q7_events_recorded_after_a_failure_carry_it);
    add(suite, q7_queues_that_wait_for_a_failed_event_inherit_it);
    add(suite, q7_the_loss_of_another_device_is_inherited_as_unavailable_and_cleared);
    add(suite, q7_a_blocking_queue_gives_the_failure_in_the_call_and_keeps_it);
    add(suite, q7_the_first_of_several_failures_is_reported);
    add(suite, q8_host_functions_run_once_in_order_also_after_a_failure);
    add(suite, q7_skipped_operations_give_back_what_they_held);
    add(suite, k20_a_kernel_that_crashes_fails_its_launch_on_request);
    add(suite, what_to_do_about_faults_is_checked);
    return suite;
}

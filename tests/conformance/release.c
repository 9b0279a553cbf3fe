/* SPDX-License-Identifier: Apache-2.0 */
/* Releases: in any order, at any time. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdatomic.h>

static _Atomic uint32_t finished;

static void finish(void *user, accel_status status)
{
    (void)user;
    if (status == ACCEL_OK)
        atomic_fetch_add(&finished, 1);
}

START_TEST(o3_a_release_never_waits_and_pending_work_finishes)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    gate_init(&door);
    atomic_store(&finished, 0);
    gate_in(&door, queue);
    for (int i = 0; i < 100; ++i)
        ok(accel_queue_call(queue, finish, NULL));
    gate_entered(&door);
    accel_queue_release(queue); /* returns although the gate is shut */
    ck_assert_uint_eq(atomic_load(&finished), 0);
    gate_open(&door);
    ck_assert(becomes(&finished, 100, 20));
    gate_destroy(&door);
}
END_TEST

START_TEST(o3_pending_work_holds_what_it_needs)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 1000, 0), *copy = words_new(test.device, 1000, 0);
    accel_event *event = event_new(test.device, 0);
    uint32_t *words = calloc(1000, sizeof *words), value = 6;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    ok(accel_module_load(test.device, "conformance", &module));
    ok(accel_module_kernel(module, "add", &kernel));
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 1000, .value = 1};
    accel_work work = work_of(4, 1);
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    ok(accel_copy(queue, copy, buffer, NULL));
    ok(accel_event_record(event, queue));
    ok(accel_queue_wait_event(queue, event));
    ok(accel_read(queue, words, copy));
    accel_module_release(module);
    accel_buffer_release(copy);
    accel_event_release(event);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    for (int i = 0; i < 1000; ++i)
        ck_assert_uint_eq(words[i], 7);
    free(words);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

/* A pending launch that is given the address of a buffer; `release` gives that back before the launch begins. Other buffers
 * then take what memory there is, and must stay as they are. */
static void release_before_the_launch(accel_buffer *buffer, accel_queue *queue, void (*release)(accel_buffer *))
{
    enum { N = 1000, OTHERS = 20 };
    gate door;
    accel_buffer *others[OTHERS];
    accel_device *device = buffer_info(buffer).device;
    words_args args = {.words = accel_buffer_ptr(buffer), .n = N, .value = 5};
    accel_work work = work_of(4, 1);
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_launch(queue, kernel_named("set"), &work, &args, sizeof args));
    release(buffer);
    for (int i = 0; i < OTHERS; ++i)
        others[i] = device == test.host ? bytes_new(device, N * sizeof(uint32_t)) : words_new(device, N, 3);
    for (int i = 0; i < OTHERS && device == test.host; ++i)
        memset(accel_buffer_ptr(others[i]), 3, N * sizeof(uint32_t));
    gate_open(&door);
    ok(accel_queue_wait(queue));
    for (int i = 0; i < OTHERS; ++i) {
        if (device != test.host)
            words_are(queue, others[i], 3);
        for (size_t k = 0; k < N * sizeof(uint32_t) && device == test.host; ++k)
            ck_assert_uint_eq(((unsigned char *)accel_buffer_ptr(others[i]))[k], 3);
        accel_buffer_release(others[i]);
    }
    gate_destroy(&door);
}

START_TEST(o4_memory_goes_back_after_the_work_that_was_submitted_before_the_release)
{
    accel_queue *queue = queue_new(test.device, 0);
    for (int round = 0; round < 10; ++round)
        release_before_the_launch(words_new(test.device, 1000, 1), queue, accel_buffer_release);
    accel_queue_release(queue);
}
END_TEST

START_TEST(o4_the_last_view_of_a_buffer_is_released_as_safely)
{
    accel_queue *queue = queue_new(test.device, 0);
    for (int round = 0; round < 10; ++round) {
        accel_buffer *buffer = words_new(test.device, 1000, 1), *view = NULL;
        ok(accel_buffer_view(buffer, NULL, NULL, &view));
        accel_buffer_release(buffer);
        release_before_the_launch(view, queue, accel_buffer_release);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(o4_memory_of_create_async_goes_back_in_the_order_of_its_queue)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), 1000);
    for (int round = 0; round < 10; ++round) {
        accel_buffer *buffer = NULL;
        ok(accel_buffer_create_async(queue, &desc, &buffer));
        release_before_the_launch(buffer, queue, accel_buffer_release);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(o4_host_memory_that_a_launch_was_given_is_released_as_safely)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("kernels of the device do not reach host memory");
    accel_queue *queue = queue_new(test.device, 0);
    for (int round = 0; round < 10; ++round)
        release_before_the_launch(bytes_new(test.host, 1000 * sizeof(uint32_t)), queue, accel_buffer_release);
    accel_queue_release(queue);
}
END_TEST

static accel_queue *releasing;

static void release_it(void *user, accel_status status)
{
    (void)status;
    accel_buffer_release(user);
}

static void release_in_a_host_function(accel_buffer *buffer)
{
    ok(accel_queue_call(releasing, release_it, buffer));
    ok(accel_queue_wait(releasing));
}

START_TEST(o4_a_host_function_may_release_what_another_queue_uses)
{
    accel_queue *queue = queue_new(test.device, 0);
    releasing = queue_new(test.device, 0);
    for (int round = 0; round < 10; ++round)
        release_before_the_launch(words_new(test.device, 1000, 1), queue, release_in_a_host_function);
    accel_queue_release(queue);
    accel_queue_release(releasing);
}
END_TEST

/* Releases the objects of a whole program in the order of the permutation. */
static void release_in_order(const int order[6])
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    accel_queue *queue = queue_new(device, 0);
    accel_event *event = event_new(device, 0);
    accel_buffer *buffer = words_new(device, 100, 0), *view = NULL;
    ok(accel_module_load(device, "conformance", &module));
    ok(accel_module_kernel(module, "empty", &kernel));
    accel_work work = work_of(1, 1);
    uint32_t one = 1;
    ok(accel_buffer_view(buffer, NULL, NULL, &view));
    ok(accel_launch(queue, kernel, &work, NULL, 0));
    ok(accel_fill(queue, view, &one, sizeof one, NULL));
    ok(accel_event_record(event, queue));
    for (int i = 0; i < 6; ++i) {
        switch (order[i]) {
        case 0:
            accel_instance_release(instance);
            break;
        case 1:
            accel_queue_release(queue);
            break;
        case 2:
            accel_event_release(event);
            break;
        case 3:
            accel_buffer_release(buffer);
            break;
        case 4:
            accel_buffer_release(view);
            break;
        default:
            accel_module_release(module);
        }
    }
}

static void permute(int order[6], int from)
{
    if (from == 6) {
        release_in_order(order);
        return;
    }
    for (int i = from; i < 6; ++i) {
        int first = order[from];
        order[from] = order[i];
        order[i] = first;
        permute(order, from + 1);
        order[i] = order[from];
        order[from] = first;
    }
}

START_TEST(objects_are_released_in_any_order_with_work_pending)
{
    int order[6] = {0, 1, 2, 3, 4, 5};
    if (timing_counts() && test.properties.kind == ACCEL_DEVICE_CPU) {
        permute(order, 0); /* all 720 */
    } else {
        permute(order, 3);
        int reverse[6] = {5, 4, 3, 2, 1, 0};
        permute(reverse, 3);
    }
}
END_TEST

START_TEST(releasing_null_does_nothing)
{
    accel_instance_release(NULL);
    accel_device_release(NULL);
    accel_queue_release(NULL);
    accel_event_release(NULL);
    accel_buffer_release(NULL);
    accel_module_release(NULL);
    accel_kernel_release(NULL);
    ck_assert_ptr_null(accel_instance_retain(NULL));
    ck_assert_ptr_null(accel_device_retain(NULL));
    ck_assert_ptr_null(accel_queue_retain(NULL));
    ck_assert_ptr_null(accel_event_retain(NULL));
    ck_assert_ptr_null(accel_buffer_retain(NULL));
    ck_assert_ptr_null(accel_module_retain(NULL));
    ck_assert_ptr_null(accel_kernel_retain(NULL));
}
END_TEST

START_TEST(released_memory_is_given_back)
{
    accel_device *partner = need_partner();
    faulty_device_control *control = device_control(partner);
    faulty_counts before, after;
    control->counts(control, &before);
    accel_queue *queue = queue_new(partner, 0);
    accel_buffer_desc desc = accel_buffer_1d(4, 1000);
    for (int i = 0; i < 20; ++i) {
        accel_buffer *buffer = words_new(partner, 1000, 1), *view = NULL, *stream = NULL;
        uint32_t one = 1;
        ok(accel_buffer_view(buffer, NULL, NULL, &view));
        ok(accel_buffer_create_async(queue, &desc, &stream));
        ok(accel_fill(queue, stream, &one, sizeof one, NULL));
        ok(accel_copy(queue, stream, view, NULL));
        accel_buffer_release(buffer);
        accel_buffer_release(view);
        accel_buffer_release(stream);
    }
    ok(accel_queue_wait(queue));
    for (double end = seconds_now() + 10;;) {
        accel_buffer_release(bytes_new(partner, 1)); /* a release or create runs what was put off */
        control->counts(control, &after);
        if (after.allocated == before.allocated || seconds_now() > end)
            break;
    }
    ck_assert_uint_eq(after.allocated, before.allocated);
    accel_queue_release(queue);
}
END_TEST

Suite *release_suite(void)
{
    Suite *suite = suite_create("release");
    add(suite, o3_a_release_never_waits_and_pending_work_finishes);
    add(suite, o3_pending_work_holds_what_it_needs);
    add(suite, o4_memory_goes_back_after_the_work_that_was_submitted_before_the_release);
    add(suite, o4_the_last_view_of_a_buffer_is_released_as_safely);
    add(suite, o4_memory_of_create_async_goes_back_in_the_order_of_its_queue);
    add(suite, o4_host_memory_that_a_launch_was_given_is_released_as_safely);
    add(suite, o4_a_host_function_may_release_what_another_queue_uses);
    add(suite, objects_are_released_in_any_order_with_work_pending);
    add(suite, releasing_null_does_nothing);
    add(suite, released_memory_is_given_back);
    return suite;
}

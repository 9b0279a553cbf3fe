/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce: order in the queue, places of results, and what is refused. The bits are kernel_reductions.c's. */
#include "../kernels/reductions.h"
#include "nouns.h"
#include "suite.h"

#include <accel/pattern.h>
#include <pthread.h>

enum { N = 50000 }; /* several tiles */

/* A device with ones, and the reduction that adds them up. */
typedef struct scene {
    accel_device *device;
    accel_module *module;
    accel_kernel *kernel;
    accel_queue *queue;
    accel_buffer *ones, *result;
    reductions_args args;
} scene;

static accel_buffer *doubles_new(accel_device *device, uint32_t flags, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(double), count);
    desc.flags = flags;
    return buffer_new(device, &desc);
}

static scene scene_of(accel_device *device, uint32_t flags)
{
    const double one = 1, minus = -1;
    scene s = {.device = device, .queue = queue_new(device, flags)};
    ok(accel_module_load(device, "kernels", &s.module));
    ok_if_supported(accel_module_kernel(s.module, "reduce_dot", &s.kernel));
    s.ones = doubles_new(device, 0, N);
    s.result = doubles_new(device, 0, 1);
    ok(accel_fill(s.queue, s.ones, &one, sizeof one, NULL));
    ok(accel_fill(s.queue, s.result, &minus, sizeof minus, NULL));
    s.args = (reductions_args){.x = accel_buffer_ptr(s.ones), .y = accel_buffer_ptr(s.ones)};
    return s;
}

static void scene_free(scene *s)
{
    accel_queue_release(s->queue);
    accel_buffer_release(s->ones);
    accel_buffer_release(s->result);
    accel_module_release(s->module);
}

static accel_status reduce(scene *s, size_t n, accel_buffer *result)
{
    return accel_reduce(s->queue, s->kernel, 1, &n, &s->args, sizeof s->args, result);
}

static double value_of(scene *s, accel_buffer *result)
{
    double value = 0;
    ok(accel_read(s->queue, &value, result));
    ok(accel_queue_wait(s->queue));
    return value;
}

/* Of a result that lies anywhere, when the queue is done. */
static double value_anywhere(accel_buffer *result)
{
    double values[3] = {-1, -1, -1}; /* no result has more */
    if (buffer_info(result).host_ptr != NULL)
        return *(const double *)buffer_info(result).host_ptr;
    accel_queue *queue = queue_new(buffer_info(result).device, 0);
    ok(accel_read(queue, values, result));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
    return values[0];
}

/* The result is the caller's, and is released. */
static void check_order(accel_buffer *result)
{
    scene s = scene_of(test.device, 0);
    const double two = 2;
    bool idle = true;
    gate door;
    gate_init(&door);
    ok(reduce(&s, N, result)); /* the queue has its memory now */
    ok(accel_queue_wait(s.queue));
    gate_in(&door, s.queue);
    ok(accel_fill(s.queue, s.ones, &two, sizeof two, NULL));
    ok(reduce(&s, N, result));
    ok(accel_fill(s.queue, s.ones, &(double){3}, sizeof(double), NULL));
    gate_entered(&door);
    ok(accel_queue_is_idle(s.queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    ok(accel_queue_wait(s.queue));
    ck_assert_double_eq(value_anywhere(result), 4.0 * N);
    gate_destroy(&door);
    accel_buffer_release(result);
    scene_free(&s);
}

START_TEST(p5_the_result_is_written_in_the_queues_order_and_nothing_waits)
{
    check_order(doubles_new(test.device, 0, 1));
    check_order(doubles_new(test.host, 0, 1));
    if ((test.properties.features & ACCEL_FEATURE_PINNED) != 0)
        check_order(doubles_new(test.device, ACCEL_BUFFER_PINNED, 1));
    if (test.partner != NULL)
        check_order(doubles_new(test.partner, 0, 1));
}
END_TEST

static void check_place(scene *s, accel_buffer *result, size_t n)
{
    ok(accel_queue_wait(s->queue));
    ok(reduce(s, n, result));
    ok(accel_queue_wait(s->queue));
    ck_assert_double_eq(value_anywhere(result), (double)n);
    accel_buffer_release(result);
}

START_TEST(p5_results_reach_the_host_and_other_devices)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scene s = scene_of(test.device, flags != 0 ? ACCEL_QUEUE_BLOCKING : 0);
        for (size_t n = 0; n <= N; n += N / 2) {
            check_place(&s, doubles_new(test.host, 0, 1), n);
            if ((test.properties.features & ACCEL_FEATURE_PINNED) != 0)
                check_place(&s, doubles_new(test.device, ACCEL_BUFFER_PINNED, 3), n);
            if (test.partner != NULL)
                check_place(&s, doubles_new(test.partner, 0, 2), n);
        }
        scene_free(&s);
    }
}
END_TEST

/* Only the first element, also of a view in several dimensions. */
START_TEST(p5_only_the_first_element_is_written)
{
    scene s = scene_of(test.device, 0);
    const accel_buffer_desc desc = accel_buffer_2d(sizeof(double), 3, 4);
    accel_buffer *whole = buffer_new(test.device, &desc), *view = NULL;
    const size_t offset[] = {1, 2};
    double found[12];
    ok(accel_fill(s.queue, whole, &(double){-1}, sizeof(double), NULL));
    ok(accel_buffer_view(whole, offset, NULL, &view));
    ok(reduce(&s, 7, view));
    ok(accel_read(s.queue, found, whole));
    ok(accel_queue_wait(s.queue));
    for (size_t i = 0; i < 12; ++i)
        ck_assert_double_eq(found[i], i == 6 ? 7 : -1);
    accel_buffer_release(view);
    accel_buffer_release(whole);
    scene_free(&s);
}
END_TEST

START_TEST(p5_the_result_may_be_released_at_once)
{
    scene s = scene_of(test.device, 0);
    for (int i = 0; i < 20; ++i) {
        accel_buffer *gone = doubles_new(i % 2 == 0 ? test.device : test.host, 0, 1);
        ok(reduce(&s, N, gone));
        accel_buffer_release(gone);
    }
    ok(reduce(&s, N, s.result));
    ck_assert_double_eq(value_of(&s, s.result), N);
    scene_free(&s);
}
END_TEST

typedef struct caller {
    scene *scene;
    size_t n;
} caller;

static void *call(void *user)
{
    caller *c = user;
    accel_buffer *result = doubles_new(c->scene->device, 0, 1);
    for (int i = 0; i < 20; ++i) {
        double value = 0;
        ok(reduce(c->scene, c->n, result));
        ok(accel_read(c->scene->queue, &value, result));
        ok(accel_queue_wait(c->scene->queue));
        ck_assert_double_eq(value, (double)c->n);
    }
    accel_buffer_release(result);
    return NULL;
}

START_TEST(o1_two_threads_reduce_in_one_queue)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scene s = scene_of(test.device, flags != 0 ? ACCEL_QUEUE_BLOCKING : 0);
        caller callers[2] = {{&s, N}, {&s, N - 20000}};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, call, &callers[0]), 0);
        call(&callers[1]);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        scene_free(&s);
    }
}
END_TEST

START_TEST(p6_reductions_are_not_launched_and_other_kernels_not_reduced)
{
    scene s = scene_of(test.device, 0);
    accel_work work = work_of(1, 128);
    const size_t n = 5;
    accel_kernel *add = kernel_named("add");
    words_args args = {.n = 0};
    accel_range range = ACCEL_RANGE_INIT;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "\"reduce_dot\"",
            "accel_reduce");
    work.blocks[0] = 0;
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "accel_reduce");
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, NULL, 0), "accel_reduce");
    refused(ACCEL_INVALID, accel_launch_over(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args), "accel_reduce");
    refused(ACCEL_INVALID, accel_work_divide(s.kernel, 1, &n, NULL, &work), "accel_reduce");
    range.dims = 1;
    range.end[0] = n;
    refused(ACCEL_INVALID, accel_range_divide(s.kernel, &range, NULL, &work), "\"reduce_dot\"", "accel_reduce");
    refused(ACCEL_INVALID, accel_reduce(s.queue, add, 1, &n, &args, sizeof args, s.result), "\"add\"", "accel_launch");
    refused(ACCEL_INVALID, accel_reduce_unordered(s.queue, add, 1, &n, &args, sizeof args, s.result), "\"add\"",
            "accel_launch");
    ck_assert_double_eq(value_of(&s, s.result), -1);
    scene_free(&s);
}
END_TEST

START_TEST(p6_a_kernel_says_what_it_reduces)
{
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    ok(accel_module_load(test.device, "kernels", &module));
    ok_if_supported(accel_module_kernel(module, "reduce_3d", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_uint_eq(p.pattern, ACCEL_PATTERN_REDUCE);
    ck_assert_uint_eq(p.pattern_dims, 3);
    ck_assert_uint_eq(p.element_size, sizeof(affine));
    ck_assert_uint_eq(p.args_size, sizeof(reductions_args));
    ok(accel_kernel_info(kernel_named("add"), &p));
    ck_assert_uint_eq(p.pattern + p.pattern_dims + p.element_size, 0);
    accel_module_release(module);
}
END_TEST

START_TEST(p6_what_does_not_fit_is_refused)
{
    scene s = scene_of(test.device, 0);
    const size_t n = 10, many[3] = {SIZE_MAX / 2, 3, 1}, more[3] = {1, 3, SIZE_MAX / 2};
    const accel_buffer_desc of_volume = accel_buffer_1d(sizeof(affine), 1);
    accel_kernel *plane = NULL, *volume = NULL;
    accel_instance *instance;
    accel_buffer *floats = bytes_new(test.device, 4), *none = doubles_new(test.device, 0, 0),
                 *foreign = doubles_new(of_another_instance(&instance), 0, 1),
                 *result = buffer_new(test.device, &of_volume);
    ok(accel_module_kernel(s.module, "reduce_2d", &plane));
    ok(accel_module_kernel(s.module, "reduce_3d", &volume));
    refused(ACCEL_INVALID, reduce(&s, n, floats), "\"reduce_dot\"", "1 bytes", "8");
    refused(ACCEL_INVALID, reduce(&s, n, none), "no elements");
    refused(ACCEL_INVALID, reduce(&s, n, foreign), "of another instance");
    refused(ACCEL_INVALID, accel_reduce(s.queue, s.kernel, 2, many, &s.args, sizeof s.args, s.result), "dims is 2");
    refused(ACCEL_INVALID, accel_reduce(s.queue, s.kernel, 0, many, &s.args, sizeof s.args, s.result), "dims is 0");
    refused(ACCEL_INVALID, accel_reduce(s.queue, s.kernel, 1, &n, &s.args, 1, s.result), "args_size is 1");
    refused(ACCEL_LIMIT, accel_reduce(s.queue, plane, 2, many, &s.args, sizeof s.args, s.result), "extents of",
            "9223372036854775807x3", "2^64");
    refused(ACCEL_LIMIT, accel_reduce(s.queue, volume, 3, more, &s.args, sizeof s.args, result), "extents of",
            "1x3x9223372036854775807", "2^64");
    refused(ACCEL_LIMIT, accel_reduce_unordered(s.queue, volume, 3, more, &s.args, sizeof s.args, result), "extents of",
            "2^64");
    ck_assert_double_eq(value_of(&s, s.result), -1);
    accel_buffer_release(floats);
    accel_buffer_release(none);
    accel_buffer_release(result);
    accel_buffer_release(foreign);
    accel_instance_release(instance);
    scene_free(&s);
}
END_TEST

START_TEST(p3_a_kernel_without_arguments_counts_any_extent)
{
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), 1);
    accel_buffer *result = buffer_new(test.device, &desc);
    accel_queue *queue = queue_new(test.device, 0);
    ok(accel_module_load(test.device, "kernels", &module));
    ok_if_supported(accel_module_kernel(module, "reduce_count", &kernel));
    for (size_t n = 0; n < 40000; n = 3 * n + 1) {
        uint64_t count = 99;
        ok(accel_reduce(queue, kernel, 1, &n, NULL, 0, result));
        ok(accel_read(queue, &count, result));
        ok(accel_queue_wait(queue));
        ck_assert_uint_eq(count, n);
    }
    accel_buffer_release(result);
    accel_queue_release(queue);
    accel_module_release(module);
}
END_TEST

START_TEST(p6_without_memory_nothing_is_done_and_it_may_be_tried_again)
{
    scene s = scene_of(need_partner(), 0);
    faulty_device_control *control = device_control(s.device);
    ok(accel_queue_wait(s.queue));
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, reduce(&s, N, s.result), "bytes");
    ck_assert_double_eq(value_of(&s, s.result), -1);
    ok(reduce(&s, N, s.result));
    ck_assert_double_eq(value_of(&s, s.result), N);
    scene_free(&s);
}
END_TEST

START_TEST(p11_unordered_reductions_have_the_other_rules)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scene s = scene_of(test.device, flags != 0 ? ACCEL_QUEUE_BLOCKING : 0);
        const size_t n = N;
        accel_buffer *host = doubles_new(test.host, 0, 1), *floats = bytes_new(test.device, 4);
        ok(accel_reduce_unordered(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args, host));
        ok(accel_reduce_unordered(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args, s.result));
        ck_assert_double_eq(value_of(&s, s.result), N);
        ck_assert_double_eq(*(const double *)buffer_info(host).host_ptr, N);
        refused(ACCEL_INVALID, accel_reduce_unordered(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args, floats),
                "accel_reduce_unordered", "\"reduce_dot\"", "8");
        refused(ACCEL_INVALID, accel_reduce_unordered(s.queue, s.kernel, 2, &n, &s.args, sizeof s.args, s.result),
                "accel_reduce_unordered", "dims is 2");
        accel_buffer_release(floats);
        accel_buffer_release(host);
        scene_free(&s);
    }
}
END_TEST

Suite *reduce_suite(void)
{
    Suite *suite = suite_create("reduce");
    add(suite, p5_the_result_is_written_in_the_queues_order_and_nothing_waits);
    add(suite, p5_results_reach_the_host_and_other_devices);
    add(suite, p5_only_the_first_element_is_written);
    add(suite, p5_the_result_may_be_released_at_once);
    add(suite, o1_two_threads_reduce_in_one_queue);
    add(suite, p6_reductions_are_not_launched_and_other_kernels_not_reduced);
    add(suite, p6_a_kernel_says_what_it_reduces);
    add(suite, p6_what_does_not_fit_is_refused);
    add(suite, p3_a_kernel_without_arguments_counts_any_extent);
    add(suite, p6_without_memory_nothing_is_done_and_it_may_be_tried_again);
    add(suite, p11_unordered_reductions_have_the_other_rules);
    return suite;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scan: order in the queue, places of results, and what is refused. The bits are kernel_scans.c's. */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "../kernels/scatters.h"
#include "nouns.h"
#include "suite.h"

#include <accel/pattern.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 300000 }; /* two groups of tiles */

/* A device with ones, and the scan that adds them up. */
typedef struct scene {
    accel_device *device;
    accel_module *module;
    accel_kernel *kernel;
    accel_queue *queue;
    accel_buffer *ones, *result;
    scans_args args;
} scene;

static accel_buffer *doubles_new(accel_device *device, size_t count)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), count);
    return buffer_new(device, &desc);
}

static scene scene_of(accel_device *device, uint32_t flags)
{
    const double one = 1, minus = -1;
    scene s = {.device = device, .queue = queue_new(device, flags)};
    ok(accel_module_load(device, "kernels", &s.module));
    ok_if_supported(accel_module_kernel(s.module, "scan_dot", &s.kernel));
    s.ones = doubles_new(device, N);
    s.result = doubles_new(device, N);
    ok(accel_fill(s.queue, s.ones, &one, sizeof one, NULL));
    ok(accel_fill(s.queue, s.result, &minus, sizeof minus, NULL));
    s.args = (scans_args){.x = accel_buffer_ptr(s.ones), .y = accel_buffer_ptr(s.ones)};
    return s;
}

static void scene_free(scene *s)
{
    accel_queue_release(s->queue);
    accel_buffer_release(s->ones);
    accel_buffer_release(s->result);
    accel_module_release(s->module);
}

static accel_status scan(scene *s, size_t n, accel_buffer *result, uint32_t flags)
{
    return accel_scan(s->queue, s->kernel, n, &s->args, sizeof s->args, result, flags);
}

/* Are these first, first + step, ..., and -1 from n on? */
static void check_result(scene *s, accel_buffer *result, size_t n, double first, double step)
{
    const size_t count = buffer_info(result).extent[0];
    double *found = malloc(count * sizeof *found);
    ok(accel_read(s->queue, found, result));
    ok(accel_queue_wait(s->queue));
    for (size_t i = 0; i < count; ++i)
        ck_assert_double_eq(found[i], i < n ? first + step * (double)i : -1);
    free(found);
}

START_TEST(p8_results_are_written_in_the_queues_order_and_nothing_waits)
{
    scene s = scene_of(test.device, 0);
    const double two = 2, three = 3;
    bool idle = true;
    gate door;
    gate_init(&door);
    ok(scan(&s, N, s.result, ACCEL_SCAN_EXCLUSIVE)); /* the queue has its memory now */
    ok(accel_queue_wait(s.queue));
    gate_in(&door, s.queue);
    ok(accel_fill(s.queue, s.ones, &two, sizeof two, NULL));
    ok(scan(&s, N, s.result, ACCEL_SCAN_INCLUSIVE));
    ok(accel_fill(s.queue, s.ones, &three, sizeof three, NULL));
    gate_entered(&door);
    ok(accel_queue_is_idle(s.queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    check_result(&s, s.result, N, 4, 4);
    gate_destroy(&door);
    scene_free(&s);
}
END_TEST

START_TEST(p8_exclusive_begins_with_the_start_and_inclusive_with_the_first)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scene s = scene_of(test.device, flags != 0 ? ACCEL_QUEUE_BLOCKING : 0);
        ok(scan(&s, 0, s.result, flags));
        check_result(&s, s.result, 0, 0, 0);
        ok(scan(&s, 1, s.result, flags));
        check_result(&s, s.result, 1, flags, 1);
        ok(scan(&s, N - 1, s.result, flags));
        check_result(&s, s.result, N - 1, flags, 1);
        scene_free(&s);
    }
}
END_TEST

/* What the driver of a GPU has pinned it may take back while a CPU writes. */
static void pinned_is_used_by_its_own_kind(scene *s, accel_device *owner)
{
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 10);
    desc.flags = ACCEL_BUFFER_PINNED;
    ok(accel_device_info(owner, &about));
    if ((about.features & ACCEL_FEATURE_PINNED) == 0)
        return;
    accel_buffer *pinned = buffer_new(owner, &desc);
    if (test.properties.kind == ACCEL_DEVICE_CPU && about.kind == ACCEL_DEVICE_CPU) {
        ok(scan(s, 10, pinned, ACCEL_SCAN_INCLUSIVE));
        ok(accel_queue_wait(s->queue));
        ck_assert_double_eq(((const double *)buffer_info(pinned).host_ptr)[9], 10);
    } else {
        refused(ACCEL_INVALID, scan(s, 10, pinned, ACCEL_SCAN_INCLUSIVE), "the result, a buffer of 10", "pinned");
    }
    accel_buffer_release(pinned);
}

START_TEST(p8_what_another_queue_takes_back_is_no_result)
{
    scene s = scene_of(test.device, 0);
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 20);
    const size_t offset[] = {10}, extent[] = {10};
    accel_queue *other = queue_new(test.device, 0);
    accel_buffer *its = NULL, *part = NULL, *own = NULL;
    ok(accel_buffer_create_async(other, &desc, &its));
    ok(accel_buffer_view(its, offset, extent, &part));
    ok(accel_buffer_create_async(s.queue, &desc, &own));
    refused(ACCEL_INVALID, scan(&s, 10, its, ACCEL_SCAN_INCLUSIVE), "the result, a buffer of 20", "another queue");
    refused(ACCEL_INVALID, scan(&s, 10, part, ACCEL_SCAN_INCLUSIVE), "the result, a buffer of 10", "another queue");
    ok(scan(&s, 10, own, ACCEL_SCAN_INCLUSIVE));
    accel_buffer_release(own);
    accel_buffer_release(part);
    accel_buffer_release(its);
    accel_queue_release(other);
    scene_free(&s);
}
END_TEST

/* On CPUs memory of the host is any kernel's; elsewhere a scan there is refused. */
START_TEST(p8_results_lie_where_kernels_write)
{
    scene s = scene_of(test.device, 0);
    pinned_is_used_by_its_own_kind(&s, test.device);
    if (test.partner != NULL)
        pinned_is_used_by_its_own_kind(&s, test.partner);
    accel_buffer *host = doubles_new(test.host, 10);
    if (test.properties.kind == ACCEL_DEVICE_CPU) {
        ok(scan(&s, 10, host, ACCEL_SCAN_INCLUSIVE));
        ok(accel_queue_wait(s.queue));
        ck_assert_double_eq(((const double *)buffer_info(host).host_ptr)[9], 10);
    } else {
        refused(ACCEL_INVALID, scan(&s, 10, host, ACCEL_SCAN_INCLUSIVE), "do not use the result", "copy");
    }
    accel_buffer_release(host);
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
    accel_buffer *result = doubles_new(c->scene->device, c->n);
    for (int i = 0; i < 3; ++i) {
        ok(scan(c->scene, c->n, result, ACCEL_SCAN_INCLUSIVE));
        check_result(c->scene, result, c->n, 1, 1);
    }
    accel_buffer_release(result);
    return NULL;
}

START_TEST(o1_two_threads_scan_in_one_queue)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scene s = scene_of(test.device, flags != 0 ? ACCEL_QUEUE_BLOCKING : 0);
        caller callers[2] = {{&s, N}, {&s, 17000}};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, call, &callers[0]), 0);
        call(&callers[1]);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        scene_free(&s);
    }
}
END_TEST

START_TEST(p6_scans_are_neither_launched_nor_reduced_and_nothing_else_is_scanned)
{
    scene s = scene_of(test.device, 0);
    accel_work work = work_of(1, 128);
    const size_t n = 5;
    accel_kernel *add = kernel_named("add"), *reduce = NULL, *scatter = NULL;
    words_args args = {.n = 0};
    scatters_args cells = {.n = 0};
    accel_range range = ACCEL_RANGE_INIT;
    reductions_args doubles = {.x = s.args.x, .y = s.args.y};
    ok(accel_module_kernel(s.module, "reduce_dot", &reduce));
    refused(ACCEL_INVALID, accel_launch(s.queue, s.kernel, &work, &s.args, sizeof s.args), "\"scan_dot\"",
            "accel_scan");
    refused(ACCEL_INVALID, accel_launch_over(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args), "accel_scan");
    refused(ACCEL_INVALID, accel_work_divide(s.kernel, 1, &n, NULL, &work), "accel_scan");
    range.dims = 1;
    range.end[0] = n;
    refused(ACCEL_INVALID, accel_range_divide(s.kernel, &range, NULL, &work), "\"scan_dot\"", "accel_scan");
    ck_assert_uint_eq(range.tile[0], 0);
    refused(ACCEL_INVALID, accel_reduce(s.queue, s.kernel, 1, &n, &s.args, sizeof s.args, s.result), "\"scan_dot\"",
            "is no reduction", "accel_scan");
    refused(ACCEL_INVALID, accel_scan(s.queue, reduce, n, &doubles, sizeof doubles, s.result, 0), "\"reduce_dot\"",
            "is no scan", "accel_reduce");
    ok(accel_module_kernel(s.module, "scatter_sum_u32", &scatter));
    refused(ACCEL_INVALID, accel_scan(s.queue, scatter, n, &cells, sizeof cells, s.result, 0), "\"scatter_sum_u32\"",
            "is no scan", "accel_scatter_create");
    refused(ACCEL_INVALID, accel_scan(s.queue, add, n, &args, sizeof args, s.result, 0), "\"add\"", "accel_launch");
    check_result(&s, s.result, 0, 0, 0);
    scene_free(&s);
}
END_TEST

START_TEST(p6_a_kernel_says_what_it_scans)
{
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    ok(accel_module_load(test.device, "kernels", &module));
    ok_if_supported(accel_module_kernel(module, "scan_by_key", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_uint_eq(p.pattern, ACCEL_PATTERN_SCAN);
    ck_assert_uint_eq(p.pattern_dims, 1);
    ck_assert_uint_eq(p.element_size, sizeof(float));
    ck_assert_uint_eq(p.args_size, sizeof(scans_args));
    ok(accel_module_kernel(module, "scan_select", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_uint_eq(p.pattern, ACCEL_PATTERN_SCAN_FINAL);
    accel_module_release(module);
}
END_TEST

START_TEST(p6_scans_of_what_does_not_fit_are_refused)
{
    scene s = scene_of(test.device, 0);
    const accel_buffer_desc plane = accel_buffer_2d(sizeof(double), 10, 10);
    accel_buffer *bytes = bytes_new(test.device, 80), *few = doubles_new(test.device, 9),
                 *flat = buffer_new(test.device, &plane);
    refused(ACCEL_INVALID, scan(&s, 10, bytes, 0), "\"scan_dot\"", "1 bytes", "8");
    refused(ACCEL_INVALID, scan(&s, 10, few, 0), "9 elements", "10");
    refused(ACCEL_INVALID, scan(&s, 10, flat, 0), "2 dimensions");
    refused(ACCEL_INVALID, scan(&s, 10, s.result, 2), "0x2", "ACCEL_SCAN_INCLUSIVE");
    refused(ACCEL_INVALID, scan(&s, 0, s.result, 4), "0x4");
    refused(ACCEL_INVALID, scan(&s, 10, NULL, 0), "result");
    refused(ACCEL_INVALID, accel_scan(s.queue, s.kernel, 10, &s.args, 1, s.result, 0), "args_size is 1");
    check_result(&s, s.result, 0, 0, 0);
    accel_buffer_release(bytes);
    accel_buffer_release(few);
    accel_buffer_release(flat);
    scene_free(&s);
}
END_TEST

START_TEST(p6_a_result_of_another_instance_is_refused)
{
    scene s = scene_of(test.device, 0);
    accel_instance *instance;
    accel_buffer *foreign = doubles_new(of_another_instance(&instance), 10);
    refused(ACCEL_INVALID, scan(&s, 10, foreign, 0), "the result, a buffer of 10", "of another instance");
    accel_buffer_release(foreign);
    accel_instance_release(instance);
    scene_free(&s);
}
END_TEST

START_TEST(p6_a_result_on_another_device_is_refused)
{
    scene s = scene_of(test.device, 0);
    accel_buffer *far = doubles_new(need_partner(), 10);
    if (buffer_info(far).host_ptr == NULL || test.properties.kind != ACCEL_DEVICE_CPU)
        refused(ACCEL_INVALID, scan(&s, 10, far, 0), "do not use the result", "copy");
    accel_buffer_release(far);
    scene_free(&s);
}
END_TEST

START_TEST(p6_without_memory_nothing_is_scanned_and_it_may_be_tried_again)
{
    scene s = scene_of(need_partner(), 0);
    faulty_device_control *control = device_control(s.device);
    ok(accel_queue_wait(s.queue));
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, scan(&s, N, s.result, 0), "bytes");
    check_result(&s, s.result, 0, 0, 0);
    ok(scan(&s, N, s.result, 0));
    check_result(&s, s.result, N, 0, 1);
    scene_free(&s);
}
END_TEST

Suite *scan_suite(void)
{
    Suite *suite = suite_create("scan");
    add(suite, p8_results_are_written_in_the_queues_order_and_nothing_waits);
    add(suite, p8_exclusive_begins_with_the_start_and_inclusive_with_the_first);
    add(suite, p8_results_lie_where_kernels_write);
    add(suite, p8_what_another_queue_takes_back_is_no_result);
    add(suite, o1_two_threads_scan_in_one_queue);
    add(suite, p6_scans_are_neither_launched_nor_reduced_and_nothing_else_is_scanned);
    add(suite, p6_a_kernel_says_what_it_scans);
    add(suite, p6_scans_of_what_does_not_fit_are_refused);
    add(suite, p6_a_result_of_another_instance_is_refused);
    add(suite, p6_a_result_on_another_device_is_refused);
    add(suite, p6_without_memory_nothing_is_scanned_and_it_may_be_tried_again);
    return suite;
}

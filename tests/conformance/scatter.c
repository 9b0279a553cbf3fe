/* SPDX-License-Identifier: Apache-2.0 */
/* Scatters: order in queues, several queues at once, what the device chooses, and what is refused. That nothing is lost in any
 * kernel is kernel_scatters.c's. */
#include "../kernels/scatters.h"
#include "nouns.h"
#include "suite.h"

#include <accel/pattern.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 5000, CELLS = 100, CELL = 3 };

/* N elements of one cell, the kernel that counts them, a scatter, and a target. */
typedef struct scene {
    accel_device *device;
    accel_module *module;
    accel_kernel *kernel, *of_scatter;
    accel_queue *queue;
    accel_buffer *cell, *target;
    accel_scatter *scatter;
    accel_work work;
    scatters_args args;
} scene;

static accel_scatter_properties info(const accel_scatter *scatter)
{
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    ok(accel_scatter_info(scatter, &about));
    return about;
}

static scene scene_of(accel_device *device, uint32_t flags, uint32_t copies)
{
    scene s = {.device = device, .queue = queue_new(device, flags), .work = work_of(4, 1)};
    accel_scatter_desc desc = ACCEL_SCATTER_DESC_INIT;
    desc.copies = copies;
    ok(accel_module_load(device, "kernels", &s.module));
    ok_if_supported(accel_module_kernel(s.module, "scatter_sum_u32_into", &s.kernel));
    ok(accel_module_kernel(s.module, "scatter_sum_u32", &s.of_scatter));
    s.cell = words_new(device, N, CELL);
    s.target = words_new(device, CELLS, 0);
    ok(accel_scatter_create(s.queue, s.of_scatter, CELLS, &desc, &s.scatter));
    s.args = (scatters_args){.n = N, .cell = accel_buffer_ptr(s.cell), .view = info(s.scatter).view};
    return s;
}

static void scene_free(scene *s)
{
    accel_scatter_release(s->scatter);
    accel_queue_release(s->queue);
    accel_buffer_release(s->cell);
    accel_buffer_release(s->target);
    accel_module_release(s->module);
}

static void add_ones(scene *s)
{
    ok(accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args));
}

/* All words of the target are 0, but that of the cell. */
static void target_is(scene *s, uint32_t expected)
{
    uint32_t found[CELLS];
    ok(accel_read(s->queue, found, s->target));
    ok(accel_queue_wait(s->queue));
    for (size_t c = 0; c < CELLS; ++c)
        ck_assert_uint_eq(found[c], c == CELL ? expected : 0);
}

START_TEST(s2_contributions_follow_the_queue_and_nothing_waits)
{
    scene s = scene_of(test.device, 0, 0);
    bool idle = true;
    gate door;
    gate_init(&door);
    gate_in(&door, s.queue);
    add_ones(&s);
    ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
    add_ones(&s);
    add_ones(&s);
    ok(accel_scatter_reset(s.queue, s.scatter));
    add_ones(&s);
    ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
    ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
    gate_entered(&door);
    ok(accel_queue_is_idle(s.queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    target_is(&s, 2 * N);
    gate_destroy(&door);
    scene_free(&s);
}
END_TEST

START_TEST(s2_a_scatter_and_its_target_may_be_released_at_once)
{
    const accel_buffer_desc words = accel_buffer_1d(sizeof(uint32_t), CELLS);
    for (uint32_t copies = 0; copies < 4; ++copies) {
        scene s = scene_of(test.device, 0, copies);
        for (int i = 0; i < 20; ++i) {
            const bool host = i % 2 != 0 && test.properties.kind == ACCEL_DEVICE_CPU;
            accel_buffer *target = buffer_new(host ? test.host : s.device, &words);
            accel_scatter *again = NULL;
            if (host) /* it is added to */
                memset(accel_buffer_ptr(target), 0, CELLS * sizeof(uint32_t));
            else
                ok(accel_fill(s.queue, target, &(uint32_t){0}, sizeof(uint32_t), NULL));
            ok(accel_scatter_create(s.queue, s.of_scatter, CELLS, NULL, &again));
            s.args.view = info(again).view;
            add_ones(&s);
            ok(accel_scatter_contribute(s.queue, again, target));
            accel_scatter_release(again);
            accel_buffer_release(target);
        }
        s.args.view = info(s.scatter).view;
        add_ones(&s);
        ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
        target_is(&s, N);
        scene_free(&s);
    }
}
END_TEST

typedef struct adder {
    scene *scene;
    accel_queue *queue;
} adder;

enum { ADDERS = 4, LAUNCHES = 50 };

static void *add_often(void *user)
{
    const adder *a = user;
    for (int i = 0; i < LAUNCHES; ++i)
        ok(accel_launch(a->queue, a->scene->kernel, &a->scene->work, &a->scene->args, sizeof a->scene->args));
    ok(accel_queue_wait(a->queue));
    return NULL;
}

/* Fewer copies than threads: some find none that is free. */
START_TEST(s1_kernels_of_several_queues_add_at_once)
{
    for (uint32_t copies = 0; copies < 4; ++copies) {
        scene s = scene_of(test.device, 0, copies);
        adder adders[ADDERS];
        pthread_t threads[ADDERS];
        ok(accel_queue_wait(s.queue));
        for (int i = 0; i < ADDERS; ++i) {
            adders[i] = (adder){&s, queue_new(test.device, i % 2 == 0 ? ACCEL_QUEUE_BLOCKING : 0)};
            ck_assert_int_eq(pthread_create(&threads[i], NULL, add_often, &adders[i]), 0);
        }
        for (int i = 0; i < ADDERS; ++i) {
            ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
            accel_queue_release(adders[i].queue);
        }
        ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
        target_is(&s, (uint32_t)ADDERS * LAUNCHES * N);
        scene_free(&s);
    }
}
END_TEST

START_TEST(s1_queues_of_sub_devices_add_to_one_scatter)
{
    accel_device *parts[2];
    need_parts(parts);
    scene s = scene_of(test.device, 0, 0);
    ok(accel_queue_wait(s.queue));
    for (size_t i = 0; i < 2; ++i) {
        accel_queue *queue = queue_new(parts[i], 0);
        ok(accel_launch(queue, s.kernel, &s.work, &s.args, sizeof s.args));
        ok(accel_queue_wait(queue));
        ok(accel_scatter_contribute(queue, s.scatter, s.target));
        ok(accel_launch(queue, s.kernel, &s.work, &s.args, sizeof s.args));
        ok(accel_queue_wait(queue));
        accel_queue_release(queue);
        accel_device_release(parts[i]);
    }
    ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
    target_is(&s, 2 * 2 * N);
    scene_free(&s);
}
END_TEST

/* Unsigned sums wrap: the same in any copies, by any threads. */
START_TEST(s3_sums_of_integers_do_not_depend_on_copies)
{
    for (uint32_t copies = 0; copies < 5; ++copies) {
        scene s = scene_of(test.device, 0, copies);
        const uint32_t start = UINT32_MAX - 7;
        ok(accel_fill(s.queue, s.target, &start, sizeof start, NULL));
        add_ones(&s);
        ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
        uint32_t found[CELLS];
        ok(accel_read(s.queue, found, s.target));
        ok(accel_queue_wait(s.queue));
        ck_assert_uint_eq(found[CELL], N - 8);
        ck_assert_uint_eq(found[CELL + 1], start);
        scene_free(&s);
    }
}
END_TEST

START_TEST(s4_the_device_chooses_how_many_copies_there_are)
{
    const bool cpu = test.properties.kind == ACCEL_DEVICE_CPU;
    scene s = scene_of(test.device, 0, 0);
    accel_scatter_properties about = info(s.scatter);
    ck_assert_uint_eq(about.copies, cpu ? test.properties.compute_units + 1 : 1);
    ck_assert_uint_eq(about.count, CELLS);
    ck_assert_uint_eq(about.element_size, sizeof(uint32_t));
    ck_assert_uint_ge(about.bytes, about.copies * CELLS * sizeof(uint32_t));
    ck_assert_uint_eq(about.view.copies, about.copies);
    ck_assert_uint_eq(about.view.count, CELLS);
    if (cpu) { /* too large for two copies */
        accel_scatter *huge = NULL;
        ok(accel_scatter_create(s.queue, s.of_scatter, ((size_t)33 << 20) / sizeof(uint32_t), NULL, &huge));
        ck_assert_uint_eq(info(huge).copies, 1);
        ok(accel_queue_wait(s.queue));
        accel_scatter_release(huge);
    }
    scene_free(&s);
}
END_TEST

/* What a CPU prefetches behind one thread's set is no line of another's. */
START_TEST(s4_sets_stand_apart)
{
    scene s = scene_of(test.device, 0, 3);
    const accel_scatter_properties about = info(s.scatter);
    ck_assert_uint_ge(about.view.stride, CELLS * sizeof(uint32_t) + 512);
    ck_assert_uint_ge(about.bytes, 3 * about.view.stride);
    scene_free(&s);
}
END_TEST

START_TEST(s5_what_does_not_fit_is_refused)
{
    scene s = scene_of(test.device, 0, 0);
    const size_t n = 10;
    accel_scatter_desc desc = ACCEL_SCATTER_DESC_INIT;
    accel_scatter *none = NULL;
    accel_kernel *reduce = NULL, *scan = NULL;
    accel_range range = ACCEL_RANGE_INIT;
    const accel_buffer_desc flat = accel_buffer_2d(sizeof(uint32_t), 2, CELLS);
    accel_buffer *bytes = bytes_new(test.device, CELLS), *few = words_new(test.device, CELLS - 1, 0),
                 *plane = buffer_new(test.device, &flat);
    refused(ACCEL_INVALID, accel_scatter_contribute(s.queue, s.scatter, bytes), "1 bytes", "4");
    refused(ACCEL_INVALID, accel_scatter_contribute(s.queue, s.scatter, few), "99 elements", "100");
    refused(ACCEL_INVALID, accel_scatter_contribute(s.queue, s.scatter, plane), "one dimension");
    refused(ACCEL_INVALID, accel_scatter_create(s.queue, s.kernel, CELLS, NULL, &none), "\"scatter_sum_u32_into\"",
            "accel_launch");
    ok(accel_module_kernel(s.module, "reduce_dot", &reduce));
    refused(ACCEL_INVALID, accel_scatter_create(s.queue, reduce, CELLS, NULL, &none), "\"reduce_dot\"",
            "is of no scatter", "accel_reduce");
    ok(accel_module_kernel(s.module, "scan_dot", &scan));
    refused(ACCEL_INVALID, accel_scatter_create(s.queue, scan, CELLS, NULL, &none), "\"scan_dot\"", "is of no scatter",
            "accel_scan");
    refused(ACCEL_LIMIT, accel_scatter_create(s.queue, s.of_scatter, SIZE_MAX / 4, NULL, &none), "1 times",
            "cells of 4 bytes");
    desc.copies = UINT32_MAX;
    refused(ACCEL_LIMIT, accel_scatter_create(s.queue, s.of_scatter, SIZE_MAX / 8, &desc, &none), "4294967295 times");
    refused(ACCEL_INVALID, accel_launch(s.queue, s.of_scatter, &s.work, &s.args, sizeof s.args),
            "accel_scatter_create");
    refused(ACCEL_INVALID, accel_launch_over(s.queue, s.of_scatter, 1, &n, &s.args, sizeof s.args),
            "accel_scatter_create");
    refused(ACCEL_INVALID, accel_work_divide(s.of_scatter, 1, &n, NULL, &s.work), "accel_scatter_create");
    range.dims = 1;
    range.end[0] = n;
    refused(ACCEL_INVALID, accel_range_divide(s.of_scatter, &range, NULL, &s.work), "accel_scatter_create");
    refused(ACCEL_INVALID, accel_reduce(s.queue, s.of_scatter, 1, &n, &s.args, sizeof s.args, s.target),
            "accel_scatter_create");
    refused(ACCEL_INVALID, accel_reduce_unordered(s.queue, s.of_scatter, 1, &n, &s.args, sizeof s.args, s.target),
            "accel_scatter_create");
    ck_assert(none == NULL);
    target_is(&s, 0);
    accel_buffer_release(bytes);
    accel_buffer_release(few);
    accel_buffer_release(plane);
    scene_free(&s);
}
END_TEST

START_TEST(s5_a_target_of_another_instance_is_refused)
{
    scene s = scene_of(test.device, 0, 0);
    accel_instance *instance;
    accel_buffer *foreign = words_new(of_another_instance(&instance), CELLS, 0);
    refused(ACCEL_INVALID, accel_scatter_contribute(s.queue, s.scatter, foreign), "do not use the target",
            "of another instance");
    accel_buffer_release(foreign);
    accel_instance_release(instance);
    scene_free(&s);
}
END_TEST

START_TEST(s5_a_scatter_belongs_to_its_device)
{
    scene s = scene_of(test.device, 0, 0);
    accel_queue *elsewhere = queue_new(need_partner(), 0);
    accel_buffer *there = words_new(test.partner, CELLS, 0);
    accel_scatter *none = NULL;
    refused(ACCEL_INVALID, accel_scatter_create(elsewhere, s.of_scatter, CELLS, NULL, &none), "\"scatter_sum_u32\"");
    refused(ACCEL_INVALID, accel_scatter_contribute(elsewhere, s.scatter, s.target), "\"scatter_sum_u32\"");
    refused(ACCEL_INVALID, accel_scatter_reset(elsewhere, s.scatter), "\"scatter_sum_u32\"");
    refused(ACCEL_INVALID, accel_scatter_contribute(s.queue, s.scatter, there), "do not use the target");
    accel_buffer_release(there);
    accel_queue_release(elsewhere);
    scene_free(&s);
}
END_TEST

START_TEST(s5_without_memory_there_is_no_scatter_and_it_may_be_tried_again)
{
    scene s = scene_of(need_partner(), 0, 0);
    faulty_device_control *control = device_control(s.device);
    accel_scatter *again = NULL;
    ok(accel_queue_wait(s.queue));
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, accel_scatter_create(s.queue, s.of_scatter, CELLS, NULL, &again), "bytes");
    ck_assert(again == NULL);
    ok(accel_scatter_create(s.queue, s.of_scatter, CELLS, NULL, &again));
    accel_scatter_release(again);
    add_ones(&s);
    ok(accel_scatter_contribute(s.queue, s.scatter, s.target));
    target_is(&s, N);
    scene_free(&s);
}
END_TEST

START_TEST(m3_a_scatter_without_cells_is_legal)
{
    scene s = scene_of(test.device, 0, 0);
    accel_scatter *empty = NULL;
    ok(accel_scatter_create(s.queue, s.of_scatter, 0, NULL, &empty));
    ok(accel_scatter_contribute(s.queue, empty, s.target));
    ok(accel_scatter_reset(s.queue, empty));
    target_is(&s, 0);
    ck_assert(accel_scatter_retain(empty) == empty);
    accel_scatter_release(empty);
    accel_scatter_release(empty);
    accel_scatter_release(NULL);
    scene_free(&s);
}
END_TEST

Suite *scatter_suite(void)
{
    Suite *suite = suite_create("scatter");
    add(suite, s1_kernels_of_several_queues_add_at_once);
    add(suite, s1_queues_of_sub_devices_add_to_one_scatter);
    add(suite, s2_contributions_follow_the_queue_and_nothing_waits);
    add(suite, s2_a_scatter_and_its_target_may_be_released_at_once);
    add(suite, s3_sums_of_integers_do_not_depend_on_copies);
    add(suite, s4_the_device_chooses_how_many_copies_there_are);
    add(suite, s4_sets_stand_apart);
    add(suite, s5_what_does_not_fit_is_refused);
    add(suite, s5_a_target_of_another_instance_is_refused);
    add(suite, s5_a_scatter_belongs_to_its_device);
    add(suite, s5_without_memory_there_is_no_scatter_and_it_may_be_tried_again);
    add(suite, m3_a_scatter_without_cells_is_legal);
    return suite;
}

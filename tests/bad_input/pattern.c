/* SPDX-License-Identifier: Apache-2.0 */
/* Scans and reductions of more elements than can be. The kernel must not have run. */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "nouns.h"
#include "suite.h"

#include <accel/pattern.h>
#include <stdio.h>

typedef struct scene {
    accel_queue *queue;
    accel_module *module;
    accel_buffer *words, *kept;
    scans_args args;
} scene;

static scene scene_new(void)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 10);
    scene s = {.queue = queue_new(test.device, 0),
               .words = words_new(test.device, 10, 1),
               .kept = buffer_new(test.device, &desc)};
    ok(accel_module_load(test.device, "kernels", &s.module));
    s.args = (scans_args){.x = accel_buffer_ptr(s.kept),
                          .y = accel_buffer_ptr(s.kept),
                          .kept = accel_buffer_ptr(s.kept),
                          .prefix = accel_buffer_ptr(s.words)};
    return s;
}

static void scene_unchanged(scene *s)
{
    words_are(s->queue, s->words, 1);
    accel_buffer_release(s->words);
    accel_buffer_release(s->kept);
    accel_queue_release(s->queue);
    accel_module_release(s->module);
}

/* The text has the number, as libaccel prints it. */
static void scan_refused(scene *s, const char *name, size_t n, const char *second, const char *third)
{
    accel_kernel *kernel = NULL;
    char number[32];
    snprintf(number, sizeof number, "%zu", n);
    ok(accel_module_kernel(s->module, name, &kernel));
    for (uint32_t flags = 0; flags < 2; ++flags)
        refused(ACCEL_LIMIT, accel_scan(s->queue, kernel, n, &s->args, sizeof s->args, NULL, flags), number, second,
                third);
}

/* Sums of bytes wrap for some of these numbers. */
START_TEST(p6_scans_of_more_elements_than_an_address_space_holds_are_refused)
{
    scene s = scene_new();
    scan_refused(&s, "scan_select", SIZE_MAX, "\"scan_select\"", "in parts");
    scan_refused(&s, "scan_select", SIZE_MAX / 4 + 1, "elements of 4 bytes", "in parts");
    scan_refused(&s, "scan_select", SIZE_MAX / 8 + 1, "elements of 4 bytes", "in parts");
    scan_refused(&s, "scan_affine_final", SIZE_MAX, "\"scan_affine_final\"", "in parts");
    scan_refused(&s, "scan_affine_final", SIZE_MAX / 16 + 3, "elements of 16 bytes", "in parts");
    scan_refused(&s, "scan_affine_final", SIZE_MAX / 32 + 1, "elements of 16 bytes", "in parts");
    scene_unchanged(&s);
}
END_TEST

/* What is between the launches is more than the device's memory. */
START_TEST(p6_patterns_that_need_more_memory_than_the_device_has_are_refused)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 1);
    const size_t all = SIZE_MAX;
    scene s = scene_new();
    accel_buffer *result = buffer_new(test.device, &desc);
    accel_kernel *scan = NULL, *reduce = NULL;
    reductions_args args = {.x = accel_buffer_ptr(s.kept), .y = accel_buffer_ptr(s.kept)};
    ok(accel_module_kernel(s.module, "scan_select", &scan));
    ok(accel_module_kernel(s.module, "reduce_dot", &reduce));
    refused(ACCEL_LIMIT, accel_scan(s.queue, scan, SIZE_MAX / 8, &s.args, sizeof s.args, NULL, 0), "bytes on",
            "max_allocation", "fewer elements");
    refused(ACCEL_LIMIT, accel_reduce(s.queue, reduce, 1, &all, &args, sizeof args, result), "bytes on",
            "max_allocation", "fewer elements");
    accel_buffer_release(result);
    scene_unchanged(&s);
}
END_TEST

Suite *bad_pattern_suite(void)
{
    Suite *suite = suite_create("patterns");
    add(suite, p6_scans_of_more_elements_than_an_address_space_holds_are_refused);
    add(suite, p6_patterns_that_need_more_memory_than_the_device_has_are_refused);
    return suite;
}

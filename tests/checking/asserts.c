/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with assertions, with warps of 32 lanes: threads of regions are fibers then. Usage: asserts DIRECTORY-OF-SOURCES
 * LIBRARY. The line that a report must name is that of a comment in asserts.k.c. */
#include <accel/accel.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "planted.h"
#include "suite.h"

enum { BLOCKS = 4, THREADS = 64, N = BLOCKS * THREADS };

static const char *sources, *library;
static accel_instance *instance;
static accel_queue *queue;
static accel_module *module;
static accel_buffer *y;
static float result[N];

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

static void open_device(const char *lanes)
{
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    accel_device *device;
    setenv("ACCEL_CHECK_WARP", lanes, 1);
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, NULL, &device));
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_buffer_create(device, &floats, &y));
}

static void close_device(void)
{
    accel_buffer_release(y);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}

/* n = 0: the thread's assertion fails; 1: that of the block; more: none. Returns the text, "" if there was no error. */
static const char *run(const char *name, size_t n)
{
    planted_args args = {.n = n, .y = accel_buffer_ptr(y)};
    accel_work work = accel_work_1d(BLOCKS, THREADS, 1);
    accel_kernel *kernel;
    if (strcmp(name, "asserts_rows") == 0)
        work = accel_work_2d((size_t[]){1, BLOCKS}, (size_t[]){4, 16}, (size_t[]){1, 1});
    GOOD(accel_module_kernel(module, name, &kernel));
    GOOD(accel_launch(queue, kernel, &work, &args, sizeof args));
    const accel_status status = accel_queue_wait(queue);
    ck_assert_msg(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT, "%s", accel_error_message());
    return status == ACCEL_OK ? "" : accel_error_message();
}

static void expect(const char *kernel, size_t n, const char *text)
{
    const char *found = run(kernel, n);
    ck_assert_msg(strstr(found, kernel) != NULL && strstr(found, text) != NULL, "%s must say \"%s\":\n%s", kernel, text,
                  found);
}

/* What each thread writes is what its warp votes. */
static void expect_votes(const char *kernel)
{
    const char *found = run(kernel, 2);
    ck_assert_msg(found[0] == '\0', "%s", found);
    GOOD(accel_read(queue, result, y));
    GOOD(accel_queue_wait(queue));
    for (size_t i = 0; i < N; ++i)
        ck_assert_msg(result[i] == (float)0xaaaaaaaau, "%s: %zu: %g", kernel, i, (double)result[i]);
}

START_TEST(an_assertion_names_the_thread_that_came_back_from_its_warp)
{
    static const char *const kernels[] = {"asserts_region", "asserts_nosync", "asserts_barrier"};
    open_device("32");
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; ++i)
        for (int turn = 0; turn < 2; ++turn) {
            expect(kernels[i], 0, ", in thread (37, 0, 0) of block (1, 0, 0): args.n != 0 || !IS_CHOSEN(acc, t)");
            expect_votes(kernels[i]);
        }
    close_device();
}
END_TEST

START_TEST(an_assertion_outside_regions_names_no_thread)
{
    open_device("32");
    expect("asserts_region", 1, ", in block (1, 0, 0): args.n != 1");
    expect_votes("asserts_region");
    close_device();
}
END_TEST

START_TEST(lanes_that_do_not_come_are_found_beside_assertions)
{
    char line[64];
    open_device("32");
    snprintf(line, sizeof line, "/asserts.k.c:%zu\n", line_of(sources, "asserts.k.c", "asserts_lanes", "here"));
    expect("asserts_lanes", 2, "warp operation without some of its lanes");
    expect("asserts_lanes", 2, "lanes 0-2, 4-31 take part; lane 3 waits elsewhere");
    expect("asserts_lanes", 2, line);
    close_device();
}
END_TEST

int main(int count, char *arguments[])
{
    Suite *suite = suite_create("asserts");
    TCase *tests = tcase_create("asserts");
    if (count != 3)
        return fprintf(stderr, "usage: asserts DIRECTORY-OF-SOURCES LIBRARY\n"), 2;
    sources = arguments[1];
    library = arguments[2];
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_assertion_names_the_thread_that_came_back_from_its_warp);
    tcase_add_test(tests, an_assertion_outside_regions_names_no_thread);
    tcase_add_test(tests, lanes_that_do_not_come_are_found_beside_assertions);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

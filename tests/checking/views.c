/* SPDX-License-Identifier: Apache-2.0 */
/* What cpu-check says of kernels that are given views. Usage: views DIRECTORY-OF-SOURCES LIBRARY
 * The lines that reports must name are those of comments in views.k.c and in this file. */
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

enum { N = 256, EDGE = 16, PART = 64 };

static const char *sources, *library;
static accel_instance *instance;
static accel_device *device;
static accel_queue *queue;
static accel_module *module;
static accel_buffer *x, *y, *c, *square;

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

static accel_buffer *make(const accel_buffer_desc *desc)
{
    const float one = 1;
    accel_buffer *made;
    GOOD(accel_buffer_create(device, desc, &made));
    GOOD(accel_fill(queue, made, &one, sizeof one, NULL));
    return made;
}

static void open_device(void)
{
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N), rows = ACCEL_BUFFER_DESC_INIT;
    rows.element_size = sizeof(float);
    rows.dims = 2;
    rows.extent[0] = rows.extent[1] = EDGE;
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, NULL, &device));
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_module_load(device, library, &module));
    x = make(&floats);
    y = make(&floats);
    c = make(&floats);
    square = make(&rows);
}

static void close_device(void)
{
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_buffer_release(square);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}

static accel_buffer *part_of(accel_buffer *whole, size_t first, size_t count)
{
    accel_buffer *view;
    GOOD(accel_buffer_view(whole, &first, &count, &view)); /* view: made */
    return view;
}

static void submit(const char *name, const planted_args *args)
{
    accel_kernel *kernel;
    accel_work work = accel_work_1d(1, PART, 1);
    GOOD(accel_module_kernel(module, name, &kernel));
    GOOD(accel_launch(queue, kernel, &work, args, sizeof *args));
}

static void expect_line(const char *text, const char *file, const char *name, const char *role)
{
    char wanted[64];
    size_t line = line_of(sources, file, name, role);
    ck_assert_msg(line != 0, "%s has no comment for %s", file, name);
    snprintf(wanted, sizeof wanted, "/%s:%zu", file, line);
    ck_assert_msg(strstr(text, wanted) != NULL, "must name %s:\n%s", wanted, text);
}

/* The kernel's line, the view's, and how far the access is from that. */
static void expect(const char *kernel, const char *title, const planted_args *args, const char *more)
{
    char wanted[128];
    submit(kernel, args);
    ck_assert_int_eq(accel_queue_wait(queue), ACCEL_KERNEL_FAULT);
    const char *text = accel_error_message();
    snprintf(wanted, sizeof wanted, "%s in kernel \"%s\"", title, kernel);
    ck_assert_msg(strstr(text, wanted) != NULL, "%s must be \"%s\":\n%s", kernel, title, text);
    ck_assert_msg(strstr(text, more) != NULL, "%s must say \"%s\":\n%s", kernel, more, text);
    expect_line(text, "views.k.c", kernel, "here");
    expect_line(text, "views.c", "view", "made");
}

static void expect_nothing(void)
{
    ck_assert_msg(accel_queue_wait(queue) == ACCEL_OK, "%s", accel_error_message());
}

static accel_buffer *inner_square(void)
{
    const size_t offset[] = {2, 4}, extent[] = {4, 8};
    accel_buffer *view;
    GOOD(accel_buffer_view(square, offset, extent, &view));
    return view;
}

START_TEST(an_index_that_leaves_a_view_is_found)
{
    static const char kind[] = "access outside a view";
    accel_buffer *part = part_of(x, 32, PART), *counts = part_of(c, 8, 16);
    planted_args args = {PART, accel_buffer_ptr(part), accel_buffer_ptr(y), accel_buffer_ptr(counts)};
    accel_buffer *last = part_of(x, N - 3, 3);
    expect("view_behind", kind, &args, "0 bytes behind the end of a view of 64 elements of 4 bytes, made at ");
    expect("view_before", kind, &args, "4 bytes before a view of 64 elements of 4 bytes, made at ");
    expect("view_struct", kind, &args, "read of ");
    args.n = 20;
    expect("view_atomic", kind, &args, "16 bytes behind the end of a view of 16 elements");
    args.n = 3;
    args.x = accel_buffer_ptr(last);
    expect("view_before", kind, &args, "at byte 1008 of a buffer of 1024 bytes, made at ");
    accel_buffer_release(part);
    accel_buffer_release(counts);
    accel_buffer_release(last);
}
END_TEST

START_TEST(what_lies_between_the_rows_of_a_view_is_outside)
{
    accel_buffer_properties properties = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_buffer *part = inner_square();
    planted_args args = {8, accel_buffer_ptr(part), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    submit("view_rows", &args);
    expect_nothing();
    GOOD(accel_buffer_info(part, &properties));
    args.n = properties.pitch[0] / sizeof(float);
    submit("view_square", &args);
    expect_nothing();
    args.n = 9;
    submit("view_rows", &args);
    ck_assert_int_eq(accel_queue_wait(queue), ACCEL_KERNEL_FAULT);
    const char *text = accel_error_message();
    ck_assert_msg(strstr(text, "between the rows of a view of 4x8 elements of 4 bytes, made at ") != NULL, "%s", text);
    expect_line(text, "views.k.c", "view_rows", "here");
    accel_buffer_release(part);
}
END_TEST

START_TEST(buffers_are_told_by_their_names)
{
    static const char kind[] = "access outside a view";
    accel_buffer *part = part_of(x, 32, PART);
    planted_args args = {PART, accel_buffer_ptr(part), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    GOOD(accel_object_name(ACCEL_OBJECT_BUFFER, x, "halo"));
    expect("view_behind", kind, &args, "; at byte 384 of buffer \"halo\" (1024 bytes), made at ");
    accel_buffer_release(part);
}
END_TEST

/* Two views, the buffer itself, a place where no view begins: what the arguments have is what the kernel may touch. */
START_TEST(what_the_arguments_have_may_be_touched)
{
    accel_buffer *part = part_of(x, 32, PART), *next = part_of(x, 32 + PART, 1), *begin = part_of(x, 0, 8),
                 *longer = part_of(x, 32, PART + 1);
    planted_args args = {PART - 1, accel_buffer_ptr(part), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    submit("view_behind", &args);
    expect_nothing();
    args.n = PART;
    args.c = accel_buffer_ptr(x);
    submit("view_behind", &args);
    expect_nothing();
    args.c = (uint32_t *)accel_buffer_ptr(x) + 16;
    submit("view_behind", &args);
    expect_nothing();
    args.c = accel_buffer_ptr(next);
    submit("view_behind", &args);
    expect_nothing();
    args.c = accel_buffer_ptr(c);
    args.x = accel_buffer_ptr(begin); /* that is where the buffer begins */
    submit("view_behind", &args);
    expect_nothing();
    args.x = accel_buffer_ptr(longer); /* the address of both */
    submit("view_behind", &args);
    expect_nothing();
    accel_buffer_release(part);
    accel_buffer_release(next);
    accel_buffer_release(begin);
    accel_buffer_release(longer);
}
END_TEST

/* The address may be computed, and a view be there for copies only. */
START_TEST(a_view_counts_if_its_address_was_asked_for)
{
    static const char kind[] = "access outside a view";
    accel_buffer *part = part_of(x, 32, PART);
    planted_args args = {PART, (float *)accel_buffer_ptr(x) + 32, accel_buffer_ptr(y), accel_buffer_ptr(c)};
    submit("view_behind", &args);
    expect_nothing();
    args.x = accel_buffer_ptr(part);
    expect("view_behind", kind, &args, "0 bytes behind the end of a view of 64 elements");
    accel_buffer_release(part);
    submit("view_behind", &args); /* now it is a place in the buffer like others */
    expect_nothing();
}
END_TEST

static atomic_int may_go_on;
static void wait_for_host(void *user, accel_status status)
{
    (void)user, (void)status;
    while (!atomic_load(&may_go_on))
        ;
}

START_TEST(a_view_may_be_released_once_the_launch_is_submitted)
{
    accel_buffer *part = part_of(x, 32, PART);
    planted_args args = {PART, accel_buffer_ptr(part), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    char text[4096];
    GOOD(accel_queue_call(queue, wait_for_host, NULL));
    submit("view_behind", &args);
    accel_buffer_release(part);
    part = part_of(x, 32, PART + 1);
    (void)accel_buffer_ptr(part);
    atomic_store(&may_go_on, 1);
    ck_assert_int_eq(accel_queue_wait(queue), ACCEL_KERNEL_FAULT);
    snprintf(text, sizeof text, "%s", accel_error_message());
    ck_assert_msg(strstr(text, "a view of 64 elements") != NULL, "%s", text);
    submit("view_behind", &args);
    expect_nothing();
    accel_buffer_release(part);
}
END_TEST

START_TEST(what_tables_of_pointers_lead_to_may_be_touched)
{
    accel_buffer_desc pointers = accel_buffer_1d(sizeof(float *), 2);
    accel_buffer *part = part_of(x, 32, PART), *table = NULL;
    float *held[2] = {accel_buffer_ptr(x), NULL};
    GOOD(accel_buffer_create(device, &pointers, &table));
    GOOD(accel_write(queue, table, held));
    planted_args args = {0, accel_buffer_ptr(part), accel_buffer_ptr(table), accel_buffer_ptr(c)};
    submit("view_table", &args);
    expect_nothing();
    accel_buffer_release(part);
    accel_buffer_release(table);
}
END_TEST

START_TEST(many_views_come_and_go)
{
    static const char kind[] = "access outside a view";
    enum { MANY = 1000 };
    static accel_buffer *many[MANY];
    planted_args args = {1, NULL, accel_buffer_ptr(y), accel_buffer_ptr(c)};
    for (size_t i = 0; i < MANY; ++i)
        many[i] = part_of(x, 1 + i % 200, 1);
    for (size_t i = 0; i < MANY; i += 2)
        accel_buffer_release(many[i]);
    for (size_t i = 1; i < MANY; i += 2) {
        args.x = accel_buffer_ptr(many[i]);
        if (i % 100 == 1)
            expect("view_behind", kind, &args, "0 bytes behind the end of a view of 1 elements");
        accel_buffer_release(many[i]);
    }
}
END_TEST

int main(int count, char *arguments[])
{
    Suite *suite = suite_create("views");
    TCase *tests = tcase_create("views");
    if (count != 3)
        return fprintf(stderr, "usage: views DIRECTORY-OF-SOURCES LIBRARY\n"), 2;
    sources = arguments[1];
    library = arguments[2];
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, open_device, close_device);
    tcase_add_test(tests, an_index_that_leaves_a_view_is_found);
    tcase_add_test(tests, what_lies_between_the_rows_of_a_view_is_outside);
    tcase_add_test(tests, buffers_are_told_by_their_names);
    tcase_add_test(tests, what_the_arguments_have_may_be_touched);
    tcase_add_test(tests, a_view_counts_if_its_address_was_asked_for);
    tcase_add_test(tests, a_view_may_be_released_once_the_launch_is_submitted);
    tcase_add_test(tests, what_tables_of_pointers_lead_to_may_be_touched);
    tcase_add_test(tests, many_views_come_and_go);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

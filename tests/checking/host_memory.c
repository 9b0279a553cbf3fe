/* SPDX-License-Identifier: Apache-2.0 */
/* What cpu-check says of kernels that are given memory of the host. Usage: host_memory DIRECTORY-OF-SOURCES LIBRARY
 * The lines that reports must name are those of comments in host_memory.k.c. */
#include <accel/accel.h>
#include <accel/pattern.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "planted.h"
#include "suite.h"

enum { N = 64 };

static const char *sources, *library;
static accel_instance *instance;
static accel_device *device;
static accel_queue *queue;
static accel_module *module;
static accel_buffer *buffer;
static float fixed[N]; /* of the program */

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

static void open_queue(uint32_t flags)
{
    const accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    const float one = 1;
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = flags;
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, "cpu-check", &device));
    GOOD(accel_queue_create(device, &desc, &queue));
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_buffer_create(device, &floats, &buffer));
    GOOD(accel_fill(queue, buffer, &one, sizeof one, NULL));
}

static void open_device(void)
{
    open_queue(0);
}

static void close_device(void)
{
    accel_buffer_release(buffer);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}

/* Launches the kernel, and waits. A blocking queue fails in the launch. */
static accel_status run(const char *name, const planted_args *args)
{
    const accel_work work = accel_work_1d(1, N, 1);
    accel_kernel *kernel;
    GOOD(accel_module_kernel(module, name, &kernel));
    const accel_status status = accel_launch(queue, kernel, &work, args, sizeof *args);
    return status != ACCEL_OK ? status : accel_queue_wait(queue);
}

/* The thread's last error. */
static void expect_text(const char *kernel, const char *title, const char *access)
{
    char wanted[128];
    const size_t line = line_of(sources, "host_memory.k.c", kernel, "here");
    const char *text = accel_error_message();
    snprintf(wanted, sizeof wanted, "%s in kernel \"%s\"", title, kernel);
    ck_assert_msg(strstr(text, wanted) != NULL, "%s must be \"%s\":\n%s", kernel, title, text);
    ck_assert_msg(strstr(text, access) != NULL, "%s must say \"%s\":\n%s", kernel, access, text);
    ck_assert_msg(strstr(text, "memory of the program that no buffer has") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "accel_buffer_wrap") != NULL, "the remedy:\n%s", text);
    snprintf(wanted, sizeof wanted, "/host_memory.k.c:%zu", line);
    ck_assert_msg(line != 0 && strstr(text, wanted) != NULL, "must name %s:\n%s", wanted, text);
}

static void expect(const char *kernel, const char *title, const planted_args *args, const char *access)
{
    ck_assert_int_eq(run(kernel, args), ACCEL_KERNEL_FAULT);
    expect_text(kernel, title, access);
}

static void expect_nothing(const char *kernel, const planted_args *args)
{
    ck_assert_msg(run(kernel, args) == ACCEL_OK, "%s: %s", kernel, accel_error_message());
}

START_TEST(memory_that_no_buffer_has_is_found)
{
    static const char kind[] = "access to memory of the host";
    float *const heap = calloc(N, sizeof *heap), local[N] = {0};
    uint32_t counts[N] = {0};
    expect("host_read", kind, &(planted_args){N, heap, accel_buffer_ptr(buffer), NULL}, "read of 4 bytes by ");
    expect("host_write", kind, &(planted_args){N, NULL, fixed, NULL}, "write of 4 bytes by ");
    expect("host_read", kind, &(planted_args){N, (float *)local, accel_buffer_ptr(buffer), NULL},
           "read of 4 bytes by ");
    expect("host_atomic", kind, &(planted_args){N, NULL, NULL, counts}, "atomic write of 4 bytes by ");
    free(heap);
}
END_TEST

START_TEST(in_patterns_too)
{
    const accel_buffer_desc one = accel_buffer_1d(sizeof(float), 1);
    const planted_args args = {N, fixed, NULL, NULL}, right = {N, accel_buffer_ptr(buffer), NULL, NULL};
    const size_t n = N;
    accel_kernel *kernel;
    accel_buffer *result;
    GOOD(accel_module_kernel(module, "host_reduced", &kernel));
    GOOD(accel_buffer_create(accel_instance_host(instance), &one, &result));
    GOOD(accel_reduce(queue, kernel, 1, &n, &right, sizeof right, result));
    GOOD(accel_queue_wait(queue));
    GOOD(accel_reduce(queue, kernel, 1, &n, &args, sizeof args, result));
    ck_assert_int_eq(accel_queue_wait(queue), ACCEL_KERNEL_FAULT);
    expect_text("host_reduced", "access to memory of the host", "read of 4 bytes by ");
    accel_buffer_release(result);
}
END_TEST

/* There the program's own thread runs the kernel. */
START_TEST(on_a_blocking_queue_too)
{
    static const char kind[] = "access to memory of the host";
    float local[N] = {0};
    close_device();
    open_queue(ACCEL_QUEUE_BLOCKING);
    expect("host_read", kind, &(planted_args){N, fixed, accel_buffer_ptr(buffer), NULL}, "read of 4 bytes by ");
    close_device();
    open_queue(ACCEL_QUEUE_BLOCKING);
    expect("host_write", kind, &(planted_args){N, NULL, local, NULL}, "write of 4 bytes by ");
    close_device();
    open_queue(ACCEL_QUEUE_BLOCKING);
    expect_nothing("host_read", &(planted_args){N, accel_buffer_ptr(buffer), accel_buffer_ptr(buffer), NULL});
}
END_TEST

/* Rows with gaps between them count as a whole. */
START_TEST(wrapped_memory_is_a_buffers)
{
    accel_buffer_desc rows = ACCEL_BUFFER_DESC_INIT;
    const accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    float *const heap = calloc(2 * N, sizeof *heap), local[N] = {0};
    accel_buffer *wrapped, *second, *third;
    rows.element_size = sizeof(float);
    rows.dims = 2;
    rows.extent[0] = 4;
    rows.extent[1] = N / 8;
    rows.pitch[0] = N / 4 * sizeof(float);
    GOOD(accel_buffer_wrap(device, heap, &rows, &wrapped));
    GOOD(accel_buffer_wrap(accel_instance_host(instance), local, &floats, &second));
    GOOD(accel_buffer_wrap(device, heap + N, &floats, &third));
    expect_nothing("host_read", &(planted_args){N - N / 8, heap, local, NULL});
    expect_nothing("host_write", &(planted_args){N, NULL, heap + N, NULL});
    accel_buffer_release(wrapped);
    accel_buffer_release(second);
    accel_buffer_release(third);
    expect_nothing("host_read", &(planted_args){N, heap + N, local, NULL}); /* it is there as before */
    free(heap);
}
END_TEST

START_TEST(memory_of_the_host_device_and_variables_of_objects_are_right)
{
    const accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    accel_buffer_desc pinned = floats;
    accel_buffer *of_host, *near;
    pinned.flags = ACCEL_BUFFER_PINNED;
    GOOD(accel_buffer_create(accel_instance_host(instance), &floats, &of_host));
    GOOD(accel_buffer_create(device, &pinned, &near));
    expect_nothing("host_write", &(planted_args){N, NULL, accel_buffer_ptr(of_host), NULL});
    expect_nothing("host_read", &(planted_args){N, accel_buffer_ptr(of_host), accel_buffer_ptr(near), NULL});
    expect_nothing("host_own", &(planted_args){N, NULL, accel_buffer_ptr(buffer), NULL});
    accel_buffer_release(of_host);
    accel_buffer_release(near);
}
END_TEST

/* For programs that never meet a GPU. */
START_TEST(the_kind_may_be_suppressed)
{
    const char *const file = "host_memory.suppressed";
    FILE *to = fopen(file, "w");
    ck_assert_ptr_nonnull(to);
    fprintf(to, "host-memory *\n");
    ck_assert_int_eq(fclose(to), 0);
    close_device();
    setenv("ACCEL_CHECK_SUPPRESS", file, 1);
    open_device();
    expect_nothing("host_write", &(planted_args){N, NULL, fixed, NULL});
    remove(file);
}
END_TEST

/* Which allocates memory of the host, where it comes first. */
START_TEST(memory_of_another_backend_is_a_buffers)
{
    const accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    accel_device *other;
    accel_buffer *theirs, *of_host;
    close_device();
    setenv("ACCEL_BACKEND", "cpu-serial,cpu-check", 1);
    open_device();
    GOOD(accel_instance_find_device(instance, "cpu-serial", &other));
    GOOD(accel_buffer_create(other, &floats, &theirs));
    GOOD(accel_buffer_create(accel_instance_host(instance), &floats, &of_host));
    expect_nothing("host_write", &(planted_args){N, NULL, accel_buffer_ptr(theirs), NULL});
    expect_nothing("host_read", &(planted_args){N, accel_buffer_ptr(theirs), accel_buffer_ptr(of_host), NULL});
    accel_buffer_release(theirs);
    accel_buffer_release(of_host);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    sources = argv[1];
    library = argv[2];
    setenv("ACCEL_CHECK_SUPPRESS", "", 1);
    Suite *suite = suite_create("memory of the host");
    TCase *tests = tcase_create("memory of the host");
    tcase_add_checked_fixture(tests, open_device, close_device);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, memory_that_no_buffer_has_is_found);
    tcase_add_test(tests, in_patterns_too);
    tcase_add_test(tests, on_a_blocking_queue_too);
    tcase_add_test(tests, wrapped_memory_is_a_buffers);
    tcase_add_test(tests, memory_of_the_host_device_and_variables_of_objects_are_right);
    tcase_add_test(tests, the_kind_may_be_suppressed);
    tcase_add_test(tests, memory_of_another_backend_is_a_buffers);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

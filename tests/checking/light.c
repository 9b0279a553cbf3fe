/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cpu-check says of errors in blocks outside the share that it looks at closely (ACCEL_CHECK_SHARE), which run the light
 * version of kernels. Usage: light DIRECTORY-OF-SOURCES LIBRARY. The lines are those of comments in light.k.c.
 */
#include <accel/accel.h>
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "light.h"
#include "lines.h"
#include "suite.h"

/* Of the 8 blocks of its first launch a kernel has the first two in the share. */
enum { BLOCKS = 8, THREADS = 64, N = BLOCKS * THREADS, FULL = 1, LIGHT = 3 };

static const char *sources, *library;
static accel_instance *instance;
static accel_device *device;
static bool is_cxx;

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

typedef struct setting {
    const char *then; /* a kernel that is launched behind the first one; NULL: none */
    bool x_released, c_unwritten;
    size_t c_bytes; /* 0: c has 64 words */
    size_t shared;
    uintptr_t far;
} setting;

static float given[N], result[N]; /* x, and y of the last launch */
static uint32_t counts[64];       /* c */

static void open_device(const char *share)
{
    setenv("ACCEL_CHECK_SHARE", share, 1);
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, NULL, &device));
}

static void open_with_share(void)
{
    open_device("100");
}

static void close_device(void)
{
    accel_instance_release(instance);
}

/* Returns the queue's text, to be freed; "" if there was no error. */
static char *run(const char *kernel_name, size_t wrong, setting how)
{
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *y, *c;
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N),
                      words =
                          accel_buffer_1d(how.c_bytes != 0 ? 1 : sizeof(uint32_t), how.c_bytes != 0 ? how.c_bytes : 64);
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_module_kernel(module, kernel_name, &kernel));
    GOOD(accel_buffer_create(device, &floats, &x));
    GOOD(accel_buffer_create(device, &floats, &y));
    GOOD(accel_buffer_create(device, &words, &c));
    for (size_t i = 0; i < N; ++i)
        given[i] = (float)i;
    memset(counts, 0, sizeof counts);
    GOOD(accel_write(queue, x, given));
    GOOD(accel_write(queue, y, given));
    if (!how.c_unwritten)
        GOOD(accel_write(queue, c, counts));
    GOOD(accel_queue_wait(queue));
    light_args args = {N, wrong, accel_buffer_ptr(x), accel_buffer_ptr(y), accel_buffer_ptr(c), (void *)how.far};
    accel_work work = accel_work_1d(BLOCKS, THREADS, 1);
    work.shared_bytes = how.shared;
    if (how.x_released)
        accel_buffer_release(x);
    GOOD(accel_launch(queue, kernel, &work, &args, sizeof args));
    if (how.then != NULL) {
        GOOD(accel_module_kernel(module, how.then, &kernel));
        GOOD(accel_launch(queue, kernel, &work, &args, sizeof args));
    }
    accel_status status = accel_queue_wait(queue);
    char *text = strdup(status == ACCEL_OK ? "" : accel_error_message());
    ck_assert_msg(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT, "%s", text);
    if (status == ACCEL_OK) {
        GOOD(accel_read(queue, result, y));
        if (!how.c_unwritten)
            GOOD(accel_read(queue, counts, c));
        GOOD(accel_queue_wait(queue));
    }
    if (!how.x_released)
        accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(queue);
    return text;
}

static void expect_in(const char *kernel, size_t block, const char *kind, setting how, const char *more)
{
    char title[160], line[64], where[64];
    char *text = run(kernel, block, how);
    const char *file = "light.k.c";
    size_t number = line_of(sources, file, kernel, "here");
    if (number == 0) {
        file = "light.k.cpp";
        number = line_of(sources, file, kernel, "here");
    }
    snprintf(title, sizeof title, "%s in kernel \"%s\"", kind, kernel);
    snprintf(line, sizeof line, "/%s:%zu\n", file, number);
    snprintf(where, sizeof where, "of block %zu\n", block);
    ck_assert_msg(strstr(text, title) != NULL, "%s must be \"%s\":\n%s", kernel, kind, text);
    ck_assert_msg(strstr(text, more) != NULL, "%s must say \"%s\":\n%s", kernel, more, text);
    ck_assert_msg(strstr(text, where) != NULL, "%s must name block %zu:\n%s", kernel, block, text);
    ck_assert_msg(number != 0 && strstr(text, line) != NULL, "%s must be at line %zu:\n%s", kernel, number, text);
    free(text);
}

/* Both versions say the same, but for the thread. */
static void expect(const char *kernel, const char *kind, setting how, const char *more)
{
    expect_in(kernel, FULL, kind, how, more);
    expect_in(kernel, LIGHT, kind, how, more);
}

static void expect_silence(const char *kernel, setting how)
{
    char *text = run(kernel, BLOCKS, how);
    ck_assert_msg(text[0] == '\0', "%s:\n%s", kernel, text);
    free(text);
}

static const setting ordinary;
static const char outside[] = "access outside memory";

static const char *const kernels[] = {
    "light_behind",        "light_before",       "light_far",        "light_across",      "light_memcpy",
    "light_fiber",         "light_nosync",       "light_atomic",     "light_function",    "light_shared",
    "light_shared_before", "light_private",      "light_local",      "light_local_fiber", "light_nowhere",
    "light_nowhere_fiber", "light_division",     "light_assert",     "light_right",       "light_large",
    "light_large_fiber",   "light_assert_fiber", "light_right_fiber"};

START_TEST(kernels_without_errors_are_not_reported)
{
    const setting shared = {.shared = THREADS * sizeof(float)};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; ++i)
        expect_silence(kernels[i], ordinary);
    expect_silence("light_dynamic", shared);
}
END_TEST

START_TEST(both_versions_have_the_same_variables)
{
    expect_silence("light_right", ordinary);
    for (size_t i = 0; i < N; ++i)
        ck_assert_msg(result[i] == (i % THREADS == 0 ? (float)i : 1), "%zu: %g", i, (double)result[i]);
    ck_assert_uint_eq(counts[0], N / 2);
    ck_assert_uint_eq(counts[1], N / 2);
    expect_silence("light_counts", ordinary);
    for (size_t i = 2; i < 10; ++i)
        ck_assert_uint_eq(counts[i], N / 8);
}
END_TEST

START_TEST(indices_that_leave_a_buffer_are_found)
{
    expect("light_behind", outside, ordinary, "0 bytes behind the end of a buffer of 2048 bytes, made at ");
    expect("light_before", outside, ordinary, "20 bytes before a buffer of 2048 bytes, made at ");
    expect("light_far", outside, ordinary, " bytes behind the end of a buffer of 2048 bytes, made at ");
    expect("light_across", outside, ordinary, "at byte 2012 of a buffer of 2048 bytes, made at ");
    expect("light_memcpy", outside, ordinary, "read of 40 bytes by ");
}
END_TEST

START_TEST(the_last_bytes_of_memory_that_ends_within_a_word_are_told_apart)
{
    const setting odd = {.c_bytes = 13}, unwritten = {.c_bytes = 13, .c_unwritten = true};
    expect("light_byte", outside, odd, "0 bytes behind the end of a buffer of 13 bytes, made at ");
    expect("light_end", outside, odd, "at byte 10 of a buffer of 13 bytes, made at ");
    expect("light_bytes", outside, ordinary, "0 bytes behind the end of shared array first (13 bytes)");
    expect_in("light_last", FULL, "read of memory that was never written", unwritten,
              "at byte 12 of a buffer of 13 bytes");
    expect_silence("light_byte", odd);
    expect_silence("light_end", odd);
    expect_silence("light_last", odd);
    expect_silence("light_bytes", ordinary);
}
END_TEST

START_TEST(errors_are_found_in_all_forms_of_kernels)
{
    expect("light_fiber", outside, ordinary, "8 bytes behind the end of a buffer of 2048 bytes, made at ");
    expect_in("light_fiber", LIGHT, outside, ordinary, "read of 4 bytes by thread 7 of block 3");
    expect("light_nosync", outside, ordinary, "64 times in this launch");
    expect("light_atomic", outside, ordinary, "0 bytes behind the end of a buffer of 2048 bytes, made at ");
}
END_TEST

START_TEST(errors_are_found_in_functions_that_kernels_call)
{
    expect("light_function", outside, ordinary, "64 times in this launch");
    if (!is_cxx)
        return;
    expect("light_template", outside, ordinary, "64 times in this launch");
    expect("light_method", outside, ordinary, "64 times in this launch");
}
END_TEST

START_TEST(use_after_release_is_found)
{
    const setting released = {.x_released = true};
    expect("light_released", "use after release", released, "at byte 0 of a released buffer of 2048 bytes, made at ");
}
END_TEST

START_TEST(indices_that_leave_memory_of_the_block_are_found)
{
    const setting shared = {.shared = THREADS * sizeof(float)};
    expect("light_shared", outside, ordinary, "0 bytes behind the end of shared array first (128 bytes)");
    expect("light_shared_before", outside, ordinary, "4 bytes before shared array s (256 bytes)");
    expect("light_dynamic", outside, shared, "0 bytes behind the end of the launch's 256 bytes of shared memory");
    expect("light_private", outside, ordinary, "in an array of private values, at an index that is no thread's");
}
END_TEST

/* Later launches of a kernel may have no block in the share: the first one is no longer. */
START_TEST(launches_without_a_block_of_the_share_are_looked_at_too)
{
    static const struct {
        const char *kernel, *text;
        size_t shared;
    } kernels_with[] = {
        {"light_behind", "0 bytes behind the end of a buffer of", 0},
        {"light_fiber", "8 bytes behind the end of a buffer of", 0},
        {"light_shared", "0 bytes behind the end of shared array first (128 bytes)", 0},
        {"light_dynamic", "0 bytes behind the end of the launch's 256 bytes of shared memory", THREADS * sizeof(float)},
        {"light_private", "in an array of private values, at an index that is no thread's", 0}};
    for (size_t i = 0; i < sizeof kernels_with / sizeof kernels_with[0]; ++i) {
        const setting first = {.shared = kernels_with[i].shared};
        setting behind = first;
        behind.then = kernels_with[i].kernel;
        expect_silence(behind.then, first);
        /* Behind a kernel that leaves the queue's fibers and shared memory. */
        expect_silence("light_right_fiber", first);
        char *text = run("light_right_fiber", 0, behind);
        ck_assert_msg(strstr(text, "in kernel \"light_right_fiber\"") == NULL, "%s", text);
        ck_assert_msg(strstr(text, kernels_with[i].text) != NULL, "%s must say \"%s\":\n%s", behind.then,
                      kernels_with[i].text, text);
        ck_assert_msg(strstr(text, "of block 0\n") != NULL, "%s", text);
        ck_assert_msg(strstr(text, "a thread of block 0\n") != NULL || strstr(behind.then, "fiber") != NULL,
                      "%s must be found in the light version:\n%s", behind.then, text);
        free(text);
    }
}
END_TEST

/* Two bytes may be those of new memory by chance. */
START_TEST(what_the_light_version_writes_counts_as_written)
{
    const setting both = {.then = "light_reread", .c_unwritten = true, .c_bytes = 2};
    expect_silence("light_rewrite", both);
}
END_TEST

/* Only the first version knows. */
START_TEST(shared_memory_that_nobody_wrote_is_found_in_the_share)
{
    if (is_cxx)
        expect_in("light_unwritten", FULL, "read of memory that was never written", ordinary,
                  "at byte 0 of shared array untouched (256 bytes)");
}
END_TEST

/* The other version does not look at locals. */
START_TEST(indices_that_leave_a_local_array_are_found_outside_the_share)
{
    static const char more[] = "beside an array among the kernel's local variables";
    expect_in("light_local", LIGHT, outside, ordinary, more);
    expect_in("light_local_fiber", LIGHT, outside, ordinary, more);
    expect_in("light_local_fiber", LIGHT, outside, ordinary, "by thread 3 of block 3");
}
END_TEST

START_TEST(accesses_that_would_crash_end_the_kernel)
{
    const setting null = {.far = 32}, far = {.far = (uintptr_t)1 << 40}, nobody = {.far = (uintptr_t)1 << 63};
    expect("light_nowhere", outside, null, "at address 0x20: the pointer is NULL");
    expect("light_nowhere", outside, far, "at address 0x10000000000, in no buffer and in no shared memory");
    expect("light_nowhere_fiber", outside, far, "by thread 9 of block ");
    for (int again = 0; again < 2; ++again) /* the first one's lock is free again */
        expect("light_locked", outside, far, "at address 0x10000000000, in no buffer and in no shared memory");
    expect_in("light_nowhere", LIGHT, outside, nobody, "at an address that no memory can have");
    expect_silence("light_right", ordinary);
}
END_TEST

START_TEST(divisions_by_zero_end_the_kernel)
{
    expect("light_division", "division by zero", ordinary, "compare the divisor with 0");
    expect_silence("light_right", ordinary);
}
END_TEST

/* What the stack had poisoned when the thread ended is open again. */
START_TEST(assertions_hold_in_both_versions)
{
    static const char more[] = "assertion failed at ";
    for (size_t block = FULL; block <= LIGHT; block += LIGHT - FULL) {
        for (int form = 0; form < 2; ++form) {
            char *text = run(form == 0 ? "light_assert" : "light_assert_fiber", block, ordinary);
            char where[64];
            snprintf(where, sizeof where, "thread (6, 0, 0) of block (%zu, 0, 0)", block);
            ck_assert_msg(strstr(text, more) != NULL && strstr(text, where) != NULL, "%s", text);
            free(text);
            expect_silence("light_large", ordinary);
            expect_silence("light_large_fiber", ordinary);
        }
    }
}
END_TEST

/* Without room for the light version all blocks run the other one. */
START_TEST(where_address_space_is_limited_errors_are_found_all_the_same)
{
    const struct rlimit limit = {(rlim_t)8 << 30, (rlim_t)8 << 30};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    open_with_share();
    expect_silence("light_right", ordinary);
    expect_in("light_behind", LIGHT, outside, ordinary, "read of 4 bytes by thread 5 of block 3");
    close_device();
}
END_TEST

/* By one version or by the other. */
START_TEST(an_error_is_found_whichever_tool_runs_the_program)
{
    open_with_share();
    expect_in("light_behind", LIGHT, outside, ordinary, "0 bytes behind the end of a buffer of 2048 bytes, made at ");
    expect_in("light_fiber", LIGHT, outside, ordinary, "by thread 7 of block 3");
    expect_silence("light_right", ordinary);
    close_device();
}
END_TEST

/* These options need what only the first version tells. */
START_TEST(some_options_leave_all_blocks_to_the_first_version)
{
    static const char *const options[][2] = {{"ACCEL_CHECK_LIMIT", "60"},
                                             {"ACCEL_CHECK_TRAPS", "1"},
                                             {"ACCEL_CHECK_WARP", "32"},
                                             {"ACCEL_CHECK_ORDER", "backwards"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
        setenv(options[i][0], options[i][1], 1);
        open_with_share();
        expect_in("light_behind", LIGHT, outside, ordinary, "read of 4 bytes by thread 5 of block 3");
        close_device();
        unsetenv(options[i][0]);
    }
}
END_TEST

/* Of an instance that was there before the light version was asked for. */
START_TEST(buffers_that_were_there_before_are_known)
{
    accel_instance *first;
    accel_device *before;
    accel_buffer *old;
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N);
    setenv("ACCEL_CHECK_SHARE", "1", 1);
    GOOD(accel_instance_create(NULL, &first));
    GOOD(accel_instance_find_device(first, NULL, &before));
    GOOD(accel_buffer_create(before, &floats, &old));
    open_with_share();
    const setting behind = {.far = (uintptr_t)accel_buffer_ptr(old) + N * sizeof(float)};
    expect("light_nowhere", outside, behind, "0 bytes behind the end of a buffer of 2048 bytes, made at ");
    close_device();
    accel_buffer_release(old);
    accel_instance_release(first);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: light DIRECTORY-OF-SOURCES LIBRARY\n");
        return 2;
    }
    sources = argv[1];
    library = argv[2];
    is_cxx = strstr(library, "cxx") != NULL;
    Suite *suite = suite_create("light");
    TCase *tests = tcase_create("light"), *opening = tcase_create("opening"), *tools = tcase_create("tools");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, open_with_share, close_device);
    tcase_add_test(tests, kernels_without_errors_are_not_reported);
    tcase_add_test(tests, both_versions_have_the_same_variables);
    tcase_add_test(tests, indices_that_leave_a_buffer_are_found);
    tcase_add_test(tests, the_last_bytes_of_memory_that_ends_within_a_word_are_told_apart);
    tcase_add_test(tests, errors_are_found_in_all_forms_of_kernels);
    tcase_add_test(tests, errors_are_found_in_functions_that_kernels_call);
    tcase_add_test(tests, use_after_release_is_found);
    tcase_add_test(tests, indices_that_leave_memory_of_the_block_are_found);
    tcase_add_test(tests, launches_without_a_block_of_the_share_are_looked_at_too);
    tcase_add_test(tests, what_the_light_version_writes_counts_as_written);
    tcase_add_test(tests, shared_memory_that_nobody_wrote_is_found_in_the_share);
    tcase_add_test(tests, indices_that_leave_a_local_array_are_found_outside_the_share);
    tcase_add_test(tests, accesses_that_would_crash_end_the_kernel);
    tcase_add_test(tests, divisions_by_zero_end_the_kernel);
    tcase_add_test(tests, assertions_hold_in_both_versions);
    suite_add_tcase(suite, tests);
    tcase_set_timeout(opening, 60);
    tcase_add_test(opening, where_address_space_is_limited_errors_are_found_all_the_same);
    tcase_add_test(opening, some_options_leave_all_blocks_to_the_first_version);
    tcase_add_test(opening, buffers_that_were_there_before_are_known);
    suite_add_tcase(suite, opening);
    tcase_set_timeout(tools, 60);
    tcase_add_test(tools, an_error_is_found_whichever_tool_runs_the_program);
    suite_add_tcase(suite, tools);
    return run_suite(suite);
}

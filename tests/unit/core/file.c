/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/file.h"
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/accel-file-XXXXXX";
static char path[sizeof(directory) + 32];
static accel_file file;

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/file", directory);
}

static void teardown(void)
{
    unlink(path);
    rmdir(path);
    rmdir(directory);
}

static void refused(accel_status status, const char *reason)
{
    ck_assert_uint_eq(accel_file_open(path, &file), status);
    ck_assert_msg(strstr(accel_error_message(), path) != NULL && strstr(accel_error_message(), reason) != NULL, "%s",
                  accel_error_message());
}

START_TEST(a_file_is_read_whole_and_followed_by_a_zero)
{
    FILE *stream = fopen(path, "w");

    ck_assert_ptr_nonnull(stream);
    fputs("12345", stream);
    fclose(stream);
    ck_assert_uint_eq(accel_file_open(path, &file), ACCEL_OK);
    ck_assert_uint_eq(file.size, 5);
    ck_assert_str_eq(file.data, "12345");
    accel_file_close(&file);
    ck_assert_ptr_null(file.data);
}
END_TEST

START_TEST(an_absent_file_is_not_found)
{
    refused(ACCEL_NOT_FOUND, "No such file");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
    close(open(path, O_CREAT | O_WRONLY, 0600));
    refused(ACCEL_IO, "empty");
}
END_TEST

START_TEST(a_directory_is_refused)
{
    ck_assert_int_eq(mkdir(path, 0700), 0);
    refused(ACCEL_IO, "directory");
}
END_TEST

START_TEST(a_pipe_is_refused_without_waiting_for_a_writer)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refused(ACCEL_IO, "pipe");
}
END_TEST

START_TEST(a_file_without_permission_is_refused)
{
    close(open(path, O_CREAT | O_WRONLY, 0600));
    ck_assert_int_eq(chmod(directory, 0755), 0);
    ck_assert_int_eq(chmod(path, 0), 0);
    bool root = geteuid() == 0;
    if (root) /* whom nothing is forbidden */
        ck_assert_int_eq(seteuid(65534), 0);
    refused(ACCEL_IO, "Permission denied; let this user");
    if (root)
        ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(without_memory_nothing_is_opened)
{
    FILE *stream = fopen(path, "w");

    ck_assert_ptr_nonnull(stream);
    fputs("12345", stream);
    fclose(stream);
    run_fail_allocation(1);
    ck_assert_uint_eq(accel_file_open(path, &file), ACCEL_OUT_OF_MEMORY);
    ck_assert_ptr_null(file.data);
}
END_TEST

static void add_here(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);

    tcase_add_checked_fixture(test_case, setup, teardown);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}
#define here(suite, name) add_here(suite, #name, name)

Suite *noun_suite(void)
{
    Suite *suite = suite_create("file");

    here(suite, a_file_is_read_whole_and_followed_by_a_zero);
    here(suite, an_absent_file_is_not_found);
    here(suite, an_empty_file_is_refused);
    here(suite, a_directory_is_refused);
    here(suite, a_pipe_is_refused_without_waiting_for_a_writer);
    here(suite, a_file_without_permission_is_refused);
    here(suite, without_memory_nothing_is_opened);
    return suite;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/log.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/accel-log-XXXXXX";
static char text[1 << 16];

/* What the log wrote. */
static const char *written(void)
{
    FILE *stream = fopen(path, "r");

    ck_assert_ptr_nonnull(stream);
    text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

static void to_file(const char *level)
{
    char value[128];

    close(mkstemp(path));
    snprintf(value, sizeof(value), "%s:%s", level, path);
    ck_assert_msg(accel_log_configure(value) == ACCEL_OK, "%s", accel_error_message());
}

START_TEST(it_is_silent_by_default)
{
    int file = mkstemp(path);

    ck_assert_int_ge(dup2(file, STDERR_FILENO), 0);
    accel_log(ACCEL_LOG_ERROR, "must not appear");
    ck_assert_str_eq(written(), "");
    unlink(path);
}
END_TEST

START_TEST(it_writes_to_stderr_if_no_file_is_named)
{
    int file = mkstemp(path);

    ck_assert_int_ge(dup2(file, STDERR_FILENO), 0);
    ck_assert_uint_eq(accel_log_configure("info"), ACCEL_OK);
    accel_log(ACCEL_LOG_INFO, "n is %d", 7);
    ck_assert_ptr_nonnull(strstr(written(), "] info: n is 7\n"));
    unlink(path);
}
END_TEST

START_TEST(a_level_takes_what_is_as_grave_and_graver)
{
    to_file("warning");
    accel_log(ACCEL_LOG_ERROR, "one");
    accel_log(ACCEL_LOG_WARNING, "two");
    accel_log(ACCEL_LOG_INFO, "three");
    accel_log(ACCEL_LOG_DEBUG, "four");
    ck_assert_ptr_nonnull(strstr(written(), "error: one\n"));
    ck_assert_ptr_nonnull(strstr(text, "warning: two\n"));
    ck_assert_ptr_null(strstr(text, "three"));
    ck_assert_ptr_null(strstr(text, "four"));
    ck_assert_uint_eq(accel_log_configure(""), ACCEL_OK);
    accel_log(ACCEL_LOG_ERROR, "five");
    ck_assert_ptr_null(strstr(written(), "five"));
    unlink(path);
}
END_TEST

START_TEST(a_message_is_one_line_however_long_and_broken)
{
    static char longer[10000];

    memset(longer, 'x', sizeof(longer) - 1);
    to_file("debug");
    accel_log(ACCEL_LOG_INFO, "a\nb\n%s", longer);
    written();
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    ck_assert_uint_eq(strlen(text), 4096);
    unlink(path);
}
END_TEST

START_TEST(errno_is_kept)
{
    to_file("debug");
    errno = EDOM;
    accel_log(ACCEL_LOG_INFO, "x");
    ck_assert_int_eq(errno, EDOM);
    unlink(path);
}
END_TEST

START_TEST(a_file_that_cannot_be_opened_is_an_error_and_changes_nothing)
{
    to_file("info");
    ck_assert_uint_eq(accel_log_configure("debug:/nonexistent/directory/file"), ACCEL_IO);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "ACCEL_LOG: \"/nonexistent/directory/file\""));
    ck_assert_uint_eq(accel_log_configure("debug:"), ACCEL_INVALID);
    ck_assert_uint_eq(accel_log_configure(":x"), ACCEL_INVALID);
    accel_log(ACCEL_LOG_INFO, "still here");
    ck_assert_ptr_nonnull(strstr(written(), "still here"));
    unlink(path);
}
END_TEST

START_TEST(a_pipe_that_nobody_reads_holds_nobody_up)
{
    char fifo[] = "/tmp/accel-log-XXXXXX", line[256] = "";

    to_file("info");
    ck_assert_ptr_nonnull(mkdtemp(fifo));
    char name[64], value[80];
    snprintf(name, sizeof(name), "%s/pipe", fifo);
    snprintf(value, sizeof(value), "info:%s", name);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    ck_assert_uint_eq(accel_log_configure(value), ACCEL_IO);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "reader"));
    int reader = open(name, O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    ck_assert_uint_eq(accel_log_configure(value), ACCEL_OK);
    accel_log(ACCEL_LOG_INFO, "through the pipe");
    ck_assert_int_gt(read(reader, line, sizeof(line) - 1), 0);
    ck_assert_ptr_nonnull(strstr(line, "through the pipe"));
    for (int i = 0; i < 100000; ++i) /* more than a pipe holds */
        accel_log(ACCEL_LOG_INFO, "lost");
    ck_assert_uint_eq(accel_log_configure(""), ACCEL_OK);
    close(reader);
    unlink(name);
    rmdir(fifo);
    unlink(path);
}
END_TEST

enum { WRITERS = 4, LINES = 200 };

static void *write_lines(void *unused)
{
    (void)unused;
    for (int i = 0; i < LINES; ++i)
        accel_log(ACCEL_LOG_INFO, "0123456789");
    return NULL;
}

START_TEST(lines_of_threads_do_not_mix)
{
    pthread_t threads[WRITERS];
    size_t lines = 0;

    to_file("info");
    for (int i = 0; i < WRITERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_lines, NULL), 0);
    for (int i = 0; i < WRITERS; ++i)
        pthread_join(threads[i], NULL);
    written();
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), ++lines)
        ck_assert_ptr_nonnull(strstr(line, "] info: 0123456789"));
    ck_assert_uint_eq(lines, WRITERS * LINES);
    unlink(path);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("log");

    add(suite, it_is_silent_by_default);
    add(suite, it_writes_to_stderr_if_no_file_is_named);
    add(suite, a_level_takes_what_is_as_grave_and_graver);
    add(suite, a_message_is_one_line_however_long_and_broken);
    add(suite, errno_is_kept);
    add(suite, a_file_that_cannot_be_opened_is_an_error_and_changes_nothing);
    add(suite, a_pipe_that_nobody_reads_holds_nobody_up);
    add(suite, lines_of_threads_do_not_mix);
    return suite;
}

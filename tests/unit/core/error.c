/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/error.h"
#include "run.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

START_TEST(every_status_has_its_name)
{
    ck_assert_str_eq(accel_status_name(ACCEL_OK), "ACCEL_OK");
    ck_assert_str_eq(accel_status_name(ACCEL_NOT_READY), "ACCEL_NOT_READY");
    ck_assert_str_eq(accel_status_name(ACCEL_INTERNAL), "ACCEL_INTERNAL");
    for (accel_status status = ACCEL_OK; status <= ACCEL_INTERNAL; ++status)
        ck_assert_ptr_nonnull(strstr(accel_status_name(status), "ACCEL_"));
    ck_assert_str_eq(accel_status_name(ACCEL_INTERNAL + 1), "ACCEL_STATUS_UNKNOWN");
    ck_assert_str_eq(accel_status_name(UINT32_MAX), "ACCEL_STATUS_UNKNOWN");
}
END_TEST

START_TEST(the_text_begins_empty_and_stays_until_the_next_failure)
{
    ck_assert_str_eq(accel_error_message(), "");
    ck_assert_uint_eq(accel_error_set(ACCEL_LIMIT, "f: %d", 7), ACCEL_LIMIT);
    ck_assert_str_eq(accel_error_message(), "f: 7");
}
END_TEST

START_TEST(a_text_may_quote_the_one_before)
{
    accel_error_set(ACCEL_IO, "inner");
    accel_error_set(ACCEL_IO, "outer: %s", accel_error_message());
    ck_assert_str_eq(accel_error_message(), "outer: inner");
}
END_TEST

START_TEST(errno_is_kept)
{
    errno = EDOM;
    accel_error_set(ACCEL_IO, "f: %s", strerror(EACCES));
    ck_assert_int_eq(errno, EDOM);
}
END_TEST

START_TEST(four_kilobytes_stay_whole_and_more_is_cut_visibly)
{
    char text[6000];

    memset(text, 'x', sizeof(text));
    text[4095] = '\0';
    accel_error_set(ACCEL_IO, "%s", text);
    ck_assert_uint_eq(strlen(accel_error_message()), 4095);
    ck_assert_int_eq(accel_error_message()[4094], 'x');
    for (size_t i = 0; i < sizeof(text); i += 100)
        text[i] = ' ';
    text[4095] = 'x';
    text[5999] = '\0';
    accel_error_set(ACCEL_IO, "%s", text);
    ck_assert_uint_eq(strlen(accel_error_message()), 4095);
    ck_assert_str_eq(accel_error_message() + 4092, "...");
}
END_TEST

START_TEST(a_long_value_loses_its_middle_and_not_the_remedy)
{
    char first[6000], second[5000], expected[256];

    memset(first, 'a', sizeof(first));
    first[5999] = '\0';
    memset(second, 'b', sizeof(second));
    second[4999] = '\0';
    accel_error_set(ACCEL_INVALID, "f: ONE is \"%s\", TWO \"%s\"; unset them", first, second);
    snprintf(expected, sizeof(expected), "f: ONE is \"%.59s...%.18s\", TWO \"%.59s...%.18s\"; unset them", first, first,
             second, second);
    ck_assert_str_eq(accel_error_message(), expected);
    accel_error_set(ACCEL_INVALID, "f: \"%.4081s\"; unset it", first);
    snprintf(expected, sizeof(expected), "f: \"%.59s...%.18s\"; unset it", first, first);
    ck_assert_str_eq(accel_error_message(), expected);
}
END_TEST

START_TEST(a_long_value_is_cut_between_characters)
{
    char text[6001];

    for (size_t i = 0; i < 6000; i += 3)
        memcpy(text + i, "\xe2\x82\xac", 3); /* the euro sign */
    text[6000] = '\0';
    for (size_t shift = 0; shift < 3; ++shift) {
        accel_error_set(ACCEL_INVALID, "%.*s%s", (int)shift, "xy", text);
        const char *rest = accel_error_message() + shift;
        while (strncmp(rest, "\xe2\x82\xac", 3) == 0)
            rest += 3;
        ck_assert_int_eq(strncmp(rest, "...", 3), 0);
        for (rest += 3; strncmp(rest, "\xe2\x82\xac", 3) == 0;)
            rest += 3;
        ck_assert_str_eq(rest, "");
        ck_assert_uint_ge(strlen(accel_error_message()), 70);
    }
}
END_TEST

START_TEST(prefix_names_the_function_once)
{
    accel_error_set(ACCEL_DRIVER, "the driver said 7");
    ck_assert_uint_eq(accel_error_prefix(ACCEL_DRIVER, "accel_copy"), ACCEL_DRIVER);
    ck_assert_str_eq(accel_error_message(), "accel_copy: the driver said 7");
    accel_error_prefix(ACCEL_DRIVER, "accel_copy");
    ck_assert_str_eq(accel_error_message(), "accel_copy: the driver said 7");
    accel_error_prefix(ACCEL_DRIVER, "accel");
    ck_assert_str_eq(accel_error_message(), "accel: accel_copy: the driver said 7");
}
END_TEST

START_TEST(rename_leaves_one_function)
{
    accel_error_set(ACCEL_LIMIT, "accel_reduce: the extents are too large");
    ck_assert_uint_eq(accel_error_rename(ACCEL_LIMIT, "accel_reduce_values"), ACCEL_LIMIT);
    ck_assert_str_eq(accel_error_message(), "accel_reduce_values: the extents are too large");
    accel_error_set(ACCEL_DRIVER, "accel: driver error: 7");
    accel_error_rename(ACCEL_DRIVER, "accel_sort");
    ck_assert_str_eq(accel_error_message(), "accel_sort: accel: driver error: 7");
}
END_TEST

START_TEST(prefix_of_nothing_gives_the_status)
{
    accel_error_prefix(ACCEL_DRIVER, "accel_copy");
    ck_assert_str_eq(accel_error_message(), "accel_copy: ACCEL_DRIVER");
}
END_TEST

START_TEST(prefix_never_overruns)
{
    char text[5000];

    for (size_t length = 4070; length < 4096; ++length) {
        memset(text, 'x', sizeof(text));
        text[length] = '\0';
        accel_error_set(ACCEL_IO, "%s", text);
        accel_error_prefix(ACCEL_IO, "accel_copy");
        ck_assert_uint_eq(strlen(accel_error_message()), length + 12 < 4096 ? length + 12 : 4095);
        ck_assert_int_eq(strncmp(accel_error_message(), "accel_copy: xx", 14), 0);
    }
}
END_TEST

static void *other_thread(void *unused)
{
    (void)unused;
    ck_assert_str_eq(accel_error_message(), "");
    accel_error_set(ACCEL_IO, "theirs");
    return NULL;
}

START_TEST(each_thread_has_its_own_text)
{
    pthread_t thread;

    accel_error_set(ACCEL_IO, "mine");
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, NULL), 0);
    pthread_join(thread, NULL);
    ck_assert_str_eq(accel_error_message(), "mine");
}
END_TEST

START_TEST(a_saved_text_comes_back)
{
    char saved[ACCEL_ERROR_SIZE];

    accel_error_set(ACCEL_IO, "before");
    accel_error_save(saved);
    accel_error_set(ACCEL_IO, "inner, and longer");
    accel_error_restore(saved);
    ck_assert_str_eq(accel_error_message(), "before");
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("error");

    add(suite, every_status_has_its_name);
    add(suite, the_text_begins_empty_and_stays_until_the_next_failure);
    add(suite, a_text_may_quote_the_one_before);
    add(suite, errno_is_kept);
    add(suite, four_kilobytes_stay_whole_and_more_is_cut_visibly);
    add(suite, a_long_value_loses_its_middle_and_not_the_remedy);
    add(suite, a_long_value_is_cut_between_characters);
    add(suite, prefix_names_the_function_once);
    add(suite, rename_leaves_one_function);
    add(suite, prefix_of_nothing_gives_the_status);
    add(suite, prefix_never_overruns);
    add(suite, each_thread_has_its_own_text);
    add(suite, a_saved_text_comes_back);
    return suite;
}

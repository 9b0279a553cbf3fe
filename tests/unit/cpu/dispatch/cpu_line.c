/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of kernels whose formats and values do not fit: no compiler has looked at them. */
#include "plugins/support/line.h"
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static accel_print_value integer(int v)
{
    return (accel_print_value){.kind = ACCEL_PRINT_INT32, .word = (uint64_t)(int64_t)v};
}
static accel_print_value real(double v)
{
    accel_print_value value = {.kind = ACCEL_PRINT_DOUBLE};
    memcpy(&value.word, &v, sizeof(v));
    return value;
}
static accel_print_value text(const char *v)
{
    return (accel_print_value){.kind = ACCEL_PRINT_TEXT, .word = (uintptr_t)v};
}
static accel_print_value pointer(void *v)
{
    return (accel_print_value){.kind = ACCEL_PRINT_POINTER, .word = (uintptr_t)v};
}

/* What the line writes to stdout. */
static void printed(char *found, size_t size, const char *format, const accel_print_value *values, uint32_t count)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    plugin_line_print(format, values, count);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    const ssize_t got = pread(fileno(file), found, size - 1, 0);
    found[got > 0 ? got : 0] = 0;
    fclose(file);
}

#define PRINTS(expected, format, ...)                                                                                  \
    do {                                                                                                               \
        const accel_print_value values[] = {__VA_ARGS__};                                                              \
        char found[2048];                                                                                              \
        printed(found, sizeof found, format, values, sizeof values / sizeof values[0]);                                \
        ck_assert_str_eq(found, expected);                                                                             \
    } while (0)

START_TEST(a_value_that_does_not_fit_is_printed_as_what_it_is)
{
    PRINTS("0.5 -3 -3 4294967293\n", "%d %f %s %u\n", real(0.5), integer(-3), integer(-3), integer(-3));
    PRINTS("word -7 0x10\n", "%d %p %d\n", text("word"), integer(-7), pointer((void *)0x10));
    PRINTS("1 2\n", "%d %y\n", integer(1), integer(2));
}
END_TEST

START_TEST(values_that_are_missing_are_told_and_others_ignored)
{
    PRINTS("1 (missing)\n", "%d %d\n", integer(1));
    PRINTS("1\n", "%d\n", integer(1), integer(2));
    PRINTS("(missing)|", "%*d|", integer(3));
}
END_TEST

START_TEST(a_format_may_end_anywhere)
{
    PRINTS("", "", integer(1));
    PRINTS("100%", "100%%", integer(1));
    PRINTS("at 1", "at %", integer(1));
    PRINTS("at +1", "at %-+ #0-+ #0ll", integer(1));
    PRINTS("    1", "%5.", integer(1));
}
END_TEST

START_TEST(a_line_has_a_largest_length)
{
    char expected[ACCEL_PRINT_LINE], longest[ACCEL_PRINT_LINE + 10];
    memset(expected, 'x', sizeof expected);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    memcpy(expected + sizeof expected - 5, "...\n", 5);
    PRINTS(expected, "%s%s", text(longest), text(longest));
    PRINTS(expected, longest, integer(1));
    longest[sizeof expected - 1] = 0;
    memset(expected, 'x', sizeof expected - 1);
    PRINTS(expected, "%s", text(longest));
    memset(expected, ' ', sizeof expected - 1);
    memcpy(expected + sizeof expected - 5, "...\n", 5);
    PRINTS(expected, "%*d", integer(2147483647), integer(1));
    PRINTS(expected, "%99999999999999999999d", integer(1));
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_line");
    add(suite, a_value_that_does_not_fit_is_printed_as_what_it_is);
    add(suite, values_that_are_missing_are_told_and_others_ignored);
    add(suite, a_format_may_end_anywhere);
    add(suite, a_line_has_a_largest_length);
    return suite;
}

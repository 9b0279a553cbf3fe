/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that print. */
#include "../kernels/assertions.h"
#include "../kernels/prints.h"
#include "trial.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}},
                                     {.dims = 1, .blocks = {3}, .threads = {1}, .elems = {1}},
                                     {.dims = 1, .blocks = {4}, .threads = {50}, .elems = {1}}};
static const trial_shapes all = {sizeof shapes / sizeof shapes[0], shapes};
static const trial_shapes largest = {1, &shapes[2]};

/* ---------------------------------------------------------------------------------------- capturing -- */

/* Where stdout goes meanwhile. */
typedef struct stdout_capture {
    FILE *file;
    int kept;
} stdout_capture;

static void capture_begin(const trial *t, stdout_capture *capture)
{
    fflush(stdout);
    capture->file = tmpfile();
    capture->kept = dup(STDOUT_FILENO);
    trial_assert(t, capture->file != NULL && capture->kept >= 0, "no temporary file");
    dup2(fileno(capture->file), STDOUT_FILENO);
}

/* What is there by now; the caller frees. */
static char *capture_read(const stdout_capture *capture)
{
    fflush(stdout);
    const long size = lseek(fileno(capture->file), 0, SEEK_END);
    char *text = host_memory((size_t)size + 1);
    const ssize_t got = pread(fileno(capture->file), text, (size_t)size, 0);
    text[got > 0 ? got : 0] = 0;
    return text;
}

static char *capture_end(const stdout_capture *capture)
{
    char *text = capture_read(capture);
    dup2(capture->kept, STDOUT_FILENO);
    close(capture->kept);
    fclose(capture->file);
    return text;
}

/* Launches, and returns what was printed when the queue was waited for. A blocking queue needs no waiting. */
static char *printed(trial *t, const prints_args *args)
{
    stdout_capture capture;
    capture_begin(t, &capture);
    accel_status status = accel_launch(t->queue, t->kernel, &t->work, args, sizeof *args);
    if (status == ACCEL_OK && strstr(t->label, "non-blocking") != NULL)
        status = accel_queue_wait(t->queue);
    char *text = capture_end(&capture);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    return text;
}

/* Where the line is, which is there once, and whole. */
static const char *line(const trial *t, const char *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *line(const trial *t, const char *text, const char *format, ...)
{
    const char *found = NULL;
    char expected[256];
    va_list values;
    va_start(values, format);
    vsnprintf(expected, sizeof expected, format, values);
    va_end(values);
    for (const char *at = text; (at = strstr(at, expected)) != NULL; ++at) {
        if (at != text && at[-1] != '\n')
            continue;
        trial_assert(t, found == NULL, "there twice: %s", expected);
        found = at;
    }
    trial_assert(t, found != NULL, "not there: %sin\n%.500s", expected, text);
    return found;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    while ((text = strchr(text, '\n')) != NULL) {
        ++count;
        ++text;
    }
    return count;
}

/* -------------------------------------------------------------------------------------------- tests -- */

static void in_region(trial *t)
{
    const prints_args args = {.from = -5};
    char *text = printed(t, &args);
    for (size_t block = 0; block < trial_blocks(t); ++block) {
        for (size_t i = 0; i < trial_block_threads(t); ++i)
            trial_assert(t,
                         line(t, text, "first -5 of thread %zu in block %zu\n", i, block) <
                             line(t, text, "second -5 of thread %zu in block %zu\n", i, block),
                         "the second line of a thread is the first");
    }
    trial_words_equal(t, 0, count_lines(text), 2 * trial_threads(t));
    free(text);
}

static void in_loop(trial *t)
{
    const prints_args args = {.n = t->n};
    char *text = printed(t, &args);
    for (size_t i = 0; i < t->n; ++i)
        line(t, text, "element %zu\n", i);
    trial_words_equal(t, 0, count_lines(text), t->n);
    free(text);
}

static void in_thread(trial *t)
{
    const prints_args args = {.from = 1000000, .real = 1e300};
    char *text = printed(t, &args);
    for (size_t i = 0; i < trial_threads(t); ++i)
        line(t, text, "before %zu %.3f\n", i, 1e300);
    for (int i = 0; trial_blocks(t) == 1 && i < (int)trial_threads(t); ++i)
        line(t, text, "1000000 + %d = %d\n", i, 1000000 + i);
    trial_words_equal(t, 0, count_lines(text), 2 * trial_threads(t));
    free(text);
}

static void in_nosync(trial *t)
{
    const prints_args args = {.from = 3};
    char *text = printed(t, &args);
    for (int i = 0; trial_blocks(t) == 1 && i < (int)trial_threads(t); ++i)
        line(t, text, "3 + %d = %d\n", i, 3 + i);
    trial_words_equal(t, 0, count_lines(text), trial_threads(t));
    free(text);
}

START_TEST(k19_lines_are_whole_and_in_order_within_a_thread)
{
    try_kernel("print_in_region", TRIAL_SIZES(1), all, in_region);
    try_kernel("print_in_loop", TRIAL_SIZES(0, 777), largest, in_loop);
    try_kernel("print_in_nosync", TRIAL_SIZES(1), all, in_nosync);
}
END_TEST

START_TEST(k19_threads_that_meet_at_barriers_print)
{
    try_kernel("print_in_thread", TRIAL_SIZES(1), all, in_thread);
}
END_TEST

static void values_of(trial *t)
{
    const double real = 2.0 / 3;
    const prints_args args = {.from = 12, .real = real};
    char expected[4096], *text = printed(t, &args);
    int used = snprintf(expected, sizeof expected, "nothing but 100%%\n%d %i %u %x %X %o %c|\n", -1, 7, 4000000000u,
                        0xbeefu, 0xbeefu, 8u, 'q');
    used += snprintf(expected + used, sizeof expected - (size_t)used, "200 -3 ffffffff %lld %llu 5\n",
                     -1234567890123456789LL, 18446744073709551615ULL);
    used += snprintf(expected + used, sizeof expected - (size_t)used, "   42|42   |00042|+42|0x2a|    42|007|\n");
    used += snprintf(expected + used, sizeof expected - (size_t)used, "%f %e %g %.2f %10.4f|%a\n", real, real, 0.25,
                     real, real, 1.0);
    used += snprintf(expected + used, sizeof expected - (size_t)used, "text,    right|left    |sh\n%p\n",
                     (void *)0x1234abcd);
    used += snprintf(expected + used, sizeof expected - (size_t)used, "1 2 3 4 5 6 7 8 9 10 11 12\nno end, an end\n");
    snprintf(expected + used, sizeof expected - (size_t)used, "%1019s...\n", "");
    trial_assert(t, strcmp(text, expected) == 0, "printed\n%s, not\n%s", text, expected);
    free(text);
}

START_TEST(k19_values_are_printed_as_printf_does)
{
    try_kernel("print_values", TRIAL_SIZES(1), all, values_of);
}
END_TEST

static void much(trial *t)
{
    for (int round = 0; round < 3; ++round) {
        const prints_args args = {.n = 4000, .from = round * 10000};
        char *text = printed(t, &args);
        bool *seen = host_memory(args.n * sizeof *seen);
        memset(seen, 0, args.n * sizeof *seen);
        for (const char *at = text; *at != 0; at = strchr(at, '\n') + 1) {
            const long k = strtol(at, NULL, 10) - args.from;
            trial_assert(t, k >= 0 && k < (long)args.n && !seen[k], "line %ld is there, or twice", k);
            trial_assert(t, strncmp(strchr(at, ' '), " 1 2 3 4 5 6 7 8 9 10 11\n", 25) == 0, "line %ld is not whole",
                         k);
            seen[k] = true;
        }
        trial_words_equal(t, round, count_lines(text), args.n);
        free(seen);
        free(text);
    }
}

START_TEST(k19_a_buffer_that_was_read_has_room_again)
{
    try_kernel("print_much", TRIAL_SIZES(1), largest, much);
}
END_TEST

static void too_much(trial *t)
{
    const prints_args args = {.n = 7000};
    char *text = printed(t, &args);
    const char *told = strstr(text, "kernels printed ");
    size_t lines = count_lines(text);
    if (told != NULL)
        lines += strtoul(told + strlen("kernels printed "), NULL, 10) - 1;
    trial_words_equal(t, 0, lines, args.n);
    trial_assert(t, test.properties.kind == ACCEL_DEVICE_CPU ? told == NULL : told != NULL,
                 "a CPU loses lines, or a GPU keeps all: %.100s", told == NULL ? "" : told);
    free(text);
}

START_TEST(k19_lines_without_room_are_counted)
{
    try_kernel("print_much", TRIAL_SIZES(1), largest, too_much);
}
END_TEST

/* What waits for an event instead of the queue. */
static void event_of(trial *t)
{
    const prints_args args = {.n = 100};
    stdout_capture capture;
    accel_event *event = NULL;
    accel_status status = accel_event_create(test.device, NULL, &event);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    capture_begin(t, &capture);
    accel_launch(t->queue, t->kernel, &t->work, &args, sizeof args);
    accel_event_record(event, t->queue);
    accel_event_wait(event);
    char *text = capture_read(&capture);
    accel_queue_wait(t->queue);
    char *later = capture_end(&capture);
    for (size_t i = 0; i < args.n; ++i)
        line(t, text, "element %zu\n", i);
    trial_assert(t, strcmp(text, later) == 0, "printed again: %.500s", later);
    free(text);
    free(later);
    accel_event_release(event);
}

START_TEST(k19_an_event_that_was_waited_for_is_behind_the_lines)
{
    try_kernel("print_in_loop", TRIAL_SIZES(1), largest, event_of);
}
END_TEST

/* A queue that nobody waits for. */
static void released(trial *t)
{
    const prints_args args = {.n = 100};
    stdout_capture capture;
    accel_queue *queue = NULL;
    accel_status status = accel_queue_create(test.device, NULL, &queue);
    trial_assert(t, status == ACCEL_OK, "%s", accel_error_message());
    capture_begin(t, &capture);
    accel_launch(queue, t->kernel, &t->work, &args, sizeof args);
    accel_queue_release(queue);
    for (int i = 0; i < 1000; ++i) {
        char *text = capture_read(&capture);
        const bool there = count_lines(text) == args.n;
        free(text);
        if (there)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    char *text = capture_end(&capture);
    trial_words_equal(t, 0, count_lines(text), args.n);
    free(text);
}

START_TEST(k19_a_queue_that_is_released_prints_its_lines)
{
    try_kernel("print_in_loop", TRIAL_SIZES(1), largest, released);
}
END_TEST

/* A queue whose kernels assert before others print; and a failure between lines. */
static void beside_assertions(trial *t)
{
    const size_t n = trial_threads(t), bytes = n * sizeof(uint32_t);
    const prints_args args = {.n = 100};
    assertions_args asserted = {
        .n = n, .bad = n, .line = trial_memory(t, NULL, bytes), .after = trial_memory(t, NULL, bytes)};
    accel_kernel *asserts = NULL;
    accel_queue *queue = NULL;
    stdout_capture capture;
    trial_assert(t, accel_module_kernel(t->module, "assert_in_nosync", &asserts) == ACCEL_OK, "%s",
                 accel_error_message());
    trial_assert(t, accel_queue_create(test.device, NULL, &queue) == ACCEL_OK, "%s", accel_error_message());
    accel_status status = accel_launch(queue, asserts, &t->work, &asserted, sizeof asserted);
    trial_assert(t, status == ACCEL_OK && accel_queue_wait(queue) == ACCEL_OK, "%s", accel_error_message());
    asserted.bad = 0;
    capture_begin(t, &capture);
    accel_launch(queue, t->kernel, &t->work, &args, sizeof args);
    accel_launch(queue, asserts, &t->work, &asserted, sizeof asserted);
    status = accel_queue_wait(queue);
    char *text = capture_end(&capture);
    trial_assert(t, status == ACCEL_KERNEL_FAULT, "the queue gave %s", accel_status_name(status));
    for (size_t i = 0; i < args.n; ++i)
        line(t, text, "element %zu\n", i);
    trial_words_equal(t, 0, count_lines(text), args.n);
    free(text);
    accel_queue_release(queue);
}

START_TEST(k19_lines_before_a_failed_assertion_are_printed)
{
    try_kernel("print_in_loop", TRIAL_SIZES(1), largest, beside_assertions);
}
END_TEST

void prints_tests(Suite *suite)
{
    add(suite, k19_lines_before_a_failed_assertion_are_printed);
    add(suite, k19_lines_are_whole_and_in_order_within_a_thread);
    add(suite, k19_threads_that_meet_at_barriers_print);
    add(suite, k19_values_are_printed_as_printf_does);
    add(suite, k19_a_buffer_that_was_read_has_room_again);
    add(suite, k19_lines_without_room_are_counted);
    add(suite, k19_an_event_that_was_waited_for_is_behind_the_lines);
    add(suite, k19_a_queue_that_is_released_prints_its_lines);
}

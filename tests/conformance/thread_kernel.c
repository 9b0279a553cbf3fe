/* SPDX-License-Identifier: Apache-2.0 */
/* Thread kernels: barriers anywhere. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <fenv.h>

static const size_t sizes[] = {1, 2, 3, 33, 100, 256, 1024};
enum { SIZES = sizeof sizes / sizeof sizes[0], BLOCKS = 4 };

/* Launches an exchange kernel; returns out, to be freed. The caller gives the input. */
static uint32_t *exchange(const char *name, uint32_t flags, const accel_work *work, const uint32_t *given, size_t count,
                          uint32_t value)
{
    accel_queue *queue = queue_new(test.device, flags);
    accel_buffer *out = words_new(test.device, count, 0), *in = words_new(test.device, count, 0);
    uint32_t *words = malloc(count * sizeof *words);
    exchange_args args = {.out = accel_buffer_ptr(out), .in = accel_buffer_ptr(in), .value = value};
    ok(accel_write(queue, in, given));
    ok(accel_launch(queue, kernel_named(name), work, &args, sizeof args));
    ok(accel_read(queue, words, out));
    ok(accel_queue_wait(queue));
    accel_buffer_release(out);
    accel_buffer_release(in);
    accel_queue_release(queue);
    return words;
}

static uint32_t *numbers(size_t count)
{
    uint32_t *words = malloc(count * sizeof *words);
    for (uint32_t i = 0; i < count; ++i)
        words[i] = i * 3 + 2;
    return words;
}

static bool fits(size_t threads)
{
    return threads <= test.properties.max_block_threads;
}

START_TEST(t1_barriers_in_a_loop_hold_the_whole_block)
{
    for (uint32_t flags = 0; flags < 2; ++flags)
        for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
            size_t n = sizes[s];
            accel_work work = work_of(BLOCKS, n);
            uint32_t *given = numbers(BLOCKS * n), *out = exchange("sync_loop", flags, &work, given, BLOCKS * n, 9);
            for (size_t i = 0; i < BLOCKS * n; ++i)
                ck_assert_uint_eq(out[i], given[i / n * n + (i % n + 9) % n]);
            free(given);
            free(out);
        }
}
END_TEST

START_TEST(t1_barriers_in_called_functions)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        size_t n = sizes[s];
        accel_work work = work_of(BLOCKS, n);
        uint32_t *given = numbers(BLOCKS * n), *out = exchange("sync_in_function", 0, &work, given, BLOCKS * n, 0);
        for (size_t b = 0; b < BLOCKS; ++b) {
            uint32_t first = 0, second = 0;
            for (size_t t = 0; t < n; ++t) {
                first += given[b * n + t];
                second += first;
                ck_assert_uint_eq(out[b * n + t], second);
            }
        }
        free(given);
        free(out);
    }
}
END_TEST

START_TEST(t1_threads_that_returned_are_not_waited_for)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        size_t n = sizes[s];
        accel_work work = work_of(BLOCKS, n);
        uint32_t *given = numbers(BLOCKS * n), *out = exchange("early_return", 0, &work, given, BLOCKS * n, 0);
        for (size_t i = 0; i < BLOCKS * n; ++i)
            ck_assert_uint_eq(out[i], i % n + 1);
        free(given);
        free(out);
    }
}
END_TEST

START_TEST(a_barrier_counts_and_votes)
{
    for (int s = 0; s < SIZES && fits(sizes[s]); ++s) {
        for (uint32_t every = 0; every < 4; ++every) { /* none, all, every second, every third */
            size_t n = sizes[s];
            accel_work work = work_of(BLOCKS, n);
            uint32_t *given = calloc(BLOCKS * n, sizeof *given);
            for (size_t i = 0; every > 0 && i < BLOCKS * n; ++i)
                given[i] = i % n % every == 0 ? (uint32_t)i + 5 : 0;
            uint32_t *out = exchange("sync_votes", 0, &work, given, BLOCKS * n, 0);
            uint32_t count = every == 0 ? 0 : (uint32_t)((n + every - 1) / every);
            for (size_t i = 0; i < BLOCKS * n; ++i)
                ck_assert_uint_eq(out[i], count * 100 + (count == n ? 10u : 0u) + (count > 0 ? 1u : 0u));
            free(given);
            free(out);
        }
    }
}
END_TEST

START_TEST(barriers_of_two_dimensional_blocks)
{
    size_t ones[2] = {1, 1}, threads[2] = {32, 32};
    if (!fits(1024))
        threads[0] = threads[1] = 4;
    size_t n = threads[0];
    accel_work work = accel_work_2d(ones, threads, ones);
    uint32_t *given = numbers(n * n), *out = exchange("transpose", 0, &work, given, n * n, 0);
    for (size_t y = 0; y < n; ++y)
        for (size_t x = 0; x < n; ++x)
            ck_assert_uint_eq(out[y * n + x], given[x * n + y]);
    free(given);
    free(out);
}
END_TEST

START_TEST(t2_fibers_never_migrate_between_threads)
{
    enum { THREADS = 64 };
    size_t count = (size_t)BLOCKS * THREADS;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *out = words_new(test.device, count, 9), *addresses = bytes_new(test.device, count * 8);
    dynamic_args args = {.addresses = accel_buffer_ptr(addresses), .out = accel_buffer_ptr(out)};
    accel_work work = work_of(BLOCKS, THREADS);
    uint64_t *seen = calloc(count, sizeof *seen);
    ok(accel_launch(queue, kernel_named("same_system_thread"), &work, &args, sizeof args));
    ok(accel_read(queue, seen, addresses));
    words_are(queue, out, 0); /* no thread saw its block's memory move */
    for (size_t i = 0; i < count; ++i)
        ck_assert_uint_eq(seen[i], seen[i / THREADS * THREADS]); /* one system thread per block */
    free(seen);
    accel_buffer_release(out);
    accel_buffer_release(addresses);
    accel_queue_release(queue);
}
END_TEST

START_TEST(t2_floating_point_values_survive_barriers)
{
    size_t count = (size_t)BLOCKS * 50;
    accel_work work = work_of(BLOCKS, 50);
    uint32_t *given = numbers(count), *out = exchange("floating", 0, &work, given, count, 0);
    for (size_t i = 0; i < count; ++i) {
        double value = 1.0 + (double)i;
        for (int round = 0; round < 10; ++round)
            value = value * 1.5 - 0.25;
        ck_assert_uint_eq(out[i], (uint32_t)value);
    }
    free(given);
    free(out);
}
END_TEST

static void rounds(int mode, uint32_t expected)
{
    enum { THREADS = 32 };
    uint32_t one = 0x3f800000, results[THREADS] = {0};
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_buffer *in = words_new(test.device, 1, one), *out = words_new(test.device, THREADS, 0);
    exchange_args args = {.out = accel_buffer_ptr(out), .in = accel_buffer_ptr(in), .value = 0x33000000}; /* 2^-25 */
    accel_work work = work_of(1, THREADS);
    accel_kernel *kernel = kernel_named("rounding");
    fesetround(mode);
    accel_status status = accel_launch(queue, kernel, &work, &args, sizeof args);
    int left = fegetround();
    fesetround(FE_TONEAREST);
    ok(status);
    ck_assert_int_eq(left, mode);
    ok(accel_read(queue, results, out));
    for (int i = 0; i < THREADS; ++i)
        ck_assert_uint_eq(results[i], expected);
    accel_buffer_release(in);
    accel_buffer_release(out);
    accel_queue_release(queue);
}

/* Valgrind adds in one mode, whatever was asked for. */
static bool modes_are_kept(void)
{
    volatile float one = 1, little = 0x1p-25f, sum;
    fesetround(FE_UPWARD);
    sum = one + little;
    fesetround(FE_TONEAREST);
    return sum > one;
}

/* One block on a blocking queue runs on the caller. */
START_TEST(t2_fibers_have_the_floating_point_environment_of_their_thread)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("it is about CPUs");
    if (!modes_are_kept())
        not_here("there are no rounding modes, as under valgrind");
    rounds(FE_TONEAREST, 0x3f800000);
    rounds(FE_UPWARD, 0x3f800001);
    rounds(FE_TOWARDZERO, 0x3f800000);
    rounds(FE_UPWARD, 0x3f800001);
}
END_TEST

/* Runs deep_stack in an instance of its own, which reads the environment. */
static accel_status descend(uint32_t depth, uint32_t threads, char *text, size_t text_size)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    ok(accel_module_load(device, "conformance", &module));
    ok_if_supported(accel_module_kernel(module, "deep_stack", &kernel));
    accel_queue *queue = queue_new(device, 0);
    accel_buffer *out = bytes_new(device, threads * 8);
    stack_args args = {.out = accel_buffer_ptr(out), .depth = depth};
    accel_work work = work_of(1, threads);
    accel_status status = accel_launch(queue, kernel, &work, &args, sizeof args);
    if (status == ACCEL_OK)
        status = accel_queue_wait(queue);
    strncpy(text, accel_error_message(), text_size - 1);
    text[text_size - 1] = '\0';
    if (status == ACCEL_OK) {
        uint64_t *values = calloc(threads, sizeof *values), expected = 1;
        for (uint32_t d = 1; d <= depth; ++d)
            expected += d + d % 24;
        ok(accel_read(queue, values, out));
        ok(accel_queue_wait(queue));
        for (uint32_t i = 0; i < threads; ++i)
            ck_assert_uint_eq(values[i], expected);
        free(values);
    }
    accel_buffer_release(out);
    accel_queue_release(queue);
    accel_module_release(module);
    accel_instance_release(instance);
    return status;
}

START_TEST(t3_the_stack_per_thread_is_configurable)
{
    char text[1024];
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("fibers are of CPUs");
    setenv("ACCEL_CPU_STACK_SIZE", "1048576", 1);
    accel_status status = descend(1500, 8, text, sizeof text); /* far more than the default holds */
    unsetenv("ACCEL_CPU_STACK_SIZE");
    ck_assert_msg(status == ACCEL_OK, "%s", text);
}
END_TEST

START_TEST(t3_an_overflow_is_detected_in_check_mode)
{
    char text[1024];
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("fibers are of CPUs");
    setenv("ACCEL_CHECK", "1", 1);
    setenv("ACCEL_CPU_STACK_SIZE", "8192", 1);
    accel_status shallow = descend(3, 2, text, sizeof text);
    accel_status deep = descend(40, 2, text, sizeof text);
    unsetenv("ACCEL_CHECK");
    unsetenv("ACCEL_CPU_STACK_SIZE");
    ck_assert_uint_eq(shallow, ACCEL_OK);
    ck_assert_msg(deep == ACCEL_KERNEL_FAULT, "%s: %s", accel_status_name(deep), text);
    ck_assert_ptr_nonnull(strstr(text, "deep_stack"));
    ck_assert_ptr_nonnull(strstr(text, "ACCEL_CPU_STACK_SIZE"));
}
END_TEST

START_TEST(t3_an_overflow_is_an_error_that_names_the_kernel)
{
    char text[1024];
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("fibers are of CPUs");
    for (uint32_t threads = 2; threads <= 256; threads *= 8) {
        accel_status deep = descend(1000000, threads, text, sizeof text);
        ck_assert_msg(deep == ACCEL_KERNEL_FAULT, "%s: %s", accel_status_name(deep), text);
        ck_assert_ptr_nonnull(strstr(text, "deep_stack"));
        ck_assert_ptr_nonnull(strstr(text, "ACCEL_CPU_STACK_SIZE"));
        ck_assert_uint_eq(descend(3, threads, text, sizeof text), ACCEL_OK);
    }
}
END_TEST

START_TEST(for_each_in_a_thread_kernel_visits_every_element_once)
{
    static const size_t counts[] = {0, 1, 100, 5003};
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t c = 0; c < 4; ++c) {
        accel_buffer *buffer = words_new(test.device, counts[c], 0);
        words_args args = {.words = accel_buffer_ptr(buffer), .n = counts[c]};
        accel_work work = work_of(3, 40);
        ok(accel_launch(queue, kernel_named("each_fiber"), &work, &args, sizeof args));
        words_are(queue, buffer, 1);
        accel_buffer_release(buffer);
    }
    accel_queue_release(queue);
}
END_TEST

Suite *thread_kernel_suite(void)
{
    Suite *suite = suite_create("thread kernel");
    add(suite, t1_barriers_in_a_loop_hold_the_whole_block);
    add(suite, t1_barriers_in_called_functions);
    add(suite, t1_threads_that_returned_are_not_waited_for);
    add(suite, a_barrier_counts_and_votes);
    add(suite, barriers_of_two_dimensional_blocks);
    add(suite, t2_fibers_never_migrate_between_threads);
    add(suite, t2_floating_point_values_survive_barriers);
    add(suite, t2_fibers_have_the_floating_point_environment_of_their_thread);
    add(suite, t3_the_stack_per_thread_is_configurable);
    add(suite, t3_an_overflow_is_detected_in_check_mode);
    add(suite, t3_an_overflow_is_an_error_that_names_the_kernel);
    add(suite, for_each_in_a_thread_kernel_visits_every_element_once);
    return suite;
}

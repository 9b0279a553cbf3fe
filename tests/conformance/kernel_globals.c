/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the device: initial values, what the host writes, what kernels leave from launch to launch. */
#include "../kernels/globals.h"
#include "trial.h"

static accel_buffer *global(trial *t, const char *name, size_t bytes)
{
    accel_buffer *buffer = NULL;
    ok(accel_module_global(t->module, name, &buffer));
    trial_assert(t, buffer_info(buffer).extent[0] == bytes, "%s has %zu bytes, not %zu", name,
                 buffer_info(buffer).extent[0], bytes);
    return buffer;
}

static const double initial[GLOBALS_TABLE] = {1.5, 2.5, 3.5};
enum { OUT = GLOBALS_TABLE + GLOBALS_WEIGHTS + 2 };

static void initial_values_and_changes(trial *t)
{
    double out[OUT], table[GLOBALS_TABLE];
    float weights[GLOBALS_WEIGHTS] = {0};
    uint32_t word = 7;
    globals_args args = {.out = trial_memory(t, NULL, sizeof out)};
    accel_buffer *constants = global(t, "weights", sizeof weights), *doubles = global(t, "table", sizeof table);
    accel_buffer *number = global(t, "environ", sizeof word);
    for (int round = 0; round < 3; ++round) {
        trial_launch(t, &args, sizeof args);
        trial_read(t, args.out, out, sizeof out);
        for (size_t k = 0; k < GLOBALS_TABLE; ++k) /* doubled by each launch */
            trial_doubles_equal(t, k, out[k], initial[k] * (double)(1 << round));
        for (size_t k = 0; k < GLOBALS_WEIGHTS; ++k)
            trial_doubles_equal(t, GLOBALS_TABLE + k, out[GLOBALS_TABLE + k], (double)weights[k]);
        trial_doubles_equal(t, OUT - 2, out[OUT - 2], (double)word);
        trial_doubles_equal(t, OUT - 1, out[OUT - 1], 0.0);
        for (size_t k = 0; k < GLOBALS_WEIGHTS; ++k) /* the host writes between launches */
            weights[k] = (float)((size_t)round * 10 + k) + 0.5f;
        word += 100;
        ok(accel_write(t->queue, constants, weights));
        ok(accel_write(t->queue, number, &word));
    }
    ok(accel_read(t->queue, table, doubles));
    ok(accel_queue_wait(t->queue));
    for (size_t k = 0; k < GLOBALS_TABLE; ++k)
        trial_doubles_equal(t, k, table[k], initial[k] * 8);
    /* The module may be the next trial's, too: a CPU has one per process. */
    word = 7;
    memset(weights, 0, sizeof weights);
    ok(accel_write(t->queue, constants, weights));
    ok(accel_write(t->queue, number, &word));
    ok(accel_write(t->queue, doubles, initial));
    ok(accel_queue_wait(t->queue));
    accel_buffer_release(constants);
    accel_buffer_release(doubles);
    accel_buffer_release(number);
}

/* What `launches` launches without arguments leave in `calls`. */
static void check_calls(trial *t, int launches, uint64_t each)
{
    const uint64_t none = 0;
    uint64_t calls = 1;
    accel_buffer *buffer = global(t, "calls", sizeof calls);
    ok(accel_write(t->queue, buffer, &none));
    for (int i = 0; i < launches; ++i)
        trial_launch(t, NULL, 0);
    ok(accel_read(t->queue, &calls, buffer));
    ok(accel_write(t->queue, buffer, &none));
    ok(accel_queue_wait(t->queue));
    trial_words_equal(t, 0, calls, each * (uint64_t)launches);
    accel_buffer_release(buffer);
}

static void one_call_per_launch(trial *t)
{
    check_calls(t, 5, 1);
}

static void one_call_per_thread(trial *t)
{
    check_calls(t, 3, trial_threads(t));
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}},
                                     {.dims = 1, .blocks = {1}, .threads = {33}, .elems = {1}},
                                     {.dims = 2, .blocks = {1, 1}, .threads = {3, 5}, .elems = {1, 1}},
                                     {.dims = 3, .blocks = {1, 1, 1}, .threads = {2, 2, 4}, .elems = {1, 2, 1}}};
static const trial_shapes one_block = {sizeof shapes / sizeof shapes[0], shapes};

START_TEST(device_variables_have_initial_values_and_keep_what_kernels_and_host_write)
{
    try_kernel("globals", TRIAL_SIZES(1), one_block, initial_values_and_changes);
}
END_TEST

START_TEST(k4_launches_without_arguments_change_device_variables)
{
    try_kernel("count_call", TRIAL_SIZES(1), one_block, one_call_per_launch);
}
END_TEST

START_TEST(k4_every_thread_of_a_launch_without_arguments_counts)
{
    try_kernel("count_threads", TRIAL_SIZES(1), trial_any_shape, one_call_per_thread);
}
END_TEST

void globals_tests(Suite *suite)
{
    add(suite, device_variables_have_initial_values_and_keep_what_kernels_and_host_write);
    add(suite, k4_launches_without_arguments_change_device_variables);
    add(suite, k4_every_thread_of_a_launch_without_arguments_counts);
}

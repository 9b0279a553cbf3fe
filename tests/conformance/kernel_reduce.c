/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of integers by trees in shared memory: exact in any order. */
#include "../kernels/reduce.h"
#include "trial.h"

static void check(trial *t)
{
    const size_t blocks = trial_blocks(t);
    double *x = host_memory(t->n * sizeof *x), *part = host_memory(blocks * sizeof *part), sum = 0, expected = 0;
    for (size_t i = 0; i < t->n; ++i)
        expected += x[i] = (double)(i * 31 % 1009) - 400;
    for (size_t b = 0; b < blocks; ++b)
        part[b] = 1e12; /* every block writes its own */
    reduce_args args = {
        .n = t->n, .x = trial_memory(t, x, t->n * sizeof *x), .sum = trial_memory(t, part, blocks * sizeof *part)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sum, part, blocks * sizeof *part);
    for (size_t b = 0; b < blocks; ++b)
        sum += part[b];
    trial_doubles_equal(t, 0, sum, expected);
    free(x);
    free(part);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {REDUCE_THREADS}, .elems = {1}},
                                     {.dims = 1, .blocks = {3}, .threads = {REDUCE_THREADS}, .elems = {1}},
                                     {.dims = 1, .blocks = {40}, .threads = {REDUCE_THREADS}, .elems = {8}}};
static const trial_shapes blocks_of_256 = {sizeof shapes / sizeof shapes[0], shapes};
#define SIZES TRIAL_SIZES(0, 1, 255, 256, 257, 5003, 100003)

START_TEST(b4_sums_of_blocks_by_regions_and_private_values)
{
    try_kernel("reduce_block", SIZES, blocks_of_256, check);
}
END_TEST

START_TEST(t1_sums_of_blocks_by_barriers)
{
    try_kernel("reduce_thread", SIZES, blocks_of_256, check);
}
END_TEST

START_TEST(t1_sums_of_blocks_by_barriers_in_a_called_function)
{
    try_kernel("reduce_called", SIZES, blocks_of_256, check);
}
END_TEST

void reduce_tests(Suite *suite)
{
    add(suite, b4_sums_of_blocks_by_regions_and_private_values);
    add(suite, t1_sums_of_blocks_by_barriers);
    add(suite, t1_sums_of_blocks_by_barriers_in_a_called_function);
}

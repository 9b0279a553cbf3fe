/* SPDX-License-Identifier: Apache-2.0 */
/* y += a x in every form of kernel. The values are integers, so that fused operations change nothing. */
#include "../kernels/axpy.h"
#include "trial.h"

/* The first `reached` elements are updated once, the others stay. */
static void check(trial *t, size_t reached)
{
    const size_t bytes = t->n * sizeof(double);
    double *x = host_memory(bytes), *y = host_memory(bytes), *result = host_memory(bytes);
    for (size_t i = 0; i < t->n; ++i) {
        x[i] = (double)(i % 1000) - 300;
        y[i] = (double)i;
    }
    axpy_args args = {.a = 3, .n = t->n, .x = trial_memory(t, x, bytes), .y = trial_memory(t, y, bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.y, result, bytes);
    for (size_t i = 0; i < t->n; ++i)
        trial_doubles_equal(t, i, result[i], i < reached ? y[i] + 3 * x[i] : y[i]);
    free(x);
    free(y);
    free(result);
}

static void all_elements(trial *t)
{
    check(t, t->n);
}

static void one_element_per_thread(trial *t)
{
    check(t, trial_threads(t));
}

static void elements_of_the_work_division(trial *t)
{
    check(t, trial_threads(t) * t->work.elems[0]);
}

START_TEST(b3_axpy_in_a_block_kernel_is_complete)
{
    try_kernel("axpy", TRIAL_ANY_SIZE, trial_any_shape, all_elements);
    try_kernel("axpy_32", TRIAL_ANY_SIZE, trial_any_shape, all_elements);
}
END_TEST

START_TEST(b3_threads_of_a_thread_kernel_share_the_elements)
{
    try_kernel("axpy_shares", TRIAL_ANY_SIZE, trial_any_shape, all_elements);
}
END_TEST

START_TEST(one_element_per_thread_reaches_as_many_as_there_are_threads)
{
    try_kernel("axpy_threads", TRIAL_ANY_SIZE, trial_line_shapes, one_element_per_thread);
}
END_TEST

START_TEST(k5_kernels_know_how_many_elements_a_thread_has)
{
    try_kernel("axpy_elements", TRIAL_ANY_SIZE, trial_line_shapes, elements_of_the_work_division);
}
END_TEST

void axpy_tests(Suite *suite)
{
    add(suite, b3_axpy_in_a_block_kernel_is_complete);
    add(suite, b3_threads_of_a_thread_kernel_share_the_elements);
    add(suite, one_element_per_thread_reaches_as_many_as_there_are_threads);
    add(suite, k5_kernels_know_how_many_elements_a_thread_has);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Products of square matrices of small integers: exact, in any order and with fused operations. */
#include "../kernels/dgemm.h"
#include "trial.h"

static void check(trial *t)
{
    const size_t n = t->n, count = n * n, bytes = count * sizeof(double);
    double *a = host_memory(bytes), *b = host_memory(bytes), *c = host_memory(bytes);
    for (size_t i = 0; i < count; ++i) {
        a[i] = (double)(i * 7 % 13) - 6;
        b[i] = (double)(i * 5 % 11) - 5;
        c[i] = 1e9;
    }
    const size_t tiles[2] = {n / DGEMM_TILE, n / DGEMM_TILE}, tile[2] = {DGEMM_TILE, DGEMM_TILE}, ones[2] = {1, 1};
    t->work = accel_work_2d(tiles, tile, ones);
    dgemm_args args = {
        .n = n, .a = trial_memory(t, a, bytes), .b = trial_memory(t, b, bytes), .c = trial_memory(t, c, bytes)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.c, c, bytes);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (size_t k = 0; k < n; ++k)
                sum += a[i * n + k] * b[k * n + j];
            trial_doubles_equal(t, i * n + j, c[i * n + j], sum);
        }
    free(a);
    free(b);
    free(c);
}

/* The matrices give the grid. */
static const trial_shape tile = {.dims = 2, .blocks = {1, 1}, .threads = {DGEMM_TILE, DGEMM_TILE}, .elems = {1, 1}};
static const trial_shapes tiles = {1, &tile};

START_TEST(b4_matrix_products_by_tiles_in_shared_memory)
{
    try_kernel("dgemm_block", TRIAL_SIZES(0, 16, 48, 112), tiles, check);
    try_kernel("dgemm_fixed", TRIAL_SIZES(0, 16, 48, 112), tiles, check);
}
END_TEST

START_TEST(t1_matrix_products_by_tiles_in_shared_memory)
{
    try_kernel("dgemm_thread", TRIAL_SIZES(0, 16, 48, 112), tiles, check);
}
END_TEST

START_TEST(a_thread_kernel_may_have_fixed_extents)
{
    try_kernel("dgemm_thread_fixed", TRIAL_SIZES(0, 16, 48, 112), tiles, check);
}
END_TEST

void dgemm_tests(Suite *suite)
{
    add(suite, b4_matrix_products_by_tiles_in_shared_memory);
    add(suite, t1_matrix_products_by_tiles_in_shared_memory);
    add(suite, a_thread_kernel_may_have_fixed_extents);
}

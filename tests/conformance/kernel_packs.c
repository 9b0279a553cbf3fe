/* SPDX-License-Identifier: Apache-2.0 */
/* Packs: arithmetic, loads and stores at any alignment, sums. */
#include "../kernels/packs.h"
#include "trial.h"

/* All values are small and whole or quarters of that: every result is exact. */
static void arithmetic(trial *t)
{
    double *d = host_memory((t->n + 1) * sizeof *d), sums[3] = {0, 0, 0}, expected[2] = {0, 0};
    float *f = host_memory((t->n + 1) * sizeof *f);
    for (size_t i = 0; i < t->n; ++i) {
        d[i + 1] = (double)(i % 101) * 4 - 100;
        f[i + 1] = (float)(i % 37) - 20;
        expected[0] += d[i + 1];
        expected[1] += (double)f[i + 1];
    }
    d[0] = 7;
    f[0] = 9;
    double *on_d = trial_memory(t, d, (t->n + 1) * sizeof *d);
    float *on_f = trial_memory(t, f, (t->n + 1) * sizeof *f);
    packs_args args = {.n = t->n, .d = on_d + 1, .f = on_f + 1, .sums = trial_memory(t, NULL, sizeof sums)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.sums, sums, sizeof sums);
    trial_doubles_equal(t, 0, sums[0], expected[0]);
    trial_doubles_equal(t, 1, sums[1], expected[1]);
    if (test.properties.kind == ACCEL_DEVICE_GPU) /* whose threads hold single numbers */
        trial_doubles_equal(t, 2, sums[2], 1.0);
    else
        ck_assert(sums[2] > 1);
    trial_read(t, on_d, d, (t->n + 1) * sizeof *d);
    trial_read(t, on_f, f, (t->n + 1) * sizeof *f);
    trial_doubles_equal(t, 0, d[0], 7.0);
    trial_doubles_equal(t, 0, (double)f[0], 9.0);
    for (size_t i = 0; i < t->n; ++i) {
        const double was_d = (double)(i % 101) * 4 - 100, was_f = (double)(i % 37) - 20;
        trial_doubles_equal(t, i, d[i + 1], 2 * was_d + 1 - was_d / 4);
        trial_doubles_equal(t, i, (double)f[i + 1], was_f * was_f - 3);
    }
    free(d);
    free(f);
}

START_TEST(packs_are_loaded_stored_and_added_up)
{
    try_kernel("packs", TRIAL_ANY_SIZE, trial_any_shape, arithmetic);
}
END_TEST

void packs_tests(Suite *suite)
{
    add(suite, packs_are_loaded_stored_and_added_up);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks sort numbers, up and down, and nothing: n may be 0. */
#include "../kernels/block_sorts.h"
#include "trial.h"

#include <math.h>

/* By insertion: equal ones, such as 0 and -0, keep their order. */
#define DEFINE_SORT(name, T, before)                                                                                   \
    static void name(T *a, size_t n)                                                                                   \
    {                                                                                                                  \
        for (size_t i = 1; i < n; ++i) {                                                                               \
            const T x = a[i];                                                                                          \
            size_t k = i;                                                                                              \
            for (; k > 0 && x before a[k - 1]; --k)                                                                    \
                a[k] = a[k - 1];                                                                                       \
            a[k] = x;                                                                                                  \
        }                                                                                                              \
    }
DEFINE_SORT(sort_up, double, <)
DEFINE_SORT(sort_down, uint16_t, >)

static void check(trial *t)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 5e-324, -1.5};
    const size_t n = t->n, blocks = trial_blocks(t), all = blocks * n, results = blocks * (n + 1);
    double *x = host_memory(all * sizeof *x), *up = host_memory(results * sizeof *up);
    uint16_t *k = host_memory(all * sizeof *k), *down = host_memory(results * sizeof *down);
    uint32_t random = 4711;
    for (size_t i = 0; i < all; ++i) {
        random = random * 1664525u + 1013904223u;
        x[i] = i % 3 == 0 ? special[(random >> 16) % 6] : (double)(int32_t)random / 3;
        k[i] = (uint16_t)(i % 2 == 0 ? random >> 16 : random >> 30);
    }
    const block_sorts_args args = {.n = n,
                                   .x = trial_memory(t, x, all * sizeof *x),
                                   .k = trial_memory(t, k, all * sizeof *k),
                                   .up = trial_memory(t, NULL, results * sizeof *up),
                                   .down = trial_memory(t, NULL, results * sizeof *down)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.up, up, results * sizeof *up);
    trial_read(t, args.down, down, results * sizeof *down);
    for (size_t b = 0; b < blocks; ++b) {
        const double *found = up + b * (n + 1);
        sort_up(x + b * n, n);
        sort_down(k + b * n, n);
        for (size_t i = 0; i < n; ++i) {
            trial_doubles_equal(t, i, found[i], x[b * n + i]);
            trial_words_equal(t, i, signbit(found[i]) != 0, signbit(x[b * n + i]) != 0);
            trial_words_equal(t, i, down[b * (n + 1) + i], k[b * n + i]);
        }
        trial_doubles_equal(t, n, found[n], (double)BLOCK_SORTS_BEHIND);
        trial_words_equal(t, n, down[b * (n + 1) + n], BLOCK_SORTS_BEHIND);
    }
    free(x);
    free(k);
    free(up);
    free(down);
}

#define SIZES TRIAL_SIZES(0, 1, 2, 33, BLOCK_SORTS_TILE - 1)

START_TEST(b6_block_kernels_sort_numbers_up_and_down)
{
    try_kernel("block_sorts_block_form", SIZES, trial_line_shapes, check);
}
END_TEST

START_TEST(b6_thread_kernels_sort_numbers_up_and_down)
{
    try_kernel("block_sorts_thread_form", SIZES, trial_line_shapes, check);
}
END_TEST

void block_sorts_tests(Suite *suite)
{
    add(suite, b6_block_kernels_sort_numbers_up_and_down);
    add(suite, b6_thread_kernels_sort_numbers_up_and_down);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of planes by every reducer have the bits of the same elements in one dimension. kernel_reductions.c has more
 * extents. */
#include "reduction.h"
#include "trial.h"

#include <accel/pattern.h>

enum { MOST = 300 * 68, LARGEST = 256 };

static const reduction *current;

/* Rows that are shorter and longer than a vector's elements times the lanes. */
static void check(trial *t)
{
    static const size_t extents[][2] = {{300, 33}, {120, 159}};
    const accel_buffer_desc desc = accel_buffer_1d(current->size, 1);
    accel_buffer *result = buffer_new(test.device, &desc);
    double *x = host_memory(MOST * sizeof *x);
    unsigned char found[LARGEST], expected[LARGEST];
    uint32_t random = 5;
    for (size_t i = 0; i < MOST; ++i) {
        random = random * 1664525u + 1013904223u;
        x[i] = (double)(int32_t)random * (1.0 / (1 << random % 16));
    }
    const reductions_args here = {.x = x, .y = x};
    reductions_args there = {.x = trial_memory(t, x, MOST * sizeof *x)};
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; ++e) {
        there.nj = extents[e][1];
        ok(accel_reduce(t->queue, t->kernel, 2, extents[e], &there, sizeof there, result));
        ok(accel_read(t->queue, found, result));
        ok(accel_queue_wait(t->queue));
        reduction_of(current, &here, extents[e][0] * extents[e][1], expected);
        trial_assert(t, memcmp(found, expected, current->size) == 0, "%zu rows of %zu elements: other bits",
                     extents[e][0], extents[e][1]);
    }
    free(x);
    accel_buffer_release(result);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {128}, .elems = {1}}};
static const trial_shapes one_shape = {1, shapes};

START_TEST(p4_every_reducer_reduces_planes)
{
    for (size_t r = 0; r < reduction_of_planes_count; ++r) {
        current = &reductions_of_planes[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check);
    }
}
END_TEST

void planes_tests(Suite *suite)
{
    add(suite, p4_every_reducer_reduces_planes);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges: every index from begin to end once, in tiles of any size, and what accel_range_divide refuses. */
#include "../kernels/ranges.h"
#include "trial.h"

/* extent, begin, end, tile. 0 dimensions are filled with 1, 0, 1, 0. */
static const struct {
    size_t extent[6], begin[6], end[6], tile[6];
} boxes[] = {
    {{9, 8, 7, 6, 5, 4}, {0, 0, 0, 0, 0, 0}, {9, 8, 7, 6, 5, 4}, {0, 0, 0, 0, 0, 0}},
    {{9, 8, 7, 6, 5, 4}, {1, 2, 3, 1, 2, 1}, {8, 7, 7, 5, 4, 3}, {3, 2, 5, 1, 2, 1}},
    {{5, 4, 3, 3, 2, 70}, {0, 1, 0, 2, 1, 3}, {5, 3, 3, 3, 2, 69}, {0, 7, 1, 0, 0, 16}},
    {{4, 3, 2, 3, 5, 2},
     {2, 1, 1, 1, 2, 0},
     {4, 3, 1, 3, 5, 2},
     {1, 1, 1, 1, 1, 1}}, /* empty from three dimensions on */
    {{300, 1, 2, 1, 1, 3}, {17, 0, 0, 0, 0, 0}, {299, 1, 2, 1, 1, 3}, {0, 1, 0, 1, 0, 0}},
};
#define ALL_BOXES TRIAL_SIZES(0, 1, 2, 3, 4)

static uint32_t order = ACCEL_RANGE_DEVICE; /* of the ranges; the kernel's name tells that of its loop */

static accel_range range_of(size_t box, uint32_t dims)
{
    accel_range range = ACCEL_RANGE_INIT;
    range.dims = dims;
    range.order = order;
    for (uint32_t d = 0; d < dims; ++d) {
        range.begin[d] = boxes[box].begin[d];
        range.end[d] = boxes[box].end[d];
        range.tile[d] = boxes[box].tile[d];
    }
    return range;
}

/* Tiles and work division: divided tiles and the trial's work, both the device's, or tiles as they were given. */
typedef enum visit_as { DIVIDED, OWN, GIVEN } visit_as;

static void visit(trial *t, uint32_t dims, visit_as as)
{
    const size_t *extent = boxes[t->n].extent;
    ranges_args args = {.range = range_of(t->n, dims)};
    accel_work work = ACCEL_WORK_INIT;
    size_t total = 1;
    ok(accel_range_divide(t->kernel, &args.range, NULL, &work));
    for (uint32_t d = 0; d < dims; ++d) {
        total *= args.extent[d] = extent[d];
        ck_assert_uint_ge(args.range.tile[d], 1);
        const size_t wished = boxes[t->n].tile[d], length = args.range.end[d] - args.range.begin[d];
        if (wished != 0 && wished <= length)
            ck_assert_uint_eq(args.range.tile[d], wished);
    }
    if (as == OWN)
        t->work = work;
    if (as == GIVEN)
        args.range = range_of(t->n, dims);
    uint32_t *count = host_memory(total * sizeof *count), *twice = host_memory(total * sizeof *twice), outside;
    args.count = trial_memory(t, NULL, total * sizeof *count);
    args.twice = trial_memory(t, NULL, total * sizeof *twice);
    args.outside = trial_memory(t, NULL, sizeof outside);
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, count, total * sizeof *count);
    trial_read(t, args.twice, twice, total * sizeof *twice);
    trial_read(t, args.outside, &outside, sizeof outside);
    trial_words_equal(t, 0, outside, 0);
    for (size_t i = 0; i < total; ++i) {
        size_t rest = i;
        bool inside = true;
        for (uint32_t d = dims; d-- > 0; rest /= extent[d]) {
            const size_t at = rest % extent[d];
            inside = inside && at >= args.range.begin[d] && at < args.range.end[d];
        }
        trial_words_equal(t, i, count[i], inside);
        trial_words_equal(t, i, twice[i], inside ? 2 : 0);
    }
    free(count);
    free(twice);
}

#define DEFINE_OWN(dims)                                                                                               \
    static void visit_own_##dims(trial *t)                                                                             \
    {                                                                                                                  \
        visit(t, dims, OWN);                                                                                           \
    }
#define DEFINE_VISITS(dims)                                                                                            \
    DEFINE_OWN(dims)                                                                                                   \
    static void visit_##dims(trial *t)                                                                                 \
    {                                                                                                                  \
        visit(t, dims, DIVIDED);                                                                                       \
    }
#define DEFINE_GIVEN(dims)                                                                                             \
    static void visit_given_##dims(trial *t)                                                                           \
    {                                                                                                                  \
        visit(t, dims, GIVEN);                                                                                         \
    }
DEFINE_OWN(1)
DEFINE_OWN(2)
DEFINE_VISITS(3)
DEFINE_VISITS(4)
DEFINE_VISITS(5)
DEFINE_VISITS(6)
DEFINE_GIVEN(3)
DEFINE_GIVEN(4)
DEFINE_GIVEN(5)
DEFINE_GIVEN(6)

/* The division's own work stands in for the shape. */
static const trial_shapes once = {1, &(const trial_shape){1, {1}, {1}, {1}}};

START_TEST(k15_ranges_visit_each_index_once)
{
    try_kernel("ranges_3d", TRIAL_SIZES(1, 2), trial_any_shape, visit_3);
    try_kernel("ranges_6d", TRIAL_SIZES(1), trial_line_shapes, visit_6);
    try_kernel("ranges_threads", TRIAL_SIZES(1), trial_line_shapes, visit_3);
}
END_TEST

START_TEST(k15_the_devices_division_of_a_range_visits_all_of_it)
{
    try_kernel("ranges_1d", ALL_BOXES, once, visit_own_1);
    try_kernel("ranges_2d", ALL_BOXES, once, visit_own_2);
    try_kernel("ranges_3d", ALL_BOXES, once, visit_own_3);
    try_kernel("ranges_4d", ALL_BOXES, once, visit_own_4);
    try_kernel("ranges_5d", ALL_BOXES, once, visit_own_5);
    try_kernel("ranges_6d", ALL_BOXES, once, visit_own_6);
    try_kernel("ranges_threads", ALL_BOXES, once, visit_own_3);
}
END_TEST

START_TEST(k15_a_tile_of_0_is_the_whole_extent_in_a_kernel)
{
    try_kernel("ranges_3d", ALL_BOXES, trial_line_shapes, visit_given_3);
}
END_TEST

START_TEST(k15_ranges_of_the_order_left_visit_each_index_once)
{
    order = ACCEL_RANGE_LEFT;
    try_kernel("ranges_left_3d", TRIAL_SIZES(1, 2), trial_any_shape, visit_3);
    try_kernel("ranges_left_6d", TRIAL_SIZES(1), trial_line_shapes, visit_6);
    try_kernel("ranges_left_2d", ALL_BOXES, once, visit_own_2);
    try_kernel("ranges_left_3d", ALL_BOXES, once, visit_own_3);
    try_kernel("ranges_left_4d", ALL_BOXES, once, visit_own_4);
    try_kernel("ranges_left_5d", ALL_BOXES, once, visit_own_5);
    try_kernel("ranges_left_6d", ALL_BOXES, once, visit_own_6);
    order = ACCEL_RANGE_DEVICE;
}
END_TEST

START_TEST(k15_a_loop_of_another_order_than_the_range_visits_each_index_once)
{
    order = ACCEL_RANGE_LEFT;
    try_kernel("ranges_3d", TRIAL_SIZES(1, 2), trial_any_shape, visit_3);
    try_kernel("ranges_2d", ALL_BOXES, once, visit_own_2);
    try_kernel("ranges_6d", ALL_BOXES, once, visit_own_6);
    order = ACCEL_RANGE_RIGHT;
    try_kernel("ranges_left_3d", TRIAL_SIZES(1, 2), trial_any_shape, visit_3);
    try_kernel("ranges_left_2d", ALL_BOXES, once, visit_own_2);
    try_kernel("ranges_left_6d", ALL_BOXES, once, visit_own_6);
    order = ACCEL_RANGE_DEVICE;
}
END_TEST

/* Many threads of many blocks, the device's division, and tiles as they were given. */
START_TEST(k15_thread_kernels_visit_each_index_once_in_the_order_left)
{
    order = ACCEL_RANGE_LEFT;
    try_kernel("ranges_threads_left_4d", TRIAL_SIZES(1, 2), trial_any_shape, visit_4);
    try_kernel("ranges_threads_left_5d", TRIAL_SIZES(1), trial_line_shapes, visit_5);
    try_kernel("ranges_threads_left_6d", TRIAL_SIZES(1), trial_line_shapes, visit_6);
    try_kernel("ranges_threads_left_4d", ALL_BOXES, once, visit_own_4);
    try_kernel("ranges_threads_left_5d", ALL_BOXES, once, visit_own_5);
    try_kernel("ranges_threads_left_6d", ALL_BOXES, once, visit_own_6);
    try_kernel("ranges_threads_left_4d", TRIAL_SIZES(0, 2, 4), trial_line_shapes, visit_given_4);
    try_kernel("ranges_threads_left_5d", TRIAL_SIZES(2), trial_line_shapes, visit_given_5);
    try_kernel("ranges_threads_left_6d", TRIAL_SIZES(2), trial_line_shapes, visit_given_6);
    order = ACCEL_RANGE_DEVICE;
}
END_TEST

/* One block visits tiles of 2 x 3 x 2, and inside them elements, in the order that the kernel names. */
static void follow(trial *t, bool left)
{
    enum { NI = 4, NJ = 6, NK = 6, ALL = NI * NJ * NK };
    static const size_t extent[3] = {NI, NJ, NK}, tile[3] = {2, 3, 2};
    ranges_args args = {.range = ACCEL_RANGE_INIT};
    uint32_t count[ALL];
    args.range.dims = 3;
    for (int d = 0; d < 3; ++d) {
        args.range.end[d] = args.extent[d] = extent[d];
        args.range.tile[d] = tile[d];
    }
    args.count = trial_memory(t, NULL, sizeof count);
    args.visits = trial_memory(t, NULL, sizeof *args.visits);
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, count, sizeof count);
    for (size_t i = 0; i < ALL; ++i) {
        const size_t at[3] = {i / (NJ * NK), i / NK % NJ, i % NK};
        size_t tiles = 0, elements = 0;
        for (int k = 0; k < 3; ++k) {
            const int d = left ? 2 - k : k; /* the slowest first */
            tiles = tiles * (extent[d] / tile[d]) + at[d] / tile[d];
            elements = elements * tile[d] + at[d] % tile[d];
        }
        trial_words_equal(t, i, count[i], tiles * (2 * 3 * 2) + elements);
    }
}

static void follow_left(trial *t)
{
    follow(t, true);
}

static void follow_right(trial *t)
{
    follow(t, false);
}

/* On GPUs threads visit a tile side by side. */
START_TEST(k15_ranges_are_visited_in_the_order_they_name)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        return;
    try_kernel("ranges_sequence_left", TRIAL_SIZES(0), once, follow_left);
    try_kernel("ranges_sequence_right", TRIAL_SIZES(0), once, follow_right);
}
END_TEST

static void cut(trial *t)
{
    accel_range range = ACCEL_RANGE_INIT;
    accel_work work = ACCEL_WORK_INIT;
    range.dims = 3;
    range.end[0] = range.end[1] = range.end[2] = 1000;
    ok(accel_range_divide(t->kernel, &range, NULL, &work));
    ck_assert_uint_eq(range.order, ACCEL_RANGE_RIGHT);
    ck_assert_uint_gt(range.tile[2], 1);
    ck_assert_uint_eq(range.tile[0], 1);
    range.tile[0] = range.tile[1] = range.tile[2] = 0;
    range.order = ACCEL_RANGE_LEFT;
    ok(accel_range_divide(t->kernel, &range, NULL, &work));
    ck_assert_uint_eq(range.order, ACCEL_RANGE_LEFT);
    ck_assert_uint_gt(range.tile[0], 1);
    ck_assert_uint_eq(range.tile[2], 1);
}

START_TEST(k15_tiles_are_long_in_the_fastest_dimension)
{
    try_kernel("ranges_left_3d", TRIAL_SIZES(0), once, cut);
}
END_TEST

/* A kernel for two dimensions that is given three leaves everything as it is. */
static void other_dims(trial *t)
{
    ranges_args args = {.range = range_of(t->n, 3)};
    accel_work work = ACCEL_WORK_INIT;
    uint32_t count[4] = {0}, expected[4] = {0};
    ok(accel_range_divide(t->kernel, &args.range, NULL, &work));
    args.count = args.twice = args.outside = trial_memory(t, NULL, sizeof count);
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, count, sizeof count);
    ck_assert_mem_eq(count, expected, sizeof count);
}

START_TEST(a_range_of_other_dimensions_has_no_elements)
{
    try_kernel("ranges_2d", TRIAL_SIZES(0, 1), trial_line_shapes, other_dims);
}
END_TEST

void ranges_tests(Suite *suite)
{
    add(suite, k15_ranges_visit_each_index_once);
    add(suite, k15_the_devices_division_of_a_range_visits_all_of_it);
    add(suite, k15_ranges_of_the_order_left_visit_each_index_once);
    add(suite, k15_a_loop_of_another_order_than_the_range_visits_each_index_once);
    add(suite, k15_thread_kernels_visit_each_index_once_in_the_order_left);
    add(suite, k15_ranges_are_visited_in_the_order_they_name);
    add(suite, k15_tiles_are_long_in_the_fastest_dimension);
    add(suite, k15_a_tile_of_0_is_the_whole_extent_in_a_kernel);
    add(suite, a_range_of_other_dimensions_has_no_elements);
}

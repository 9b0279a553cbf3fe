/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over elements of two and three dimensions visit each once. */
#include "../kernels/loops.h"
#include "trial.h"

/* A trial's size is the number of its extents. */
static const size_t extents[][3] = {{0, 5, 5},  {5, 0, 5}, {5, 5, 0},    {1, 1, 1},  {1, 5, 7},
                                    {3, 1, 33}, {4, 5, 6}, {2, 17, 100}, {40, 3, 1}, {13, 31, 29}};

static void check(trial *t, bool three)
{
    const size_t *extent = extents[t->n];
    const size_t count = extent[0] * extent[1] * (three ? extent[2] : 1);
    uint32_t *found = host_memory(count * sizeof *found);
    loops_args args = {.ni = extent[0],
                       .nj = extent[1],
                       .nk = three ? extent[2] : 1,
                       .count = trial_memory(t, NULL, count * sizeof *found)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, found, count * sizeof *found);
    for (size_t i = 0; i < count; ++i)
        trial_words_equal(t, i, found[i], 1);
    free(found);
}

static void two_dimensions(trial *t)
{
    check(t, false);
}

static void three_dimensions(trial *t)
{
    check(t, true);
}

static void odd_elements(trial *t)
{
    uint32_t *found = host_memory(t->n * sizeof *found);
    loops_args args = {.ni = t->n, .nj = 1, .nk = 1, .count = trial_memory(t, NULL, t->n * sizeof *found)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.count, found, t->n * sizeof *found);
    for (size_t i = 0; i < t->n; ++i)
        trial_words_equal(t, i, found[i], i % 2);
    free(found);
}

/* A trial's size is the number of its extents and tiles. */
static const size_t tiled[][6] = {{4, 5, 6, 2, 2, 2}, {7, 5, 9, 3, 4, 2},  {3, 4, 100, 1, 2, 0}, {5, 6, 7, 0, 0, 0},
                                  {2, 3, 4, 9, 9, 9}, {1, 1, 1, 1, 1, 1},  {0, 4, 4, 2, 2, 2},   {4, 0, 4, 2, 2, 2},
                                  {4, 4, 0, 0, 2, 0}, {40, 3, 1, 16, 2, 1}};
#define ALL_TILED TRIAL_SIZES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

typedef struct visits {
    size_t extent[3], count;
    uint32_t *visit, *visits;
} visits;

static visits visit_all(trial *t, bool flat)
{
    const size_t *given = tiled[t->n];
    visits v = {.extent = {flat ? 1 : given[0], given[1], given[2]}};
    v.count = v.extent[0] * v.extent[1] * v.extent[2];
    v.visit = host_memory(v.count * sizeof *v.visit);
    v.visits = host_memory(v.count * sizeof *v.visits);
    tiles_args args = {.extent = {v.extent[0], v.extent[1], v.extent[2]},
                       .tile = {given[3], given[4], given[5]},
                       .visit = trial_memory(t, NULL, v.count * sizeof *v.visit),
                       .count = trial_memory(t, NULL, v.count * sizeof *v.visits),
                       .visited = trial_memory(t, NULL, sizeof(uint32_t))};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.visit, v.visit, v.count * sizeof *v.visit);
    trial_read(t, args.count, v.visits, v.count * sizeof *v.visits);
    return v;
}

static void visits_free(const visits *v)
{
    free(v->visit);
    free(v->visits);
}

static void each_once(trial *t, bool flat)
{
    visits v = visit_all(t, flat);
    for (size_t i = 0; i < v.count; ++i)
        trial_words_equal(t, i, v.visits[i], 1);
    visits_free(&v);
}

static void tiles_once(trial *t)
{
    each_once(t, false);
}

static void flat_tiles_once(trial *t)
{
    each_once(t, true);
}

static void two_of_three(trial *t)
{
    visits v = visit_all(t, false);
    for (size_t i = 0; i < v.count; ++i)
        trial_words_equal(t, i, v.visits[i], i % 3 != 1);
    visits_free(&v);
}

/* Where element `at` comes, counted along dimensions from the fastest, order[2], to the slowest, order[0]. */
static size_t rank_of(const size_t at[3], const size_t extent[3], const int order[3])
{
    return (at[order[0]] * extent[order[1]] + at[order[1]]) * extent[order[2]] + at[order[2]];
}

/* One thread goes through the tiles in their order, and through each one's elements in theirs. */
static void check_order(trial *t, bool flat, bool tiles_right, bool elements_right)
{
    static const int right[3] = {0, 1, 2}, left[3] = {2, 1, 0}, flat_left[3] = {0, 2, 1};
    const int *reversed = flat ? flat_left : left;
    const int *tiles = tiles_right ? right : reversed, *elements = elements_right ? right : reversed;
    visits v = visit_all(t, flat);
    const size_t *extent = v.extent;
    size_t size[3], counts[3];
    for (int d = 0; d < 3; ++d) {
        const size_t wished = flat && d == 0 ? 1 : tiled[t->n][3 + d];
        size[d] = wished == 0 || wished > extent[d] ? extent[d] : wished;
        counts[d] = extent[d] == 0 ? 0 : (extent[d] + size[d] - 1) / size[d];
    }
    for (size_t a = 0; a < v.count; ++a)
        for (size_t b = 0; b < v.count; b += 7) {
            const size_t at[2][3] = {{a / extent[2] / extent[1], a / extent[2] % extent[1], a % extent[2]},
                                     {b / extent[2] / extent[1], b / extent[2] % extent[1], b % extent[2]}};
            size_t tile[2], element[2];
            for (int e = 0; e < 2; ++e) {
                const size_t of[3] = {at[e][0] / size[0], at[e][1] / size[1], at[e][2] / size[2]};
                tile[e] = rank_of(of, counts, tiles);
                element[e] = rank_of(at[e], extent, elements);
            }
            const bool before = tile[0] < tile[1] || (tile[0] == tile[1] && element[0] < element[1]);
            trial_assert(t, (v.visit[a] < v.visit[b]) == before, "elements %zu and %zu come in the wrong order", a, b);
        }
    visits_free(&v);
}

static void order_right(trial *t)
{
    check_order(t, false, true, true);
}
static void order_left(trial *t)
{
    check_order(t, false, false, false);
}
static void order_right_left(trial *t)
{
    check_order(t, false, true, false);
}
static void order_left_right(trial *t)
{
    check_order(t, false, false, true);
}
static void flat_order_right(trial *t)
{
    check_order(t, true, true, true);
}
static void flat_order_left(trial *t)
{
    check_order(t, true, false, false);
}
static void flat_order_right_left(trial *t)
{
    check_order(t, true, true, false);
}
static void flat_order_left_right(trial *t)
{
    check_order(t, true, false, true);
}

static const trial_shape lonely[] = {{.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}}};
static const trial_shapes one_thread = {1, lonely};

#define ALL_EXTENTS TRIAL_SIZES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

START_TEST(b3_for_each_of_two_dimensions_visits_every_element_once)
{
    try_kernel("loop_2d", ALL_EXTENTS, trial_any_shape, two_dimensions);
}
END_TEST

START_TEST(b3_for_each_of_two_dimensions_in_a_thread_kernel)
{
    try_kernel("loop_2d_threads", ALL_EXTENTS, trial_any_shape, two_dimensions);
}
END_TEST

START_TEST(b3_for_each_of_three_dimensions_visits_every_element_once)
{
    try_kernel("loop_3d", ALL_EXTENTS, trial_any_shape, three_dimensions);
    try_kernel("loop_3d_threads", ALL_EXTENTS, trial_any_shape, three_dimensions);
}
END_TEST

START_TEST(b5_loops_of_equal_bounds_give_an_index_to_the_same_thread)
{
    try_kernel("twice_1d", ALL_EXTENTS, trial_any_shape, three_dimensions);
    try_kernel("twice_2d", ALL_EXTENTS, trial_any_shape, two_dimensions);
    try_kernel("twice_3d", ALL_EXTENTS, trial_any_shape, three_dimensions);
    try_kernel("twice_1d_threads", ALL_EXTENTS, trial_any_shape, three_dimensions);
    try_kernel("twice_3d_threads", ALL_EXTENTS, trial_any_shape, three_dimensions);
}
END_TEST

START_TEST(b3_continue_skips_one_element)
{
    try_kernel("loop_continue", TRIAL_ANY_SIZE, trial_any_shape, odd_elements);
}
END_TEST

START_TEST(b3_for_each_in_tiles_visits_every_element_once)
{
    try_kernel("tiles_right", ALL_TILED, trial_any_shape, tiles_once);
    try_kernel("tiles_left", ALL_TILED, trial_any_shape, tiles_once);
    try_kernel("tiles_right_left", ALL_TILED, trial_any_shape, tiles_once);
    try_kernel("tiles_left_right", ALL_TILED, trial_any_shape, tiles_once);
    try_kernel("flat_tiles_right", ALL_TILED, trial_any_shape, flat_tiles_once);
    try_kernel("flat_tiles_left", ALL_TILED, trial_any_shape, flat_tiles_once);
    try_kernel("flat_tiles_right_left", ALL_TILED, trial_any_shape, flat_tiles_once);
    try_kernel("flat_tiles_left_right", ALL_TILED, trial_any_shape, flat_tiles_once);
}
END_TEST

START_TEST(for_each_in_tiles_goes_in_the_order_that_was_asked_for)
{
    try_kernel("tiles_right", ALL_TILED, one_thread, order_right);
    try_kernel("tiles_left", ALL_TILED, one_thread, order_left);
    try_kernel("tiles_right_left", ALL_TILED, one_thread, order_right_left);
    try_kernel("tiles_left_right", ALL_TILED, one_thread, order_left_right);
    try_kernel("flat_tiles_right", ALL_TILED, one_thread, flat_order_right);
    try_kernel("flat_tiles_left", ALL_TILED, one_thread, flat_order_left);
    try_kernel("flat_tiles_right_left", ALL_TILED, one_thread, flat_order_right_left);
    try_kernel("flat_tiles_left_right", ALL_TILED, one_thread, flat_order_left_right);
}
END_TEST

START_TEST(for_each_in_tiles_in_a_thread_kernel)
{
    try_kernel("tiles_threads", ALL_TILED, trial_any_shape, two_of_three);
}
END_TEST

void loops_tests(Suite *suite)
{
    add(suite, b3_for_each_of_two_dimensions_visits_every_element_once);
    add(suite, b3_for_each_of_two_dimensions_in_a_thread_kernel);
    add(suite, b3_for_each_of_three_dimensions_visits_every_element_once);
    add(suite, b3_for_each_in_tiles_visits_every_element_once);
    add(suite, for_each_in_tiles_goes_in_the_order_that_was_asked_for);
    add(suite, for_each_in_tiles_in_a_thread_kernel);
    add(suite, b3_continue_skips_one_element);
    add(suite, b5_loops_of_equal_bounds_give_an_index_to_the_same_thread);
}

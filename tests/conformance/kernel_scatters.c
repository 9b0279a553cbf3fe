/* SPDX-License-Identifier: Apache-2.0 */
/* Scatters lose nothing, whatever adds to them and in however many copies: held to what plain C computes. */
#include "../kernels/scatters.h"
#include "trial.h"

#include <accel/pattern.h>

enum { CELLS = 37, MOST_BYTES = (CELLS + 1) * sizeof(scatters_extent) };

/* What is added, on the host and on the device. */
typedef struct data {
    uint32_t *cell;
    int32_t *value;
    scatters_args args;
} data;

/* Most elements have one of five cells. */
static data data_of(trial *t)
{
    const size_t n = t->n;
    data d = {host_memory(n * sizeof(uint32_t)), host_memory(n * sizeof(int32_t)), {.n = n}};
    uint32_t x = 1;
    for (size_t i = 0; i < n; ++i) {
        x = x * 1664525u + 1013904223u;
        d.cell[i] = x >> 30 != 0 ? (x >> 8) % 5 : (x >> 8) % CELLS;
        d.value[i] = (int32_t)(x >> 16 & 31) - 15;
    }
    d.args.cell = trial_memory(t, d.cell, n * sizeof(uint32_t));
    d.args.value = trial_memory(t, d.value, n * sizeof(int32_t));
    return d;
}

static void free_data(data *d)
{
    free(d->cell);
    free(d->value);
}

static accel_scatter *scatter_new(trial *t, const char *name, uint32_t copies, accel_scatter_view *view)
{
    accel_scatter_desc desc = ACCEL_SCATTER_DESC_INIT;
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    accel_kernel *kernel = NULL;
    accel_scatter *scatter = NULL;
    desc.copies = copies;
    ok(accel_module_kernel(t->module, name, &kernel));
    ok(accel_scatter_create(t->queue, kernel, CELLS, &desc, &scatter));
    ok(accel_scatter_info(scatter, &about));
    if (copies != 0)
        ck_assert_uint_eq(about.copies, copies);
    *view = about.view;
    return scatter;
}

/* A target with these contents, whose last element is behind the cells. */
static accel_buffer *target_new(trial *t, size_t size, const void *contents)
{
    const accel_buffer_desc desc = accel_buffer_1d(size, CELLS + 1);
    accel_buffer *target = buffer_new(test.device, &desc);
    ok(accel_write(t->queue, target, contents));
    ok(accel_queue_wait(t->queue));
    return target;
}

static void read_target(trial *t, accel_buffer *target, void *found)
{
    ok(accel_read(t->queue, found, target));
    ok(accel_queue_wait(t->queue));
    accel_buffer_release(target);
}

/* ------------------------------------------------------------------------------------------- reducers -- */

/* A kernel's scatter, and how plain C joins element i to a cell. */
typedef struct reducer {
    const char *scatter, *kernel;
    size_t size;
    const void *start; /* of every target */
    void (*join)(void *cell, const data *, size_t i);
} reducer;

#define JOIN_sum(c, v) (c) + (v)
#define JOIN_prod(c, v) (c) * (v)
#define JOIN_min(c, v) (v) < (c) ? (v) : (c)
#define JOIN_max(c, v) (v) > (c) ? (v) : (c)
#define JOIN(operation, type, T, reducer)                                                                              \
    static void operation##_##type(void *cell, const data *d, size_t i)                                                \
    {                                                                                                                  \
        T c;                                                                                                           \
        const T v = SCATTER_VALUE_##operation(T, d->value[i], i);                                                      \
        memcpy(&c, cell, sizeof c);                                                                                    \
        c = JOIN_##operation(c, v);                                                                                    \
        memcpy(cell, &c, sizeof c);                                                                                    \
    }
SCATTERS(JOIN)

#define START_sum 3
#define START_prod 5
#define START_min -3
#define START_max 4
#define REDUCER(operation, type, T, reducer)                                                                           \
    {"scatter_" #operation "_" #type, "scatter_" #operation "_" #type "_into", sizeof(T), &(T){(T)START_##operation},  \
     operation##_##type},
static const reducer reducers[] = {SCATTERS(REDUCER)};
enum { REDUCERS = sizeof reducers / sizeof reducers[0] };

static void widen(void *cell, const data *d, size_t i)
{
    scatters_extent e;
    memcpy(&e, cell, sizeof e);
    e.low = d->value[i] < e.low ? d->value[i] : e.low;
    e.high = d->value[i] > e.high ? d->value[i] : e.high;
    ++e.number;
    memcpy(cell, &e, sizeof e);
}

static void add_complex(void *cell, const data *d, size_t i)
{
    scatters_complex c;
    memcpy(&c, cell, sizeof c);
    c.re += d->value[i];
    c.im -= d->value[i];
    memcpy(cell, &c, sizeof c);
}

static void add_small_complex(void *cell, const data *d, size_t i)
{
    scatters_small_complex c;
    memcpy(&c, cell, sizeof c);
    c.re += (float)d->value[i];
    c.im -= (float)d->value[i];
    memcpy(cell, &c, sizeof c);
}

/* Sums of small whole numbers are exact in any order. */
static const scatters_extent no_extent = {INT64_MAX, INT64_MIN, 0};
static const scatters_complex some_complex = {3, 4};
static const scatters_small_complex some_small_complex = {3, 4};
static const reducer structs[] = {
    {"scatter_extent", "scatter_extent_loops_into", sizeof no_extent, &no_extent, widen},
    {"scatter_extent", "scatter_extent_regions_into", sizeof no_extent, &no_extent, widen},
    {"scatter_complex", "scatter_complex_loops_into", sizeof some_complex, &some_complex, add_complex},
    {"scatter_complex", "scatter_complex_regions_into", sizeof some_complex, &some_complex, add_complex},
    {"scatter_small_complex", "scatter_small_complex_loops_into", sizeof some_small_complex, &some_small_complex,
     add_small_complex},
    {"scatter_small_complex", "scatter_small_complex_regions_into", sizeof some_small_complex, &some_small_complex,
     add_small_complex},
};
enum { ALL_STRUCTS = sizeof structs / sizeof structs[0] };

static const reducer *current;
static uint32_t current_copies;

/* Each block adds all elements. */
static bool has_regions(void)
{
    return strstr(current->kernel, "_regions_") != NULL;
}

/* Twice, so that the second time shows what the first has left. */
static void check(trial *t)
{
    const size_t size = current->size, times = has_regions() ? trial_blocks(t) : 1;
    unsigned char expected[MOST_BYTES], found[MOST_BYTES];
    data d = data_of(t);
    accel_scatter *scatter = scatter_new(t, current->scatter, current_copies, &d.args.view);
    for (size_t c = 0; c <= CELLS; ++c)
        memcpy(expected + c * size, current->start, size);
    accel_buffer *target = target_new(t, size, expected);
    for (int pass = 0; pass < 2; ++pass) {
        trial_launch(t, &d.args, sizeof d.args);
        ok(accel_scatter_contribute(t->queue, scatter, target));
        for (size_t i = 0; i < t->n * times; ++i)
            current->join(expected + d.cell[i % t->n] * size, &d, i % t->n);
    }
    accel_scatter_release(scatter);
    read_target(t, target, found);
    for (size_t c = 0; c <= CELLS; ++c)
        trial_assert(t, memcmp(found + c * size, expected + c * size, size) == 0, "%u copies: cell %zu is wrong",
                     current_copies, c);
    free_data(&d);
}

static const trial_shape shapes[] = {
    {.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}},
    {.dims = 1, .blocks = {5}, .threads = {32}, .elems = {1}},
    {.dims = 2, .blocks = {3, 2}, .threads = {2, 4}, .elems = {1, 1}},
    {.dims = 1, .blocks = {64}, .threads = {1}, .elems = {4}},
};
static const trial_shapes some_shapes = {sizeof shapes / sizeof shapes[0], shapes};

static const uint32_t copies[] = {0, 1, 2, 5};
enum { WAYS = sizeof copies / sizeof copies[0] };

START_TEST(s1_s2_scatters_join_everything_once_in_any_number_of_copies)
{
    for (size_t r = 0; r < REDUCERS; ++r) {
        for (size_t c = 0; c < WAYS; ++c) {
            current = &reducers[r];
            current_copies = copies[c];
            try_kernel(current->kernel, TRIAL_SIZES(0, 1, 300, 4011), some_shapes, check);
        }
    }
}
END_TEST

START_TEST(s1_s2_block_kernels_add_structs_in_any_number_of_copies)
{
    for (size_t s = 0; s < ALL_STRUCTS; ++s) {
        for (size_t c = 0; c < WAYS; ++c) {
            current = &structs[s];
            current_copies = copies[c];
            try_kernel(current->kernel, has_regions() ? TRIAL_SIZES(0, 1, 300) : TRIAL_SIZES(0, 1, 300, 4011),
                       some_shapes, check);
        }
    }
}
END_TEST

/* Every block adds all elements, in regions. */
static void check_regions(trial *t)
{
    uint32_t expected[CELLS + 1] = {0}, found[CELLS + 1];
    data d = data_of(t);
    accel_scatter *scatter = scatter_new(t, "scatter_sum_u32", 0, &d.args.view);
    accel_buffer *target = target_new(t, sizeof(uint32_t), expected);
    trial_launch(t, &d.args, sizeof d.args);
    ok(accel_scatter_contribute(t->queue, scatter, target));
    read_target(t, target, found);
    for (size_t i = 0; i < t->n; ++i)
        expected[d.cell[i]] += (uint32_t)trial_blocks(t);
    for (size_t c = 0; c <= CELLS; ++c)
        trial_words_equal(t, c, found[c], expected[c]);
    accel_scatter_release(scatter);
    free_data(&d);
}

START_TEST(s1_regions_add_to_scatters)
{
    try_kernel("scatter_regions_into", TRIAL_SIZES(0, 500), some_shapes, check_regions);
}
END_TEST

/* Two scatters in one thread kernel, the first open across a barrier. */
static void check_threads(trial *t)
{
    scatters_extent expected[CELLS + 1], found[CELLS + 1];
    uint32_t counts[CELLS + 1] = {0};
    data d = data_of(t);
    accel_scatter *extents = scatter_new(t, "scatter_extent", current_copies, &d.args.view),
                  *numbers = scatter_new(t, "scatter_sum_u32", current_copies, &d.args.counts);
    for (size_t c = 0; c <= CELLS; ++c)
        expected[c] = no_extent;
    accel_buffer *target = target_new(t, sizeof no_extent, expected), *count_target = target_new(t, 4, counts);
    trial_launch(t, &d.args, sizeof d.args);
    ok(accel_scatter_contribute(t->queue, extents, target));
    ok(accel_scatter_contribute(t->queue, numbers, count_target));
    read_target(t, target, found);
    read_target(t, count_target, counts);
    for (size_t i = 0; i < t->n; ++i)
        widen(&expected[d.cell[i]], &d, i);
    for (size_t c = 0; c <= CELLS; ++c) {
        trial_assert(t, memcmp(&found[c], &expected[c], sizeof no_extent) == 0, "%u copies: cell %zu is wrong",
                     current_copies, c);
        trial_words_equal(t, c, counts[c], expected[c].number);
    }
    accel_scatter_release(extents);
    accel_scatter_release(numbers);
    free_data(&d);
}

START_TEST(s1_thread_kernels_add_structs_to_a_scatter_across_barriers)
{
    for (current_copies = 0; current_copies < 4; ++current_copies)
        try_kernel("scatter_extent_into", TRIAL_SIZES(0, 700), some_shapes, check_threads);
}
END_TEST

void scatters_tests(Suite *suite)
{
    add(suite, s1_s2_scatters_join_everything_once_in_any_number_of_copies);
    add(suite, s1_s2_block_kernels_add_structs_in_any_number_of_copies);
    add(suite, s1_regions_add_to_scatters);
    add(suite, s1_thread_kernels_add_structs_to_a_scatter_across_barriers);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions have the same bits on every backend: those of reduction.c. SUITE_WHOLE=1 tries all numbers of elements up to
 * 5000, and ten million. */
#include "reduction.h"
#include "trial.h"

#include <accel/pattern.h>
#include <stdio.h>

enum { LARGEST = 256, MOST = 20011 };

/* Numbers whose sums depend on the order, of all signs and many sizes; every value occurs often. */
static void fill(double *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int exponent = (int)(seed >> 59) - 16;
        x[i] = (double)(int32_t)(seed >> 24 & 0xffff00ff) * (exponent < 0 ? 1.0 / (double)(1 << -exponent) : 1.0);
    }
}

/* Elements on the device and here. */
typedef struct data {
    double *x, *y;
    reductions_args here, there;
} data;

static data data_of(trial *t, size_t n)
{
    data d = {host_memory(n * sizeof(double)), host_memory(n * sizeof(double)), {0}, {0}};
    fill(d.x, n, 1);
    fill(d.y, n, 2);
    d.here = (reductions_args){.x = d.x, .y = d.y};
    d.there =
        (reductions_args){.x = trial_memory(t, d.x, n * sizeof(double)), .y = trial_memory(t, d.y, n * sizeof(double))};
    return d;
}

static void free_data(data *d)
{
    free(d->x);
    free(d->y);
}

/* One result of the kernel against the reference. */
static void compare(trial *t, const reduction *what, const data *d, uint32_t dims, const size_t extent[],
                    accel_buffer *result)
{
    unsigned char found[LARGEST], expected[LARGEST];
    size_t n = 1;
    for (uint32_t i = 0; i < dims; ++i)
        n *= extent[i];
    ok(accel_reduce(t->queue, t->kernel, dims, extent, &d->there, sizeof d->there, result));
    ok(accel_read(t->queue, found, result));
    ok(accel_queue_wait(t->queue));
    reduction_of(what, &d->here, n, expected);
    trial_assert(t, memcmp(found, expected, what->size) == 0, "%zu elements in %u dimensions (%zu): other bits", n,
                 dims, extent[dims - 1]);
}

static const reduction *current;

static accel_buffer *result_of(const reduction *what)
{
    const accel_buffer_desc desc = accel_buffer_1d(what->size, 1);
    return buffer_new(test.device, &desc);
}

static void check(trial *t)
{
    static const size_t few[] = {0, 1, 2, 31, 32, 33, 65, 1000, 4095, 4096, 4097, 8200, 16383, 16384, 16385, MOST};
    data d = data_of(t, MOST);
    accel_buffer *result = result_of(current);
    const char *whole = getenv("SUITE_WHOLE");
    for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i)
        compare(t, current, &d, 1, &few[i], result);
    const bool cpu = test.properties.kind == ACCEL_DEVICE_CPU;
    for (size_t n = 3; n <= 5000; n += whole != NULL ? 1 : cpu ? 251 : 1249)
        compare(t, current, &d, 1, &n, result);
    accel_buffer_release(result);
    free_data(&d);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {128}, .elems = {1}}};
static const trial_shapes one_shape = {1, shapes};

START_TEST(p1_p2_p3_reductions_have_the_bits_of_the_rules)
{
    for (size_t r = 0; r < reduction_count; ++r) {
        current = &reductions[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check);
    }
}
END_TEST

/* Signed zeros, NaNs, infinities and denormals: what is kept is the same. GPUs are interpreted in tests: fewer sizes. */
static void check_special(trial *t)
{
    static const size_t sizes[] = {33, 4100, 1, 2, 3, 5, 16, 31, 100, 517, 4095, 8200, 16385, MOST};
    accel_buffer *result = result_of(current);
    for (unsigned kind = 0; kind < TRIAL_SPECIAL_KINDS; ++kind) {
        double *x = host_memory(MOST * sizeof *x);
        for (size_t i = 0; i < MOST; ++i)
            x[i] = trial_special(kind, i);
        const data d = {.here.x = x, .here.y = x, .there.x = trial_memory(t, x, MOST * sizeof *x)};
        const bool cpu = test.properties.kind == ACCEL_DEVICE_CPU;
        for (size_t s = 0; s < (cpu ? sizeof sizes / sizeof sizes[0] : 2); ++s)
            compare(t, current, &d, 1, &sizes[s], result);
        free(x);
    }
    accel_buffer_release(result);
}

/* The kernels whose reducers these are, on floating point. */
static bool keeps_floating_point(const reduction *what)
{
    static const char *const names[] = {"reduce_min_of_doubles", "reduce_max",    "reduce_minmax",
                                        "reduce_minloc",         "reduce_maxloc", "reduce_minmaxloc"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(what->kernel, names[i]) == 0)
            return true;
    }
    return false;
}

START_TEST(p1_reductions_keep_the_zero_of_the_rules_and_no_nan)
{
    for (size_t r = 0; r < reduction_count; ++r) {
        current = &reductions[r];
        if (keeps_floating_point(current))
            try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_special);
    }
}
END_TEST

/* Several steps, many workers. */
static void check_many(trial *t)
{
    data d = data_of(t, t->n);
    accel_buffer *result = result_of(current);
    compare(t, current, &d, 1, &t->n, result);
    accel_buffer_release(result);
    free_data(&d);
}

/* GPUs are interpreted in tests: a part of the reducers, and of the sizes. */
START_TEST(p1_large_reductions_have_the_same_bits)
{
    const bool cpu = test.properties.kind == ACCEL_DEVICE_CPU, whole = getenv("SUITE_WHOLE") != NULL;
    static const size_t few[] = {0, 1, 16, 17};
    for (size_t r = 0; r < (cpu ? reduction_count : sizeof few / sizeof few[0]); ++r) {
        current = &reductions[cpu ? r : few[r]];
        try_kernel(current->kernel, TRIAL_SIZES(cpu ? 1000003 : 70001), one_shape, check_many);
        if (cpu) /* five tiles and two pieces: threads have parts of tiles */
            try_kernel(current->kernel, TRIAL_SIZES(90001), one_shape, check_many);
        if (whole)
            try_kernel(current->kernel, TRIAL_SIZES(10000000), one_shape, check_many);
    }
}
END_TEST

/* GPUs are interpreted in tests: of what the first kernels have tried there, the others try a part. */
static size_t extent_step(const reduction *first, size_t tried)
{
    const bool all = test.properties.kind == ACCEL_DEVICE_CPU || current < first + tried;
    return all ? 1 : 5;
}

static void check_2d(trial *t)
{
    static const size_t extents[][2] = {{0, 5},     {5, 0},    {1, 1},     {MOST, 1}, {1, MOST},  {900, 3},  {3, 31},
                                        {70, 33},   {300, 7},  {40, 500},  {257, 64}, {100, 200}, {2500, 8}, {130, 24},
                                        {270, 72},  {4096, 4}, {1600, 12}, {500, 36}, {200, 100}, {3000, 6}, {1300, 15},
                                        {153, 127}, {290, 69}, {235, 85},  {219, 91}, {120, 159}, {520, 38}};
    data d = data_of(t, MOST);
    accel_buffer *result = result_of(current);
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e += extent_step(reductions_2d, 2)) {
        d.there.nj = extents[e][1];
        compare(t, current, &d, 2, extents[e], result);
    }
    accel_buffer_release(result);
    free_data(&d);
}

static void check_3d(trial *t)
{
    static const size_t extents[][3] = {{2, 0, 3},    {0, 2, 3},  {1, 1, 1},    {MOST, 1, 1}, {1, MOST, 1},
                                        {1, 1, MOST}, {50, 3, 2}, {3, 50, 2},   {20, 9, 5},   {7, 1, 40},
                                        {5, 40, 100}, {2, 3, 33}, {3, 130, 20}, {3, 80, 81}};
    data d = data_of(t, MOST);
    accel_buffer *result = result_of(current);
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e += extent_step(reductions_3d, 1)) {
        d.there.nj = extents[e][1];
        d.there.nk = extents[e][2];
        compare(t, current, &d, 3, extents[e], result);
    }
    accel_buffer_release(result);
    free_data(&d);
}

START_TEST(p4_dimensions_are_one_in_the_order_of_memory)
{
    for (size_t r = 0; r < reduction_2d_count; ++r) {
        current = &reductions_2d[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_2d);
    }
    for (size_t r = 0; r < reduction_3d_count; ++r) {
        current = &reductions_3d[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_3d);
    }
}
END_TEST

/* More than a million elements in odd rows, extent t->n of these: dozens of tiles that end within rows, and a second step. */
static void check_large_2d(trial *t)
{
    static const size_t extents[][2] = {{1021, 1013}, {350003, 3}, {3, 350003}};
    const size_t *extent = extents[t->n];
    data d = data_of(t, extent[0] * extent[1]);
    accel_buffer *result = result_of(current);
    d.there.nj = extent[1];
    compare(t, current, &d, 2, extent, result);
    accel_buffer_release(result);
    free_data(&d);
}

static void check_large_3d(trial *t)
{
    static const size_t extents[][3] = {{101, 103, 107}, {7, 3, 50021}, {70001, 5, 3}};
    const size_t *extent = extents[t->n];
    data d = data_of(t, extent[0] * extent[1] * extent[2]);
    accel_buffer *result = result_of(current);
    d.there.nj = extent[1];
    d.there.nk = extent[2];
    compare(t, current, &d, 3, extent, result);
    accel_buffer_release(result);
    free_data(&d);
}

START_TEST(p4_large_planes_and_volumes_have_the_same_bits)
{
    current = &reductions_2d[0];
    try_kernel(current->kernel, TRIAL_SIZES(0, 1, 2), one_shape, check_large_2d);
    current = &reductions_3d[0];
    try_kernel(current->kernel, TRIAL_SIZES(0, 1, 2), one_shape, check_large_3d);
}
END_TEST

static accel_device *parts[2];

static void check_parts(trial *t)
{
    data d = data_of(t, t->n);
    accel_buffer *result = result_of(current);
    accel_queue *whole = t->queue;
    for (size_t p = 0; p < 2; ++p) {
        t->queue = queue_new(parts[p], 0);
        compare(t, current, &d, 1, &t->n, result);
        accel_queue_release(t->queue);
    }
    t->queue = whole;
    accel_buffer_release(result);
    free_data(&d);
}

START_TEST(p1_parts_of_a_device_give_the_same_bits)
{
    need_parts(parts);
    for (size_t r = 0; r < (test.properties.kind == ACCEL_DEVICE_CPU ? reduction_count : 1); ++r) {
        current = &reductions[r];
        try_kernel(current->kernel, TRIAL_SIZES(100003), one_shape, check_parts);
    }
    accel_device_release(parts[0]);
    accel_device_release(parts[1]);
}
END_TEST

/* ------------------------------------------------------------------------------------- without an order -- */

/* Whole numbers, whose results are exact in any order; a product of a few twos; functions that are all translations. */
static void fill_exact(data *d, size_t n)
{
    const bool product = strstr(current->kernel, "prod") != NULL, functions = current->size == sizeof(affine);
    for (size_t i = 0; i < n; ++i) {
        d->x[i] = product ? (i % 1999 == 7 ? 0x1p40 : 0) : functions ? 0 : (double)(i * 7919 % 101) - 50;
        d->y[i] = (double)(i * 31 % 17) - 8;
    }
}

static void compare_exact(trial *t, const data *d, uint32_t dims, const size_t extent[], accel_buffer *result)
{
    unsigned char found[LARGEST], expected[LARGEST];
    size_t n = 1;
    for (uint32_t i = 0; i < dims; ++i)
        n *= extent[i];
    ok(accel_reduce_unordered(t->queue, t->kernel, dims, extent, &d->there, sizeof d->there, result));
    ok(accel_read(t->queue, found, result));
    ok(accel_queue_wait(t->queue));
    reduction_of(current, &d->here, n, expected);
    trial_assert(t, memcmp(found, expected, current->size) == 0, "%zu elements in %u dimensions (%zu), unordered", n,
                 dims, extent[dims - 1]);
}

static data exact_data_of(trial *t, size_t n)
{
    data d = {host_memory(n * sizeof(double)), host_memory(n * sizeof(double)), {0}, {0}};
    fill_exact(&d, n);
    d.here = (reductions_args){.x = d.x, .y = d.y};
    d.there =
        (reductions_args){.x = trial_memory(t, d.x, n * sizeof(double)), .y = trial_memory(t, d.y, n * sizeof(double))};
    return d;
}

static void check_unordered(trial *t)
{
    static const size_t few[] = {0, 1, 3, 4, 7, 31, 64, 127, 128, 129, 517, 16384, 16385, MOST};
    data d = exact_data_of(t, MOST);
    accel_buffer *result = result_of(current);
    for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i)
        compare_exact(t, &d, 1, &few[i], result);
    accel_buffer_release(result);
    free_data(&d);
}

static void check_unordered_many(trial *t)
{
    data d = exact_data_of(t, t->n);
    accel_buffer *result = result_of(current);
    compare_exact(t, &d, 1, &t->n, result);
    accel_buffer_release(result);
    free_data(&d);
}

START_TEST(p11_unordered_reductions_join_each_element_once)
{
    for (size_t r = 0; r < reduction_count; ++r) {
        current = &reductions[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_unordered);
    }
    current = &reductions[0];
    try_kernel(current->kernel, TRIAL_SIZES(test.properties.kind == ACCEL_DEVICE_CPU ? 1000003 : 70001), one_shape,
               check_unordered_many);
}
END_TEST

/* Rows from one element to more than there are lanes, from the middle of one on where a tile begins there. */
static void check_unordered_2d(trial *t)
{
    static const size_t rows[] = {1, 2, 5, 8, 17, 33, 40, 63, 64, 100, 129, 700, MOST};
    data d = exact_data_of(t, MOST);
    accel_buffer *result = result_of(current);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r += extent_step(reductions_2d, 1)) {
        const size_t extent[2] = {MOST / rows[r], rows[r]};
        d.there.nj = rows[r];
        compare_exact(t, &d, 2, extent, result);
    }
    compare_exact(t, &d, 2, (const size_t[]){5, 0}, result);
    accel_buffer_release(result);
    free_data(&d);
}

static void check_unordered_3d(trial *t)
{
    static const size_t extents[][3] = {{2, 0, 3}, {1, 1, 1}, {50, 3, 2}, {20, 9, 5}, {7, 71, 40}, {5, 40, 100}};
    data d = exact_data_of(t, MOST);
    accel_buffer *result = result_of(current);
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e += extent_step(reductions_3d, 1)) {
        d.there.nj = extents[e][1];
        d.there.nk = extents[e][2];
        compare_exact(t, &d, 3, extents[e], result);
    }
    accel_buffer_release(result);
    free_data(&d);
}

START_TEST(p11_unordered_reductions_have_rows_and_planes)
{
    for (size_t r = 0; r < reduction_2d_count; ++r) {
        current = &reductions_2d[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_unordered_2d);
    }
    for (size_t r = 0; r < reduction_3d_count; ++r) {
        current = &reductions_3d[r];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_unordered_3d);
    }
}
END_TEST

void reductions_tests(Suite *suite)
{
    add(suite, p1_p2_p3_reductions_have_the_bits_of_the_rules);
    add(suite, p1_reductions_keep_the_zero_of_the_rules_and_no_nan);
    add(suite, p1_large_reductions_have_the_same_bits);
    add(suite, p4_dimensions_are_one_in_the_order_of_memory);
    add_for_threads(suite, p4_large_planes_and_volumes_have_the_same_bits);
    add(suite, p1_parts_of_a_device_give_the_same_bits);
    add(suite, p11_unordered_reductions_join_each_element_once);
    add(suite, p11_unordered_reductions_have_rows_and_planes);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans have the bits of the rules (P7 to P10) on every backend (scanning.h). SUITE_WHOLE=1 tries all numbers of elements up
 * to 5000, and ten million.
 */
#include "scanning.h"
#include "trial.h"

#include <accel/pattern.h>
#include <math.h>
#include <string.h>

enum { RUNS = 128, TILE = 16 * RUNS, LARGEST = 64, MOST = 20011 };

/* ------------------------------------------------------------------------------------------ scans -- */

#define ELEMENT(name, T, ...)                                                                                          \
    static void element_##name(void *element, const scans_args *args, size_t i)                                        \
    {                                                                                                                  \
        const T made = __VA_ARGS__;                                                                                    \
        memcpy(element, &made, sizeof made);                                                                           \
    }
#define JOIN(name, T, statements)                                                                                      \
    static void join_##name(void *first, const void *second)                                                           \
    {                                                                                                                  \
        T a, b;                                                                                                        \
        memcpy(&a, first, sizeof a);                                                                                   \
        memcpy(&b, second, sizeof b);                                                                                  \
        statements;                                                                                                    \
        memcpy(first, &a, sizeof a);                                                                                   \
    }

/* Of equal values the smallest index, and the value that was there. */
#define KEEP(order, value, index)                                                                                      \
    do {                                                                                                               \
        if (b.value order a.value || (b.value == a.value && b.index < a.index))                                        \
            a.index = b.index;                                                                                         \
        a.value = b.value order a.value ? b.value : a.value;                                                           \
    } while (0)

ELEMENT(dot, double, args->x[i] * args->y[i])
JOIN(dot, double, a += b)
ELEMENT(min, int16_t, (int16_t)((int32_t)args->x[i] & 0x7fff))
JOIN(min, int16_t, a = b < a ? b : a)
ELEMENT(affine, scans_affine, {1 + args->x[i] * 0x1p-42, args->y[i]})
JOIN(affine, scans_affine, a.offset = b.factor * a.offset; a.offset += b.offset; a.factor = b.factor * a.factor)
JOIN(sums, scans_sums, for (int m = 0; m < 9; ++m) a.sums[m] += b.sums[m])
ELEMENT(select, uint32_t, args->x[i] > 0)
JOIN(select, uint32_t, a += b)
ELEMENT(by_key, float, (float)args->x[i])
JOIN(by_key, float, a += b)

ELEMENT(prod, double, 1 + (double)(int16_t)(int32_t)args->x[i] * 0x1p-20)
JOIN(prod, double, a *= b)
ELEMENT(min_of_doubles, double, args->x[i])
JOIN(min_of_doubles, double, a = b < a ? b : a)
ELEMENT(max, float, (float)args->x[i])
JOIN(max, float, a = b > a ? b : a)
ELEMENT(xor, int32_t, (int32_t)args->x[i] & 6)
JOIN(xor, int32_t, a = !a != !b)
ELEMENT(bit_xor, uint16_t, (uint16_t)(int32_t)args->x[i])
JOIN(bit_xor, uint16_t, a ^= b)
ELEMENT(minloc, scans_place, {(float)args->x[i], (uint32_t)i})
JOIN(minloc, scans_place, KEEP(<, value, index))

ELEMENT(maxloc, scans_place, {(float)args->x[i], (uint32_t)i})
JOIN(maxloc, scans_place, KEEP(>, value, index))
ELEMENT(minmax, scans_range, {(float)args->x[i], (float)args->x[i]})
JOIN(minmax, scans_range, a.min = b.min < a.min ? b.min : a.min; a.max = b.max > a.max ? b.max : a.max)
ELEMENT(minmaxloc, scans_places, {(float)args->x[i], (float)args->x[i], (uint32_t)i, (uint32_t)i})
JOIN(minmaxloc, scans_places, KEEP(<, min, min_index); KEEP(>, max, max_index))
ELEMENT(and, uint8_t, (uint8_t)((void)args, i % 5003 != 5001 ? 3 : 0))
JOIN(and, uint8_t, a = a && b)
ELEMENT(or, int32_t, ((void)args, i % 5003 == 2501 ? 6 : 0))
JOIN(or, int32_t, a = a || b)
ELEMENT(bit_and, uint32_t, (uint32_t)(int32_t)args->x[i] | 0xf0f0f00fu | (uint32_t)(i % 251 != 7) << 16)
JOIN(bit_and, uint32_t, a &= b)
ELEMENT(bit_or, uint64_t, ((void)args, (uint64_t)(i % 3001 == 9) << i % 61))
JOIN(bit_or, uint64_t, a |= b)

static void element_sums(void *element, const scans_args *args, size_t i)
{
    scans_sums made;
    for (int m = 0; m < 9; ++m)
        made.sums[m] = (float)args->x[i] * (float)m;
    memcpy(element, &made, sizeof made);
}

static bool is_head(const scans_args *args, size_t i)
{
    return ((int32_t)args->y[i] & 0x3f00) == 0;
}

static const double zero = 0;
static const float float_zero = 0;
static const int16_t largest = INT16_MAX;
static const scans_affine same = {1, 0};
static const scans_sums no_sums = {{0}};
static const uint32_t none = 0;
static const scanning dot = {"scan_dot", sizeof zero, element_dot, &zero, join_dot, NULL};
static const scanning affine = {"scan_affine", sizeof same, element_affine, &same, join_affine, NULL};
static const scanning others[] = {{"scan_min", sizeof largest, element_min, &largest, join_min, NULL},
                                  {"scan_sums", sizeof no_sums, element_sums, &no_sums, join_sums, NULL}};
static const double one = 1;
static const float lowest = -INFINITY;
static const double highest = INFINITY;
static const int32_t untrue = 0;
static const uint16_t no_bits = 0;
static const scans_place nowhere = {INFINITY, UINT32_MAX};
static const scans_place nowhere_low = {-INFINITY, UINT32_MAX};
static const scans_range no_range = {INFINITY, -INFINITY};
static const scans_places no_places = {INFINITY, -INFINITY, UINT32_MAX, UINT32_MAX};
static const uint8_t all_true = 1;
static const uint32_t all_bits = UINT32_MAX;
static const uint64_t no_long_bits = 0;
static const scanning reducers[] = {
    {"scan_prod", sizeof one, element_prod, &one, join_prod, NULL},
    {"scan_max", sizeof lowest, element_max, &lowest, join_max, NULL},
    {"scan_min_of_doubles", sizeof highest, element_min_of_doubles, &highest, join_min_of_doubles, NULL},
    {"scan_xor", sizeof untrue, element_xor, &untrue, join_xor, NULL},
    {"scan_bit_xor", sizeof no_bits, element_bit_xor, &no_bits, join_bit_xor, NULL},
    {"scan_minloc", sizeof nowhere, element_minloc, &nowhere, join_minloc, NULL},
    {"scan_maxloc", sizeof nowhere, element_maxloc, &nowhere_low, join_maxloc, NULL},
    {"scan_minmax", sizeof no_range, element_minmax, &no_range, join_minmax, NULL},
    {"scan_minmaxloc", sizeof no_places, element_minmaxloc, &no_places, join_minmaxloc, NULL},
    {"scan_and", sizeof all_true, element_and, &all_true, join_and, NULL},
    {"scan_or", sizeof untrue, element_or, &untrue, join_or, NULL},
    {"scan_bit_and", sizeof all_bits, element_bit_and, &all_bits, join_bit_and, NULL},
    {"scan_bit_or", sizeof no_long_bits, element_bit_or, &no_long_bits, join_bit_or, NULL}};
enum { REDUCERS = sizeof reducers / sizeof reducers[0] };
static const scanning affine_final = {"scan_affine_final", sizeof same, element_affine, &same, join_affine, NULL};
static const scanning affine_by_key = {"scan_affine_by_key", sizeof same, element_affine, &same, join_affine, is_head};
static const scanning select_positive = {"scan_select", sizeof none, element_select, &none, join_select, NULL};
static const scanning by_key = {"scan_by_key", sizeof(float), element_by_key, &float_zero, join_by_key, is_head};

/* ----------------------------------------------------------------------------------------- trials -- */

/* Numbers whose sums depend on the order, of all signs and many sizes. */
static void fill(double *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int exponent = (int)(seed >> 59) - 16;
        x[i] = (double)(int32_t)(seed >> 24 & 0xffff00ff) * (exponent < 0 ? 1.0 / (double)(1 << -exponent) : 1.0);
    }
}

/* Elements and results on the device and here. */
typedef struct data {
    double *x, *y;
    unsigned char *found, *expected;
    scans_args here, there;
    accel_buffer *result;
} data;

static const scanning *current;

static data data_of(trial *t, size_t n)
{
    const accel_buffer_desc desc = accel_buffer_1d(current->size, n);
    data d = {.x = host_memory(n * sizeof(double)),
              .y = host_memory(n * sizeof(double)),
              .found = host_memory(n * current->size),
              .expected = host_memory(n * current->size),
              .result = buffer_new(test.device, &desc)};
    fill(d.x, n, 1);
    fill(d.y, n, 2);
    d.here = (scans_args){.x = d.x, .y = d.y};
    d.there = (scans_args){.x = trial_memory(t, d.x, n * sizeof(double)),
                           .y = trial_memory(t, d.y, n * sizeof(double)),
                           .kept = trial_memory(t, NULL, n * sizeof(double)),
                           .prefix = trial_memory(t, NULL, n * sizeof(uint32_t))};
    ok(accel_fill(t->queue, d.result, "\x5a", 1, NULL));
    return d;
}

static void free_data(data *d)
{
    accel_buffer_release(d->result);
    free(d->x);
    free(d->y);
    free(d->found);
    free(d->expected);
}

/* What follows the n results stays. */
static void compare(trial *t, data *d, size_t n, bool inclusive)
{
    const uint32_t flags = inclusive ? ACCEL_SCAN_INCLUSIVE : ACCEL_SCAN_EXCLUSIVE;
    ok(accel_read(t->queue, d->expected, d->result));
    ok(accel_queue_wait(t->queue));
    scan_all(current, &d->here, n, inclusive, d->expected);
    ok(accel_scan(t->queue, t->kernel, n, &d->there, sizeof d->there, d->result, flags));
    ok(accel_read(t->queue, d->found, d->result));
    ok(accel_queue_wait(t->queue));
    accel_buffer_properties p = buffer_info(d->result);
    for (size_t i = 0; i < p.extent[0]; ++i)
        trial_assert(t, memcmp(d->found + i * current->size, d->expected + i * current->size, current->size) == 0,
                     "%zu elements, flags %u: result %zu has other bits", n, flags, i);
}

static bool is_cpu(void)
{
    return test.properties.kind == ACCEL_DEVICE_CPU;
}

static void check(trial *t)
{
    static const size_t few[] = {0, 1, 2, 15, 16, 17, 128, 129, 511, 512, 513, 2047, 2048, 2049, 4097, MOST};
    data d = data_of(t, MOST);
    for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i)
        compare(t, &d, few[i], i % 2 == 0);
    free_data(&d);
}

/* GPUs are interpreted in tests. */
static void check_reducer(trial *t)
{
    static const size_t sizes[] = {17, 2, 2049, 0, 1, 16, 511, 2047, 2048, 4097, MOST};
    data d = data_of(t, MOST);
    for (size_t i = 0; i < (is_cpu() ? sizeof sizes / sizeof sizes[0] : 3); ++i)
        compare(t, &d, sizes[i], i % 2 == 0);
    compare(t, &d, 700, false);
    free_data(&d);
}

/* What precedes an element does not depend on how many follow: the results of n elements are the first n of all. What follows
 * them stays. */
static void check_all(trial *t)
{
    const bool whole = getenv("SUITE_WHOLE") != NULL;
    const size_t most = whole ? 5000 : 2100, bytes = most * current->size;
    data d = data_of(t, most);
    unsigned char *all[2] = {host_memory(bytes), host_memory(bytes)};
    scan_all(current, &d.here, most, false, all[ACCEL_SCAN_EXCLUSIVE]);
    scan_all(current, &d.here, most, true, all[ACCEL_SCAN_INCLUSIVE]);
    ok(accel_read(t->queue, d.expected, d.result));
    ok(accel_queue_wait(t->queue));
    for (size_t n = 3; n <= most; n += whole || (is_cpu() && n < 300) ? 1 : is_cpu() ? 37 : 419) {
        for (uint32_t flags = whole ? 0 : n % 2; flags < 2; flags += whole ? 1 : 2) {
            memcpy(d.expected, all[flags], n * current->size);
            ok(accel_scan(t->queue, t->kernel, n, &d.there, sizeof d.there, d.result, flags));
            ok(accel_read(t->queue, d.found, d.result));
            ok(accel_queue_wait(t->queue));
            trial_assert(t, memcmp(d.found, d.expected, bytes) == 0, "%zu elements, flags %u: other bits", n, flags);
        }
    }
    free(all[0]);
    free(all[1]);
    free_data(&d);
}

/* Signed zeros, NaNs, infinities and denormals: what is kept is the same. */
static void check_special(trial *t)
{
    static const size_t sizes[] = {33, 2050, 1, 2, 16, 31, 300, 2047, MOST};
    data d = data_of(t, MOST);
    for (unsigned kind = 0; kind < TRIAL_SPECIAL_KINDS; ++kind) {
        for (size_t i = 0; i < MOST; ++i)
            d.x[i] = trial_special(kind, i);
        d.there.x = trial_memory(t, d.x, MOST * sizeof *d.x);
        for (size_t s = 0; s < (is_cpu() ? sizeof sizes / sizeof sizes[0] : 2); ++s)
            compare(t, &d, sizes[s], (s + kind) % 2 == 0);
    }
    free_data(&d);
}

static void check_large(trial *t)
{
    data d = data_of(t, t->n);
    compare(t, &d, t->n, t->n % 2 == 0);
    free_data(&d);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {128}, .elems = {1}}};
static const trial_shapes one_shape = {1, shapes};

static void try_scan(const scanning *what, trial_sizes sizes, trial_function function)
{
    current = what;
    try_kernel(what->kernel, sizes, one_shape, function);
}

START_TEST(p7_p8_scans_have_the_bits_of_the_rules)
{
    try_scan(&dot, TRIAL_SIZES(MOST), check);
    try_scan(&affine, TRIAL_SIZES(MOST), check);
    for (size_t s = 0; s < sizeof others / sizeof others[0]; ++s)
        try_scan(&others[s], TRIAL_SIZES(MOST), check);
}
END_TEST

START_TEST(p7_scans_by_every_kind_of_reducer_have_the_bits_of_the_rules)
{
    for (size_t s = 0; s < REDUCERS; ++s)
        try_scan(&reducers[s], TRIAL_SIZES(MOST), check_reducer);
}
END_TEST

/* Of the reducers that keep values of floating point. */
START_TEST(p7_scans_keep_the_zero_of_the_rules_and_no_nan)
{
    for (size_t s = 0; s < REDUCERS; ++s) {
        if (strncmp(reducers[s].kernel, "scan_m", 6) == 0)
            try_scan(&reducers[s], TRIAL_SIZES(MOST), check_special);
    }
}
END_TEST

START_TEST(p7_scans_of_every_length_have_the_bits_of_the_rules)
{
    try_scan(&dot, TRIAL_SIZES(0), check_all);
    if (getenv("SUITE_WHOLE") == NULL)
        return;
    const scanning *const more[] = {&affine,        &others[0],       &others[1],   &by_key,
                                    &affine_by_key, &select_positive, &affine_final};
    for (size_t m = 0; m < sizeof more / sizeof more[0]; ++m)
        try_scan(more[m], TRIAL_SIZES(0), check_all);
    for (size_t s = 0; s < REDUCERS; ++s)
        try_scan(&reducers[s], TRIAL_SIZES(0), check_all);
}
END_TEST

/* One group, a tile more, and three, where what precedes the last follows from two others. */
START_TEST(p7_large_scans_have_the_bits_of_the_rules)
{
    try_scan(&dot, TRIAL_SIZES(RUNS * TILE, RUNS * TILE + 1, 2 * RUNS * TILE + 77), check_large);
    if (is_cpu()) {
        try_scan(&affine, TRIAL_SIZES(600012), check_large);
        try_scan(&by_key, TRIAL_SIZES(300007), check_large);
        try_scan(&affine_by_key, TRIAL_SIZES(600012), check_large);
        for (size_t s = 0; s < REDUCERS; ++s)
            try_scan(&reducers[s], TRIAL_SIZES(RUNS * TILE + 17), check_large);
    }
    if (getenv("SUITE_WHOLE") != NULL) {
        try_scan(&dot, TRIAL_SIZES(10000000), check_large);
        try_scan(&affine_by_key, TRIAL_SIZES(10000001), check_large);
        for (size_t s = 0; s < REDUCERS; ++s)
            try_scan(&reducers[s], TRIAL_SIZES(10000000), check_large);
    }
}
END_TEST

/* The element of index i reads the result's element i. */
static void check_in_place(trial *t)
{
    data d = data_of(t, t->n);
    d.there.x = accel_buffer_ptr(d.result);
    for (uint32_t flags = 0; flags < 2; ++flags) {
        scan_all(current, &d.here, t->n, flags == ACCEL_SCAN_INCLUSIVE, d.expected);
        ok(accel_write(t->queue, d.result, d.x));
        ok(accel_scan(t->queue, t->kernel, t->n, &d.there, sizeof d.there, d.result, flags));
        ok(accel_read(t->queue, d.found, d.result));
        ok(accel_queue_wait(t->queue));
        trial_assert(t, memcmp(d.found, d.expected, t->n * current->size) == 0, "in place, flags %u: other bits",
                     flags);
    }
    free_data(&d);
}

START_TEST(p8_a_scan_may_be_in_place)
{
    try_scan(&dot, TRIAL_SIZES(1, 2048, MOST), check_in_place);
    if (is_cpu())
        try_scan(&dot, TRIAL_SIZES(600000), check_in_place);
}
END_TEST

/* With a result and without: each index once. */
static void check_final(trial *t)
{
    data d = data_of(t, t->n);
    uint32_t *prefix = host_memory(t->n * sizeof *prefix), expected = 0;
    double *kept = host_memory(t->n * sizeof *kept);
    ok(accel_scan(t->queue, t->kernel, t->n, &d.there, sizeof d.there, NULL, ACCEL_SCAN_EXCLUSIVE));
    trial_read(t, d.there.prefix, prefix, t->n * sizeof *prefix);
    trial_read(t, d.there.kept, kept, t->n * sizeof *kept);
    for (size_t i = 0; i < t->n; ++i) {
        trial_words_equal(t, i, prefix[i], expected + 1);
        if (d.x[i] > 0)
            trial_doubles_equal(t, i, kept[expected], d.x[i]);
        expected += d.x[i] > 0;
    }
    compare(t, &d, t->n, false);
    compare(t, &d, t->n, true);
    trial_read(t, d.there.prefix, prefix, t->n * sizeof *prefix);
    expected = 0;
    for (size_t i = 0; i < t->n; ++i) {
        const uint32_t before = expected;
        expected += d.x[i] > 0;
        trial_words_equal(t, i, prefix[i], 2 * (before + 1) + expected + 1);
    }
    free(prefix);
    free(kept);
    free_data(&d);
}

START_TEST(p9_the_final_pass_has_each_index_once_with_its_prefix)
{
    try_scan(&select_positive, TRIAL_SIZES(1, 100, 2048, MOST), check_final);
}
END_TEST

/* The prefix of each index, in each pass. */
static void passes_are(trial *t, const data *d, uint32_t passes, const unsigned char *expected)
{
    uint32_t *count = host_memory(t->n * sizeof *count);
    double *offset = host_memory(t->n * sizeof *offset);
    trial_read(t, d->there.prefix, count, t->n * sizeof *count);
    trial_read(t, d->there.kept, offset, t->n * sizeof *offset);
    for (size_t i = 0; i < t->n; ++i) {
        scans_affine prefix;
        memcpy(&prefix, expected + i * sizeof prefix, sizeof prefix);
        trial_words_equal(t, i, count[i], passes);
        trial_assert(t, memcmp(&offset[i], &prefix.offset, sizeof offset[i]) == 0, "index %zu has another prefix", i);
    }
    free(count);
    free(offset);
}

static void check_affine_final(trial *t)
{
    data d = data_of(t, t->n);
    scan_all(current, &d.here, t->n, false, d.expected);
    ok(accel_scan(t->queue, t->kernel, t->n, &d.there, sizeof d.there, NULL, ACCEL_SCAN_EXCLUSIVE));
    passes_are(t, &d, 1, d.expected);
    compare(t, &d, t->n, true);
    passes_are(t, &d, 2, d.found);
    free_data(&d);
}

START_TEST(p9_the_final_pass_has_structs_and_their_order)
{
    try_scan(&affine_final, TRIAL_SIZES(1, 2049, is_cpu() ? MOST : 4100), check_affine_final);
}
END_TEST

/* Several groups of tiles, and chunks where the caches do not hold them. */
START_TEST(p9_large_final_passes_have_each_index_once_with_its_prefix)
{
    try_scan(&select_positive, is_cpu() ? TRIAL_SIZES(300007, 1200007) : TRIAL_SIZES(RUNS * TILE + 1), check_final);
    if (is_cpu())
        try_scan(&affine_final, TRIAL_SIZES(600012), check_affine_final);
}
END_TEST

static accel_device *parts[2];

static void check_parts(trial *t)
{
    data d = data_of(t, t->n);
    accel_queue *whole = t->queue;
    for (size_t p = 0; p < 2; ++p) {
        ok(accel_fill(whole, d.result, "\x5a", 1, NULL));
        ok(accel_queue_wait(whole));
        t->queue = queue_new(parts[p], p == 0 ? 0 : ACCEL_QUEUE_BLOCKING);
        compare(t, &d, t->n, p == 0);
        accel_queue_release(t->queue);
    }
    t->queue = whole;
    free_data(&d);
}

START_TEST(p7_parts_of_a_device_give_the_same_bits)
{
    need_parts(parts);
    try_scan(&dot, TRIAL_SIZES(RUNS * TILE + 1), check_parts);
    try_scan(&by_key, TRIAL_SIZES(MOST), check_parts);
    for (size_t s = 0; is_cpu() && s < REDUCERS; ++s)
        try_scan(&reducers[s], TRIAL_SIZES(RUNS * TILE + 1), check_parts);
    accel_device_release(parts[0]);
    accel_device_release(parts[1]);
}
END_TEST

START_TEST(p10_a_scan_by_key_begins_again_at_each_head)
{
    try_scan(&by_key, TRIAL_SIZES(MOST), check);
    try_scan(&affine_by_key, TRIAL_SIZES(MOST), check_reducer);
}
END_TEST

void scans_tests(Suite *suite)
{
    add(suite, p7_p8_scans_have_the_bits_of_the_rules);
    add(suite, p7_scans_by_every_kind_of_reducer_have_the_bits_of_the_rules);
    add(suite, p7_scans_keep_the_zero_of_the_rules_and_no_nan);
    add(suite, p7_scans_of_every_length_have_the_bits_of_the_rules);
    add(suite, p7_large_scans_have_the_bits_of_the_rules);
    add(suite, p7_parts_of_a_device_give_the_same_bits);
    add(suite, p8_a_scan_may_be_in_place);
    add(suite, p9_the_final_pass_has_each_index_once_with_its_prefix);
    add(suite, p9_the_final_pass_has_structs_and_their_order);
    add_for_threads(suite, p9_large_final_passes_have_each_index_once_with_its_prefix);
    add(suite, p10_a_scan_by_key_begins_again_at_each_head);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A scan by key with a final pass gives it what a loop gives (P9, P10), and the same to the result. */
#include "../kernels/segments.h"
#include "trial.h"

#include <accel/pattern.h>
#include <string.h>

enum { TILE = 2048, GROUP = 128 * TILE };

/* ------------------------------------------------------------------------------------- what is scanned -- */

typedef struct segmenting {
    const char *kernel;
    size_t size; /* of an element; it is the last bytes of a segments_affine */
    segments_affine start;
    segments_affine (*element)(uint32_t x);
    segments_affine (*joined)(segments_affine a, segments_affine b);
} segmenting;

static segments_affine number(uint32_t x)
{
    return (segments_affine){0, x};
}

static segments_affine sum(segments_affine a, segments_affine b)
{
    return (segments_affine){0, a.offset + b.offset};
}

static segments_affine affine(uint32_t x)
{
    return (segments_affine){2 * x + 1, x >> 3};
}

static segments_affine composed(segments_affine a, segments_affine b)
{
    return (segments_affine){b.factor * a.factor, b.factor * a.offset + b.offset};
}

static const segmenting sums = {"segments_sum", sizeof(uint32_t), {0, 0}, number, sum},
                        affines = {"segments_compose", sizeof(segments_affine), {1, 0}, affine, composed};
static const segmenting *current;

/* Where segments begin: nowhere, everywhere, seldom, and so that all lengths up to 90 occur. */
enum { NO_HEADS = 0, ALL_HEADS = 1, FEW_HEADS = 2, MANY_HEADS = 4 };

static bool is_few(size_t i)
{
    static const size_t few[] = {5, TILE - 1, TILE, 2 * TILE + 1, 100003, GROUP, 1000000};
    for (size_t f = 0; f < sizeof few / sizeof few[0]; ++f)
        if (i == few[f])
            return true;
    return false;
}

static void fill_heads(uint8_t *head, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        head[i] = (uint8_t)(ALL_HEADS | (is_few(i) ? FEW_HEADS : 0));
    for (size_t at = 3, length = 1; at < n; at += length, length = length % 90 + 1)
        head[at] |= MANY_HEADS;
}

/* ----------------------------------------------------------------------------------------------- trials -- */

/* What the device is given and gives. */
typedef struct data {
    uint32_t *x, *passes;
    uint8_t *head;
    segments_affine *element, *prefix;
    unsigned char *result;
    segments_args there;
    accel_buffer *buffer;
    uint32_t expected_passes;
} data;

static data data_of(trial *t)
{
    const size_t n = t->n;
    const accel_buffer_desc desc = accel_buffer_1d(current->size, n);
    data d = {.x = host_memory(n * sizeof *d.x),
              .passes = host_memory(n * sizeof *d.passes),
              .head = host_memory(n),
              .element = host_memory(n * sizeof *d.element),
              .prefix = host_memory(n * sizeof *d.prefix),
              .result = host_memory(n * current->size),
              .buffer = buffer_new(test.device, &desc)};
    for (size_t i = 0; i < n; ++i)
        d.x[i] = (uint32_t)((i + 1) * 2654435769u >> 7);
    fill_heads(d.head, n);
    d.there = (segments_args){.x = trial_memory(t, d.x, n * sizeof *d.x),
                              .head = trial_memory(t, d.head, n),
                              .element = trial_memory(t, NULL, n * sizeof *d.element),
                              .prefix = trial_memory(t, NULL, n * sizeof *d.prefix),
                              .passes = trial_memory(t, NULL, n * sizeof *d.passes)};
    return d;
}

static void free_data(data *d)
{
    accel_buffer_release(d->buffer);
    free(d->x);
    free(d->passes);
    free(d->head);
    free(d->element);
    free(d->prefix);
    free(d->result);
}

static void check_results(trial *t, data *d, bool inclusive, bool has_result)
{
    segments_affine s = current->start;
    for (size_t i = 0; i < t->n; ++i) {
        const segments_affine element = current->element(d->x[i]),
                              before = (d->head[i] & d->there.heads) != 0 ? current->start : s,
                              after = current->joined(before, element), expected = inclusive ? after : before;
        const unsigned char *bytes = (const unsigned char *)&expected + sizeof expected - current->size;
        trial_words_equal(t, i, d->passes[i], d->expected_passes);
        trial_assert(t, memcmp(&d->element[i], &element, sizeof element) == 0, "index %zu has another element", i);
        trial_assert(t, memcmp(&d->prefix[i], &expected, sizeof expected) == 0, "index %zu has prefix %u, not %u", i,
                     d->prefix[i].offset, expected.offset);
        trial_assert(t, !has_result || memcmp(d->result + i * current->size, bytes, current->size) == 0,
                     "index %zu has another result", i);
        s = after;
    }
}

static void check_scan(trial *t, data *d, int heads, uint32_t flags, bool has_result)
{
    accel_buffer *result = has_result ? d->buffer : NULL;
    d->there.heads = heads;
    ok(accel_scan(t->queue, t->kernel, t->n, &d->there, sizeof d->there, result, flags));
    if (has_result)
        ok(accel_read(t->queue, d->result, result));
    d->expected_passes++;
    trial_read(t, d->there.element, d->element, t->n * sizeof *d->element);
    trial_read(t, d->there.prefix, d->prefix, t->n * sizeof *d->prefix);
    trial_read(t, d->there.passes, d->passes, t->n * sizeof *d->passes);
    check_results(t, d, flags == ACCEL_SCAN_INCLUSIVE, has_result);
}

static void check(trial *t)
{
    static const int heads[] = {NO_HEADS, ALL_HEADS, FEW_HEADS, MANY_HEADS};
    data d = data_of(t);
    for (size_t h = 0; h < sizeof heads / sizeof heads[0]; ++h) {
        check_scan(t, &d, heads[h], ACCEL_SCAN_EXCLUSIVE, h % 2 == 0);
        check_scan(t, &d, heads[h], ACCEL_SCAN_INCLUSIVE, h % 2 != 0);
    }
    free_data(&d);
}

static void check_large(trial *t)
{
    data d = data_of(t);
    check_scan(t, &d, MANY_HEADS, ACCEL_SCAN_EXCLUSIVE, true);
    check_scan(t, &d, FEW_HEADS, ACCEL_SCAN_INCLUSIVE, false);
    free_data(&d);
}

static void try_segments(const segmenting *what, trial_sizes sizes, trial_function function)
{
    static const trial_shape shape = {.dims = 1, .blocks = {1}, .threads = {128}, .elems = {1}};
    const trial_shapes one_shape = {1, &shape};
    current = what;
    try_kernel(what->kernel, sizes, one_shape, function);
}

START_TEST(p9_p10_a_final_pass_by_key_has_each_index_once_with_its_prefix)
{
    const trial_sizes sizes = TRIAL_SIZES(0, 1, 15, 16, 17, 511, 512, TILE - 1, TILE, TILE + 1, 4099, 20011);
    try_segments(&sums, sizes, check);
    try_segments(&affines, sizes, check);
}
END_TEST

/* Several groups of tiles, and on CPUs chunks where the caches do not hold them. GPUs are interpreted in tests. */
START_TEST(p9_p10_large_final_passes_by_key_have_each_index_once_with_its_prefix)
{
    const size_t most = test.properties.kind == ACCEL_DEVICE_CPU ? 1200007 : GROUP + 1;
    try_segments(&sums, TRIAL_SIZES(most), check_large);
    try_segments(&affines, TRIAL_SIZES(most), check_large);
}
END_TEST

void segments_tests(Suite *suite)
{
    add(suite, p9_p10_a_final_pass_by_key_has_each_index_once_with_its_prefix);
    add(suite, p9_p10_large_final_passes_by_key_have_each_index_once_with_its_prefix);
}

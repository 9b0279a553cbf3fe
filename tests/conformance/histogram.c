/* SPDX-License-Identifier: Apache-2.0 */
/* accel_histogram: even bins and given ones, all types, few bins and many, and what is refused. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <math.h>

enum { N = 20011, MOST_BINS = 300000 };

typedef struct counting {
    uint32_t type;
    size_t n, bins, count_size;
    bool has_edges;
} counting;

static size_t size_of(uint32_t type)
{
    return type == ACCEL_TYPE_INT32 || type == ACCEL_TYPE_UINT32 || type == ACCEL_TYPE_FLOAT ? 4 : 8;
}

static const double low = -50.25, high = 1000.5;

/* Mostly inside, some at the ends, some outside, some NaNs. Returns it as a double. */
static double put_value(uint32_t type, void *values, size_t i)
{
    const uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u >> 20;
    double x = (double)(r % 1200000) * 0x1p-10 - 60;
    if (i % 97 == 5)
        x = i % 2 == 0 ? low : high;
    switch (type) {
    case ACCEL_TYPE_INT32:
        return (double)(((int32_t *)values)[i] = (int32_t)x);
    case ACCEL_TYPE_UINT32:
        return (double)(((uint32_t *)values)[i] = (uint32_t)(int32_t)x); /* negative ones become large */
    case ACCEL_TYPE_INT64:
        return (double)(((int64_t *)values)[i] = (int64_t)x);
    case ACCEL_TYPE_UINT64:
        return (double)(((uint64_t *)values)[i] = (uint64_t)(int64_t)x);
    case ACCEL_TYPE_FLOAT:
        return (double)(((float *)values)[i] = i % 101 == 7 ? NAN : (float)x);
    default:
        return ((double *)values)[i] = i % 101 == 7 ? (double)INFINITY : x;
    }
}

/* Edges that are no even ones: squares. */
static double edge_of(const counting *c, size_t k)
{
    const double part = (double)k / (double)c->bins;
    return low + (high - low) * part * part;
}

/* The bin, or none: c->bins. */
static size_t bin_of(const counting *c, double x)
{
    size_t bin = 0;
    if (!(x >= low && x < high))
        return c->bins;
    if (c->has_edges) {
        while (bin + 1 < c->bins && edge_of(c, bin + 1) <= x)
            ++bin;
        return bin;
    }
    const volatile double scale = (double)c->bins / (high - low);
    const volatile double from_low = x - low;
    bin = (size_t)(from_low * scale);
    return bin < c->bins ? bin : c->bins - 1;
}

static void check(accel_queue *queue, const counting *c)
{
    const accel_buffer_desc value_desc = accel_buffer_1d(size_of(c->type), c->n),
                            count_desc = accel_buffer_1d(c->count_size, c->bins),
                            edge_desc = accel_buffer_1d(sizeof(double), c->bins + 1);
    accel_buffer *values = buffer_new(test.device, &value_desc), *counts = buffer_new(test.device, &count_desc);
    accel_buffer *edges = buffer_new(test.device, &edge_desc);
    accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
    const uint32_t rubbish = 0xabcdef01;
    void *v = malloc(c->n * 8 + 8), *found = malloc(c->bins * 8);
    double *e = malloc((c->bins + 1) * sizeof *e);
    uint64_t *expected = calloc(c->bins + 1, sizeof *expected);
    for (size_t i = 0; i < c->n; ++i)
        ++expected[bin_of(c, put_value(c->type, v, i))];
    for (size_t k = 0; k <= c->bins; ++k)
        e[k] = edge_of(c, k);
    ok(accel_write(queue, values, v));
    ok(accel_write(queue, edges, e));
    ok(accel_fill(queue, counts, &rubbish, sizeof rubbish, NULL));
    desc.type = c->type;
    desc.low = c->has_edges ? 0 : low;
    desc.high = c->has_edges ? 0 : high;
    desc.edges = c->has_edges ? edges : NULL;
    ok_if_supported(accel_histogram(queue, &desc, values, counts));
    ok(accel_read(queue, found, counts));
    ok(accel_queue_wait(queue));
    for (size_t k = 0; k < c->bins; ++k) {
        const uint64_t count = c->count_size == 4 ? ((uint32_t *)found)[k] : ((uint64_t *)found)[k];
        ck_assert_msg(count == expected[k], "type %u, %zu values, bin %zu of %zu: %llu, not %llu", c->type, c->n, k,
                      c->bins, (unsigned long long)count, (unsigned long long)expected[k]);
    }
    free(v), free(found), free(e), free(expected);
    accel_buffer_release(values);
    accel_buffer_release(counts);
    accel_buffer_release(edges);
}

START_TEST(a5_values_of_every_type_count_in_even_and_given_bins)
{
    accel_queue *queue = queue_new(test.device, 0);
    const size_t n = test.properties.kind == ACCEL_DEVICE_GPU ? 3000 : 2 * N;
    for (uint32_t type = ACCEL_TYPE_INT32; type <= ACCEL_TYPE_DOUBLE; ++type) {
        for (uint32_t given = 0; given < 2; ++given) {
            const counting c = {type, n, 37, type % 2 == 0 ? 4 : 8, given != 0};
            check(queue, &c);
        }
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a5_any_number_of_values_and_bins)
{
    static const size_t bins[] = {1, 2, 256, 1023, 1024, 5000, MOST_BINS}, sizes[] = {0, 1, 255, 256, 257, 1030, N};
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    for (size_t i = 0; i < sizeof bins / sizeof bins[0]; ++i) {
        const size_t n = test.properties.kind == ACCEL_DEVICE_GPU && sizes[i] == N ? 700 : sizes[i];
        counting c = {ACCEL_TYPE_DOUBLE, n, bins[i], 4, i % 2 == 1 && bins[i] < 5000};
        check(queue, &c);
        c = (counting){ACCEL_TYPE_FLOAT, 700, bins[i], 8, false};
        check(queue, &c);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a5_what_is_no_histogram_is_refused)
{
    const accel_buffer_desc bytes = accel_buffer_1d(2, 10), none = accel_buffer_1d(4, 0),
                            doubles = accel_buffer_1d(8, 4);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *values = words_new(test.device, 10, 7), *counts = words_new(test.device, 4, 9);
    accel_buffer *narrow = buffer_new(test.device, &bytes), *empty = buffer_new(test.device, &none),
                 *edges = buffer_new(test.device, &doubles);
    accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "type is 0");
    desc.type = ACCEL_TYPE_UINT32;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "low is 0", "high 0");
    desc.high = INFINITY;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "inf");
    desc.low = NAN;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "nan");
    desc.low = -1.7e308;
    desc.high = 1.7e308;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "4 even bins", "high - low is more");
    desc.low = 0;
    desc.high = 5e-324;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "too narrow");
    desc.high = 1;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, narrow), "counts have 2 bytes", "4 or 8 bytes");
    ok(accel_histogram(queue, &desc, values, empty)); /* M3: no bins, nothing to do */
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, values), "values and counts");
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, edges, counts), "values", "8 bytes");
    desc.edges = edges;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "desc.edges has 4 elements", "5");
    desc.edges = values;
    refused(ACCEL_INVALID, accel_histogram(queue, &desc, values, counts), "desc.edges", "4 bytes");
    words_are(queue, counts, 9);
    accel_buffer_release(values);
    accel_buffer_release(counts);
    accel_buffer_release(narrow);
    accel_buffer_release(empty);
    accel_buffer_release(edges);
    accel_queue_release(queue);
}
END_TEST

/* The memory is not touched. */
START_TEST(a5_more_bins_than_can_be_counted_are_refused)
{
    const size_t many = INT32_MAX;
    const accel_buffer_desc words = accel_buffer_1d(sizeof(uint32_t), many);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *values = words_new(test.device, 10, 7), *counts = NULL;
    accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
    desc.type = ACCEL_TYPE_UINT32;
    desc.high = 1;
    if (test.properties.kind != ACCEL_DEVICE_CPU ||
        accel_buffer_wrap(test.host, (void *)(uintptr_t)4096, &words, &counts) != ACCEL_OK)
        not_here("it is about wrapped memory of hosts");
    refused(ACCEL_LIMIT, accel_histogram(queue, &desc, values, counts), "counts has 2147483647 elements", "2^31 - 2");
    words_are(queue, values, 7);
    accel_buffer_release(values);
    accel_buffer_release(counts);
    accel_queue_release(queue);
}
END_TEST

Suite *histogram_suite(void)
{
    Suite *suite = suite_create("histogram");
    add_for_threads(suite, a5_values_of_every_type_count_in_even_and_given_bins);
    add_for_threads(suite, a5_any_number_of_values_and_bins);
    add(suite, a5_what_is_no_histogram_is_refused);
    add(suite, a5_more_bins_than_can_be_counted_are_refused);
    return suite;
}

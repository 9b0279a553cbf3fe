/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms of accel/algorithm.h: sorts of a copy of the keys, histograms and selections; launch and wait included. */
#include <accel/algorithm.h>
#include <stdlib.h>

#include "cases/algorithm_values.h"
#include "cases/cases.h"
#include "clock.h"

enum { N = 10000000, QUICK_N = 20000 };

typedef struct algorithm_state {
    const char *name;
    size_t n, size;
    accel_queue *queue;
    accel_buffer *from, *to; /* of a sort: keys in disorder, in order; of a histogram: values, counts */
    accel_sort_desc sort;
    accel_histogram_desc histogram;
    accel_buffer *flags, *count; /* of a selection */
} algorithm_state;

static bool sample_sort(void *user, size_t repetitions, double *nanoseconds)
{
    algorithm_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_copy(s->queue, s->to, s->from, NULL);
        status |= accel_sort(s->queue, &s->sort, s->to, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check(s->name, status);
}

static bool sample_histogram(void *user, size_t repetitions, double *nanoseconds)
{
    algorithm_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_histogram(s->queue, &s->histogram, s->from, s->to);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check(s->name, status);
}

/* What the buffer holds; the caller frees. */
static void *result_of(const algorithm_state *s, size_t bytes)
{
    void *found = malloc(bytes);
    if (found != NULL && bench_check(s->name, accel_read(s->queue, found, s->to)) &&
        bench_check(s->name, accel_queue_wait(s->queue)))
        return found;
    free(found);
    return NULL;
}

static bool validate_sort(void *user)
{
    const algorithm_state *s = user;
    void *found = result_of(s, s->n * s->size);
    bool good = found != NULL;
    for (size_t i = 1; good && i < s->n; ++i)
        good = s->size == 4 ? ((uint32_t *)found)[i - 1] <= ((uint32_t *)found)[i]
                            : ((double *)found)[i - 1] <= ((double *)found)[i];
    free(found);
    return good;
}

static bool validate_histogram(void *user)
{
    const algorithm_state *s = user;
    uint32_t expected[HISTOGRAM_BINS] = {0}, *found = result_of(s, sizeof expected);
    bool good = found != NULL;
    for (size_t i = 0; i < s->n; ++i)
        ++expected[(size_t)(histogram_float(i) * HISTOGRAM_BINS)];
    for (size_t b = 0; good && b < HISTOGRAM_BINS; ++b)
        good = found[b] == expected[b];
    free(found);
    return good;
}

static bool set_up(bench *b, algorithm_state *s, const void *values, const accel_buffer_desc *to)
{
    const accel_buffer_desc from = accel_buffer_1d(s->size, s->n);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    return values != NULL && bench_check(s->name, accel_queue_create(b->device, &desc, &s->queue)) &&
           bench_check(s->name, accel_buffer_create(b->device, &from, &s->from)) &&
           bench_check(s->name, accel_buffer_create(b->device, to, &s->to)) &&
           bench_check(s->name, accel_write(s->queue, s->from, values));
}

static void close_state(algorithm_state *s)
{
    accel_buffer_release(s->from);
    accel_buffer_release(s->to);
    accel_buffer_release(s->flags);
    accel_buffer_release(s->count);
    accel_queue_release(s->queue);
}

typedef struct sort_row {
    const char *name;
    uint64_t type;
    const char *ways[2]; /* the second may be NULL */
    double goal;
} sort_row;

static bool sort_type(bench *b, const sort_row *row)
{
    const uint64_t type = row->type;
    algorithm_state s = {.name = "sort", .n = b->quick ? QUICK_N : N, .sort = ACCEL_SORT_DESC_INIT};
    const uint64_t parameters[NATIVE_PARAMETERS] = {s.n, type};
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_RATE,
                       .amount = (double)s.n,
                       .goal = GOAL_RATIO,
                       .goal_value = row->goal,
                       .goal_device = "cpu-threads"};
    s.size = type == SORT_DOUBLE ? sizeof(double) : sizeof(uint32_t);
    s.sort.type = type == SORT_DOUBLE ? ACCEL_TYPE_DOUBLE : ACCEL_TYPE_UINT32;
    const accel_buffer_desc keys = accel_buffer_1d(s.size, s.n);
    void *values = malloc(s.n * s.size);
    for (size_t i = 0; values != NULL && i < s.n; ++i) {
        if (type == SORT_DOUBLE)
            ((double *)values)[i] = sort_double(i);
        else
            ((uint32_t *)values)[i] = (uint32_t)algorithm_word(i);
    }
    bool good = set_up(b, &s, values, &keys) && bench_add_native(b, &c, BENCH_C, row->ways[0], parameters) &&
                (row->ways[1] == NULL || bench_add_native(b, &c, BENCH_C, row->ways[1], parameters));
    free(values);
    if (good) {
        bench_add_way(&c, "libaccel", sample_sort, &s);
        good = bench_run(b, &c, validate_sort, &s);
    }
    close_state(&s);
    return good;
}

/* The goals of qsort and std::sort are of one thread of theirs; those of parallel sorts have as many as libaccel. */
enum case_result case_sort(bench *b)
{
    const double of_qsort = 4, of_std_sort = 2 * (double)(b->about.compute_units != 0 ? b->about.compute_units : 1);
    const double equal = 1;
    static const char merge[] = "gnu-mergesort-omp", quick[] = "gnu-quicksort-omp";
    const sort_row rows[] = {
        {"sort of uint32_t", SORT_UINT32, {"qsort"}, of_qsort},
        {"sort of doubles", SORT_DOUBLE, {"qsort"}, of_qsort},
        {"sort of uint32_t, beside C++", SORT_UINT32, {"std::sort"}, of_std_sort},
        {"sort of doubles, beside C++", SORT_DOUBLE, {"std::sort"}, of_std_sort},
        {"sort of uint32_t, beside parallel C++", SORT_UINT32, {merge, quick}, equal},
        {"sort of doubles, beside parallel C++", SORT_DOUBLE, {merge, quick}, equal},
    };
    bool good = true;
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = sort_type(b, &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_histogram(bench *b)
{
    const accel_buffer_desc bins = accel_buffer_1d(sizeof(uint32_t), HISTOGRAM_BINS);
    algorithm_state s = {.name = "histogram",
                         .n = b->quick ? QUICK_N : N,
                         .size = sizeof(float),
                         .histogram = ACCEL_HISTOGRAM_DESC_INIT};
    const uint64_t parameters[NATIVE_PARAMETERS] = {s.n};
    bench_contest c = {.name = "histogram of floats, 256 bins",
                       .measure = MEASURE_RATE,
                       .amount = (double)s.n,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    float *values = malloc(s.n * sizeof *values);
    s.histogram.type = ACCEL_TYPE_FLOAT;
    s.histogram.high = 1;
    for (size_t i = 0; values != NULL && i < s.n; ++i)
        values[i] = histogram_float(i);
    bool good = set_up(b, &s, values, &bins) && bench_add_native(b, &c, BENCH_C, "histogram-omp", parameters);
    free(values);
    if (good) {
        bench_add_way(&c, "libaccel", sample_histogram, &s);
        good = bench_run(b, &c, validate_histogram, &s);
    }
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

static bool sample_select(void *user, size_t repetitions, double *nanoseconds)
{
    algorithm_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_select(s->queue, s->from, s->flags, s->to, s->count);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check(s->name, status);
}

static bool validate_select(void *user)
{
    const algorithm_state *s = user;
    uint32_t *found = result_of(s, s->n * s->size), count = 0, at = 0;
    bool good = found != NULL && bench_check(s->name, accel_read(s->queue, &count, s->count)) &&
                bench_check(s->name, accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i)
        if (select_flag(i) != 0)
            good = found[at++] == (uint32_t)i;
    free(found);
    return good && at == count;
}

enum case_result case_select(bench *b)
{
    algorithm_state s = {.name = "select", .n = b->quick ? QUICK_N : N, .size = sizeof(uint32_t)};
    const accel_buffer_desc words = accel_buffer_1d(s.size, s.n), bytes = accel_buffer_1d(1, s.n),
                            one = accel_buffer_1d(s.size, 1);
    const uint64_t parameters[NATIVE_PARAMETERS] = {s.n};
    bench_contest c = {.name = "select of uint32_t by random flags",
                       .measure = MEASURE_RATE,
                       .amount = (double)s.n,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    uint32_t *values = malloc(s.n * sizeof *values);
    uint8_t *flags = malloc(s.n);
    for (size_t i = 0; values != NULL && flags != NULL && i < s.n; ++i) {
        values[i] = (uint32_t)i;
        flags[i] = select_flag(i);
    }
    bool good = flags != NULL && set_up(b, &s, values, &words) &&
                bench_check(s.name, accel_buffer_create(b->device, &bytes, &s.flags)) &&
                bench_check(s.name, accel_buffer_create(b->device, &one, &s.count)) &&
                bench_check(s.name, accel_write(s.queue, s.flags, flags)) &&
                bench_add_native(b, &c, BENCH_C, "select-omp", parameters) &&
                bench_add_native(b, &c, BENCH_C, "select", parameters);
    free(values);
    free(flags);
    if (good) {
        bench_add_way(&c, "libaccel", sample_select, &s);
        good = bench_run(b, &c, validate_select, &s);
    }
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

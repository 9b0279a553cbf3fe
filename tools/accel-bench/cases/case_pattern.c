/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce of doubles and floats: a sum, that of short rows, a dot product, minimum and sum, and minimum, maximum and dot
 * product in one pass. The result is in host memory when the clock stops. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* A reduction: its result is so many numbers, of so many arrays. The last is the sum; of several, the first is the minimum. */
typedef struct pattern_kind {
    const char *kernel;
    size_t numbers, arrays;
    bool is_float;
    const char *parallel[2], *alone[2]; /* native ways with OpenMP, and with one thread; or NULL */
} pattern_kind;

/* Of n elements, or of n / row rows. */
typedef struct pattern_row {
    const char *name;
    const pattern_kind *kind;
    size_t n, row;
    double goal;
    bool is_long;
} pattern_row;

typedef struct pattern_state {
    const pattern_row *row;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_buffer *x, *y, *result;
    double minimum, sum, expected;
} pattern_state;

/* Whole numbers, all of whose sums doubles or floats have: exact in any order. The minimum is that of a thousand and more. */
enum { MINIMUM = -500, FLOAT_MINIMUM = -50 };

static double x_at(size_t i, bool is_float)
{
    return is_float ? (double)(i * 7919 % 101) + FLOAT_MINIMUM : (double)(i * 7919 % 1009) + MINIMUM;
}

static double number(const void *result, size_t at, bool is_float)
{
    return is_float ? (double)((const float *)result)[at] : ((const double *)result)[at];
}

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    pattern_state *s = user;
    const pattern_args arrays = {accel_buffer_ptr(s->x), accel_buffer_ptr(s->y)};
    const order_args rows = {accel_buffer_ptr(s->x), s->row->row};
    const uint32_t dims = s->row->row != 0 ? 2 : 1;
    const void *args = dims == 2 ? (const void *)&rows : &arrays;
    const size_t args_size = dims == 2 ? sizeof rows : sizeof arrays;
    const size_t extent[2] = {dims == 2 ? s->row->n / s->row->row : s->row->n, s->row->row};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_reduce(s->queue, s->kernel, dims, extent, args, args_size, s->result);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    const pattern_kind *about = s->row->kind;
    s->minimum = number(accel_buffer_ptr(s->result), 0, about->is_float);
    s->sum = number(accel_buffer_ptr(s->result), about->numbers - 1, about->is_float);
    return bench_check("patterns", status);
}

static bool validate(void *user)
{
    const pattern_state *s = user;
    const int minimum = s->row->kind->is_float ? FLOAT_MINIMUM : MINIMUM;
    if (s->sum != s->expected) {
        fprintf(stderr, "accel-bench: patterns: %s is %.17g, not %.17g\n", s->row->name, s->sum, s->expected);
        return false;
    }
    if (s->row->kind->numbers > 1 && s->minimum != minimum) {
        fprintf(stderr, "accel-bench: patterns: %s: the minimum is %.17g, not %d\n", s->row->name, s->minimum, minimum);
        return false;
    }
    return true;
}

static size_t size_of_number(const pattern_row *row)
{
    return row->kind->is_float ? sizeof(float) : sizeof(double);
}

static bool set_up(bench *b, pattern_state *s)
{
    const bool is_float = s->row->kind->is_float;
    const size_t size = size_of_number(s->row);
    const accel_buffer_desc array = accel_buffer_1d(size, s->row->n),
                            result = accel_buffer_1d(s->row->kind->numbers * size, 1);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const double one = 1;
    const float float_one = 1;
    void *x = malloc(s->row->n * size);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < s->row->n; ++i) {
        if (is_float)
            ((float *)x)[i] = (float)x_at(i, is_float);
        else
            ((double *)x)[i] = x_at(i, is_float);
        s->expected += x_at(i, is_float);
    }
    const bool good =
        x != NULL && bench_check("patterns", accel_queue_create(b->device, &desc, &s->queue)) &&
        bench_check("patterns", accel_buffer_create(b->device, &array, &s->x)) &&
        bench_check("patterns", accel_buffer_create(b->device, &array, &s->y)) &&
        bench_check("patterns", accel_buffer_create(accel_instance_host(b->instance), &result, &s->result)) &&
        bench_check("patterns", accel_write(s->queue, s->x, x)) &&
        bench_check("patterns", accel_fill(s->queue, s->y, is_float ? (const void *)&float_one : &one, size, NULL));
    free(x);
    return good;
}

static bool add(bench *b, bench_contest *c, const char *native, const uint64_t *parameters)
{
    return native == NULL || bench_add_native(b, c, BENCH_C, native, parameters);
}

static bool run(bench *b, const pattern_row *row)
{
    enum { LARGEST_ALONE = 100000 }; /* beyond, a thread alone is slower than several */
    pattern_state s = {.row = row};
    const uint64_t parameters[NATIVE_PARAMETERS] = {row->n, row->row};
    const double bytes = (double)(row->kind->arrays * size_of_number(row) * row->n);
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)row->n,
                       .goal = GOAL_RATIO,
                       .goal_value = row->goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", row->kind->kernel, &module, &s.kernel) && set_up(b, &s);
    for (size_t i = 0; good && i < sizeof row->kind->parallel / sizeof row->kind->parallel[0]; ++i)
        good = add(b, &c, row->kind->parallel[i], parameters) &&
               (row->n > LARGEST_ALONE || add(b, &c, row->kind->alone[i], parameters));
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.result);
    accel_buffer_release(s.y);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_pattern(bench *b)
{
    static const pattern_kind sum = {.kernel = "pattern_sum",
                                     .numbers = 1,
                                     .arrays = 1,
                                     .parallel = {"pattern-sum-omp", "sum-eight-omp"},
                                     .alone = {"pattern-sum-serial", "sum-eight-serial"}},
                              dot = {.kernel = "pattern_dot",
                                     .numbers = 1,
                                     .arrays = 2,
                                     .parallel = {"pattern-dot-omp", "dot-eight-omp"},
                                     .alone = {"pattern-dot-serial", "dot-eight-serial"}},
                              low = {.kernel = "pattern_min_sum",
                                     .numbers = 2,
                                     .arrays = 1,
                                     .parallel = {"min-sum-omp", "min-sum-eight-omp"},
                                     .alone = {"min-sum-serial", "min-sum-eight-serial"}},
                              f_sum = {.kernel = "float_sum",
                                       .numbers = 1,
                                       .arrays = 1,
                                       .is_float = true,
                                       .parallel = {"float-sum-omp", "float-sum-eight-omp"},
                                       .alone = {"float-sum-serial", "float-sum-eight-serial"}},
                              f_dot = {.kernel = "float_dot",
                                       .numbers = 1,
                                       .arrays = 2,
                                       .is_float = true,
                                       .parallel = {"float-dot-omp", "float-dot-eight-omp"},
                                       .alone = {"float-dot-serial", "float-dot-eight-serial"}},
                              f_low = {.kernel = "float_min_sum",
                                       .numbers = 2,
                                       .arrays = 1,
                                       .is_float = true,
                                       .parallel = {"float-min-sum-omp", "float-min-sum-eight-omp"},
                                       .alone = {"float-min-sum-serial", "float-min-sum-eight-serial"}},
                              summary = {.kernel = "pattern_summarise",
                                         .numbers = 3,
                                         .arrays = 2,
                                         .parallel = {"pattern-summary-omp"}},
                              in_rows = {.kernel = "order_rows",
                                         .numbers = 1,
                                         .arrays = 1,
                                         .parallel = {"pattern-rows-omp"},
                                         .alone = {"pattern-rows-serial"}};
    enum { SMALL = 1000, MIDDLE = 100000, LARGE = 1 << 20, LARGEST = 10000000 };
    const double short_loop = 1 / 1.15, equal = 1, struct_reducer = 0.9, short_rows = 1 / 1.3; /* bandwidths */
    const pattern_row rows[] = {
        {"sum of 10^3 doubles", &sum, SMALL, 0, short_loop, false},
        {"dot product of 10^3 doubles", &dot, SMALL, 0, short_loop, false},
        {"min + sum of 10^3 doubles", &low, SMALL, 0, short_loop, false},
        {"sum of 10^5 doubles", &sum, MIDDLE, 0, equal, false},
        {"dot product of 10^5 doubles", &dot, MIDDLE, 0, equal, false},
        {"min + sum of 10^5 doubles", &low, MIDDLE, 0, equal, false},
        {"min, max and dot of 10^5 doubles", &summary, MIDDLE, 0, struct_reducer, false},
        {"sum of rows of 12 doubles", &in_rows, (size_t)12 * 8333, 12, short_rows, false},
        {"sum of rows of 33 doubles", &in_rows, (size_t)33 * 3030, 33, short_rows, false},
        {"sum of 10^3 floats", &f_sum, SMALL, 0, short_loop, false},
        {"dot product of 10^3 floats", &f_dot, SMALL, 0, short_loop, false},
        {"min + sum of 10^3 floats", &f_low, SMALL, 0, short_loop, false},
        {"sum of 10^5 floats", &f_sum, MIDDLE, 0, equal, false},
        {"dot product of 10^5 floats", &f_dot, MIDDLE, 0, equal, false},
        {"min + sum of 10^5 floats", &f_low, MIDDLE, 0, equal, false},
        {"sum of 2^20 floats", &f_sum, LARGE, 0, equal, true},
        {"dot product of 2^20 floats", &f_dot, LARGE, 0, equal, true},
        {"min + sum of 2^20 floats", &f_low, LARGE, 0, equal, true},
        {"sum of 10^7 floats", &f_sum, LARGEST, 0, equal, true},
        {"dot product of 10^7 floats", &f_dot, LARGEST, 0, equal, true},
        {"min + sum of 10^7 floats", &f_low, LARGEST, 0, equal, true},
        {"sum of 2^20 doubles", &sum, LARGE, 0, equal, true},
        {"dot product of 2^20 doubles", &dot, LARGE, 0, equal, true},
        {"min + sum of 2^20 doubles", &low, LARGE, 0, equal, true},
        {"min, max and dot of 2^20 doubles", &summary, LARGE, 0, struct_reducer, true},
        {"sum of 10^7 doubles", &sum, LARGEST, 0, equal, true},
        {"dot product of 10^7 doubles", &dot, LARGEST, 0, equal, true},
        {"min + sum of 10^7 doubles", &low, LARGEST, 0, equal, true},
        {"min, max and dot of 10^7 doubles", &summary, LARGEST, 0, struct_reducer, true},
    };
    bool good = true;
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = (b->quick && rows[r].is_long) || run(b, &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

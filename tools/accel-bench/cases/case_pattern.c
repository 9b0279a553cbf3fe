/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce of doubles and floats: a sum, that of short rows, a dot product, minimum and sum, and minimum, maximum and dot
 * product in one pass. The result is in host memory when the clock stops. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* What the result is: so many numbers, of so many arrays. The last is the sum; of several, the first is the minimum. */
typedef struct pattern_result {
    size_t numbers, arrays;
    bool is_float;
} pattern_result;

/* Of n elements, or of n / row rows. */
typedef struct pattern_row {
    const char *name, *kernel;
    const char *native, *alone; /* with OpenMP, and with one thread or NULL */
    size_t n, row;
    double goal;
    bool is_long;
    const pattern_result *result;
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
    const pattern_result *about = s->row->result;
    s->minimum = number(accel_buffer_ptr(s->result), 0, about->is_float);
    s->sum = number(accel_buffer_ptr(s->result), about->numbers - 1, about->is_float);
    return bench_check("patterns", status);
}

static bool validate(void *user)
{
    const pattern_state *s = user;
    const int minimum = s->row->result->is_float ? FLOAT_MINIMUM : MINIMUM;
    if (s->sum != s->expected) {
        fprintf(stderr, "accel-bench: patterns: %s is %.17g, not %.17g\n", s->row->name, s->sum, s->expected);
        return false;
    }
    if (s->row->result->numbers > 1 && s->minimum != minimum) {
        fprintf(stderr, "accel-bench: patterns: %s: the minimum is %.17g, not %d\n", s->row->name, s->minimum, minimum);
        return false;
    }
    return true;
}

static size_t size_of_number(const pattern_row *row)
{
    return row->result->is_float ? sizeof(float) : sizeof(double);
}

static bool set_up(bench *b, pattern_state *s)
{
    const bool is_float = s->row->result->is_float;
    const size_t size = size_of_number(s->row);
    const accel_buffer_desc array = accel_buffer_1d(size, s->row->n),
                            result = accel_buffer_1d(s->row->result->numbers * size, 1);
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

static bool run(bench *b, const pattern_row *row)
{
    pattern_state s = {.row = row};
    const uint64_t parameters[NATIVE_PARAMETERS] = {row->n, row->row};
    const double bytes = (double)(row->result->arrays * size_of_number(row) * row->n);
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)row->n,
                       .goal = GOAL_RATIO,
                       .goal_value = row->goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", row->kernel, &module, &s.kernel) && set_up(b, &s) &&
                bench_add_native(b, &c, BENCH_C, row->native, parameters) &&
                (row->alone == NULL || bench_add_native(b, &c, BENCH_C, row->alone, parameters));
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
    static const char sum[] = "pattern_sum", of_all[] = "pattern-sum-omp", alone[] = "pattern-sum-serial";
    static const char dot[] = "pattern_dot", dots[] = "pattern-dot-omp", dot_alone[] = "pattern-dot-serial";
    static const char low[] = "pattern_min_sum", lows[] = "min-sum-omp", low_alone[] = "min-sum-serial";
    static const char summary[] = "pattern_summarise", summaries[] = "pattern-summary-omp";
    static const char f_sum[] = "float_sum", f_sums[] = "float-sum-omp", f_alone[] = "float-sum-serial";
    static const char f_dot[] = "float_dot", f_dots[] = "float-dot-omp", f_dot_alone[] = "float-dot-serial";
    static const char f_low[] = "float_min_sum", f_lows[] = "float-min-sum-omp", f_low_alone[] = "float-min-sum-serial";
    static const char rows_sum[] = "order_rows", of_rows[] = "pattern-rows-omp", row_alone[] = "pattern-rows-serial";
    static const pattern_result one = {1, 1, false}, product = {1, 2, false}, two = {2, 1, false},
                                three = {3, 2, false};
    static const pattern_result f_one = {1, 1, true}, f_product = {1, 2, true}, f_two = {2, 1, true};
    enum { LARGE = 1 << 20, LARGEST = 10000000 };
    const double short_loop = 1 / 1.15, equal = 1, struct_reducer = 0.9, short_rows = 1 / 1.3; /* bandwidths */
    const pattern_row rows[] = {
        {"sum of 10^3 doubles", sum, of_all, alone, 1000, 0, short_loop, false, &one},
        {"dot product of 10^3 doubles", dot, dots, dot_alone, 1000, 0, short_loop, false, &product},
        {"min + sum of 10^3 doubles", low, lows, low_alone, 1000, 0, short_loop, false, &two},
        {"sum of 10^5 doubles", sum, of_all, alone, 100000, 0, equal, false, &one},
        {"dot product of 10^5 doubles", dot, dots, dot_alone, 100000, 0, equal, false, &product},
        {"min + sum of 10^5 doubles", low, lows, NULL, 100000, 0, equal, false, &two},
        {"min, max and dot of 10^5 doubles", summary, summaries, NULL, 100000, 0, struct_reducer, false, &three},
        {"sum of rows of 12 doubles", rows_sum, of_rows, row_alone, (size_t)12 * 8333, 12, short_rows, false, &one},
        {"sum of rows of 33 doubles", rows_sum, of_rows, row_alone, (size_t)33 * 3030, 33, short_rows, false, &one},
        {"sum of 10^3 floats", f_sum, f_sums, f_alone, 1000, 0, short_loop, false, &f_one},
        {"dot product of 10^3 floats", f_dot, f_dots, f_dot_alone, 1000, 0, short_loop, false, &f_product},
        {"min + sum of 10^3 floats", f_low, f_lows, f_low_alone, 1000, 0, short_loop, false, &f_two},
        {"sum of 10^5 floats", f_sum, f_sums, f_alone, 100000, 0, equal, false, &f_one},
        {"dot product of 10^5 floats", f_dot, f_dots, f_dot_alone, 100000, 0, equal, false, &f_product},
        {"min + sum of 10^5 floats", f_low, f_lows, NULL, 100000, 0, equal, false, &f_two},
        {"sum of 2^20 floats", f_sum, f_sums, f_alone, LARGE, 0, equal, true, &f_one},
        {"dot product of 2^20 floats", f_dot, f_dots, f_dot_alone, LARGE, 0, equal, true, &f_product},
        {"min + sum of 2^20 floats", f_low, f_lows, NULL, LARGE, 0, equal, true, &f_two},
        {"sum of 10^7 floats", f_sum, f_sums, f_alone, LARGEST, 0, equal, true, &f_one},
        {"dot product of 10^7 floats", f_dot, f_dots, f_dot_alone, LARGEST, 0, equal, true, &f_product},
        {"min + sum of 10^7 floats", f_low, f_lows, NULL, LARGEST, 0, equal, true, &f_two},
        {"sum of 2^20 doubles", sum, of_all, alone, LARGE, 0, equal, true, &one},
        {"dot product of 2^20 doubles", dot, dots, dot_alone, LARGE, 0, equal, true, &product},
        {"min + sum of 2^20 doubles", low, lows, NULL, LARGE, 0, equal, true, &two},
        {"min, max and dot of 2^20 doubles", summary, summaries, NULL, LARGE, 0, struct_reducer, true, &three},
        {"sum of 10^7 doubles", sum, of_all, alone, LARGEST, 0, equal, true, &one},
        {"dot product of 10^7 doubles", dot, dots, dot_alone, LARGEST, 0, equal, true, &product},
        {"min + sum of 10^7 doubles", low, lows, NULL, LARGEST, 0, equal, true, &two},
        {"min, max and dot of 10^7 doubles", summary, summaries, NULL, LARGEST, 0, struct_reducer, true, &three},
        /* What the goals were written against. */
        {"sum of 10^3 doubles, eight accumulators", sum, "sum-eight-omp", "sum-eight-serial", 1000, 0, short_loop, true,
         &one},
        {"dot product of 10^3 doubles, eight accumulators", dot, "dot-eight-omp", "dot-eight-serial", 1000, 0,
         short_loop, true, &product},
        {"min + sum of 10^3 doubles, eight accumulators", low, "min-sum-eight-omp", "min-sum-eight-serial", 1000, 0,
         short_loop, true, &two},
        {"sum of 10^3 floats, eight accumulators", f_sum, "float-sum-eight-omp", "float-sum-eight-serial", 1000, 0,
         short_loop, true, &f_one},
        {"dot product of 10^3 floats, eight accumulators", f_dot, "float-dot-eight-omp", "float-dot-eight-serial", 1000,
         0, short_loop, true, &f_product},
        {"min + sum of 10^3 floats, eight accumulators", f_low, "float-min-sum-eight-omp", "float-min-sum-eight-serial",
         1000, 0, short_loop, true, &f_two},
        {"sum of 10^5 doubles, eight accumulators", sum, "sum-eight-omp", "sum-eight-serial", 100000, 0, equal, true,
         &one},
        {"dot product of 10^5 doubles, eight accumulators", dot, "dot-eight-omp", "dot-eight-serial", 100000, 0, equal,
         true, &product},
        {"min + sum of 10^5 doubles, eight accumulators", low, "min-sum-eight-omp", "min-sum-eight-serial", 100000, 0,
         equal, true, &two},
        {"sum of 10^5 floats, eight accumulators", f_sum, "float-sum-eight-omp", "float-sum-eight-serial", 100000, 0,
         equal, true, &f_one},
        {"dot product of 10^5 floats, eight accumulators", f_dot, "float-dot-eight-omp", "float-dot-eight-serial",
         100000, 0, equal, true, &f_product},
        {"min + sum of 10^5 floats, eight accumulators", f_low, "float-min-sum-eight-omp", "float-min-sum-eight-serial",
         100000, 0, equal, true, &f_two},
        {"sum of 2^20 doubles, eight accumulators", sum, "sum-eight-omp", NULL, LARGE, 0, equal, true, &one},
        {"dot product of 2^20 doubles, eight accumulators", dot, "dot-eight-omp", NULL, LARGE, 0, equal, true,
         &product},
        {"min + sum of 2^20 doubles, eight accumulators", low, "min-sum-eight-omp", NULL, LARGE, 0, equal, true, &two},
        {"sum of 2^20 floats, eight accumulators", f_sum, "float-sum-eight-omp", NULL, LARGE, 0, equal, true, &f_one},
        {"dot product of 2^20 floats, eight accumulators", f_dot, "float-dot-eight-omp", NULL, LARGE, 0, equal, true,
         &f_product},
        {"min + sum of 2^20 floats, eight accumulators", f_low, "float-min-sum-eight-omp", NULL, LARGE, 0, equal, true,
         &f_two},
    };
    bool good = true;
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = (b->quick && rows[r].is_long) || run(b, &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

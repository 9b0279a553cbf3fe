/* SPDX-License-Identifier: Apache-2.0 */
/* What the order of reductions costs: accel_reduce beside accel_reduce_unordered, the same kernel and array in one process. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* A row: a reduction of n elements, or of n / row rows. The sum is the double, or float, at `at` in the result. */
typedef struct order_row {
    const char *name, *kernel;
    size_t n, row, element, at, result;
    double goal;
    bool is_long;
} order_row;

typedef struct order_state {
    const order_row *row;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_buffer *x, *result;
    double expected;
    bool wrong;
} order_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 101) - 50;
}

/* Whole numbers: exact in any order. */
static void look(order_state *s)
{
    const char *at = (const char *)accel_buffer_ptr(s->result) + s->row->at;
    const double sum =
        s->row->element == sizeof(float) ? (double)*(const float *)(const void *)at : *(const double *)(const void *)at;
    if (sum != s->expected)
        fprintf(stderr, "accel-bench: order: %s is %.17g, not %.17g\n", s->row->name, sum, s->expected);
    s->wrong = s->wrong || sum != s->expected;
}

static bool sample(order_state *s, bool ordered, size_t repetitions, double *nanoseconds)
{
    const order_args args = {accel_buffer_ptr(s->x), s->row->row};
    const size_t extent[2] = {s->row->row != 0 ? s->row->n / s->row->row : s->row->n, s->row->row};
    const uint32_t dims = s->row->row != 0 ? 2 : 1;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        if (ordered)
            status |= accel_reduce(s->queue, s->kernel, dims, extent, &args, sizeof args, s->result);
        else
            status |= accel_reduce_unordered(s->queue, s->kernel, dims, extent, &args, sizeof args, s->result);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    look(s);
    return bench_check("order", status);
}

static bool sample_ordered(void *user, size_t repetitions, double *nanoseconds)
{
    return sample(user, true, repetitions, nanoseconds);
}

static bool sample_unordered(void *user, size_t repetitions, double *nanoseconds)
{
    return sample(user, false, repetitions, nanoseconds);
}

static bool validate(void *user)
{
    return !((const order_state *)user)->wrong;
}

static bool set_up(bench *b, order_state *s)
{
    const order_row *row = s->row;
    const accel_buffer_desc array = accel_buffer_1d(row->element, row->n), result = accel_buffer_1d(row->result, 1);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    void *x = malloc(row->n * row->element);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < row->n; ++i) {
        if (row->element == sizeof(float))
            ((float *)x)[i] = (float)x_at(i);
        else
            ((double *)x)[i] = x_at(i);
        s->expected += x_at(i);
    }
    const bool good =
        x != NULL && bench_check("order", accel_queue_create(b->device, &desc, &s->queue)) &&
        bench_check("order", accel_buffer_create(b->device, &array, &s->x)) &&
        bench_check("order", accel_buffer_create(accel_instance_host(b->instance), &result, &s->result)) &&
        bench_check("order", accel_write(s->queue, s->x, x));
    free(x);
    return good;
}

static bool run(bench *b, const order_row *row)
{
    order_state s = {.row = row};
    const double bytes = (double)row->element * (double)row->n;
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .goal = row->goal != 0 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = row->goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", row->kernel, &module, &s.kernel) && set_up(b, &s);
    if (good) {
        bench_add_way(&c, "unordered", sample_unordered, &s);
        bench_add_way(&c, "libaccel", sample_ordered, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.result);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_order(bench *b)
{
    enum { SUMMARY = sizeof(pattern_summary), DOT = offsetof(pattern_summary, dot) };
    static const order_row rows[] = {
        {"ordered sum of 10^3 doubles", "order_sum", 1000, 0, 8, 0, 8, 0, false},
        {"ordered sum of 10^5 doubles", "order_sum", 100000, 0, 8, 0, 8, 0.98, false},
        {"ordered sum of 10^5 floats", "order_float_sum", 100000, 0, 4, 0, 4, 0, false},
        {"ordered min, max and sum of 10^5", "order_summarise", 100000, 0, 8, DOT, SUMMARY, 0, false},
        {"ordered sum of rows of 40 doubles", "order_rows", 100000, 40, 8, 0, 8, 0, false},
        {"ordered sum of 2^20 doubles", "order_sum", (size_t)1 << 20, 0, 8, 0, 8, 0.98, true},
        {"ordered sum of 10^7 doubles", "order_sum", 10000000, 0, 8, 0, 8, 0.98, true},
    };
    bool good = true;
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = (b->quick && rows[r].is_long) || run(b, &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

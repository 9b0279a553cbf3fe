/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce: a sum, and minimum, maximum and dot product in one pass. The result is in host memory when the clock stops. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

typedef struct pattern_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_buffer *x, *y, *result;
    size_t n;
    bool is_sum;
    double sum, expected;
} pattern_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    pattern_state *s = user;
    const pattern_args args = {accel_buffer_ptr(s->x), accel_buffer_ptr(s->y)};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_reduce(s->queue, s->kernel, 1, &s->n, &args, sizeof args, s->result);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    const pattern_summary *result = accel_buffer_ptr(s->result);
    s->sum = s->is_sum ? result->min : result->dot; /* a sum is the first double */
    return bench_check("patterns", status);
}

/* Whole numbers: exact in any order. */
static bool validate(void *user)
{
    const pattern_state *s = user;
    if (s->sum == s->expected)
        return true;
    fprintf(stderr, "accel-bench: patterns: the sum of %zu is %.17g, not %.17g\n", s->n, s->sum, s->expected);
    return false;
}

static bool set_up(bench *b, pattern_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(double), s->n),
                            result = accel_buffer_1d(s->is_sum ? sizeof(double) : sizeof(pattern_summary), 1);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const double one = 1;
    double *x = malloc(s->n * sizeof *x);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < s->n; ++i)
        s->expected += x[i] = x_at(i);
    const bool good =
        x != NULL && bench_check("patterns", accel_queue_create(b->device, &desc, &s->queue)) &&
        bench_check("patterns", accel_buffer_create(b->device, &array, &s->x)) &&
        bench_check("patterns", accel_buffer_create(b->device, &array, &s->y)) &&
        bench_check("patterns", accel_buffer_create(accel_instance_host(b->instance), &result, &s->result)) &&
        bench_check("patterns", accel_write(s->queue, s->x, x)) &&
        bench_check("patterns", accel_fill(s->queue, s->y, &one, sizeof one, NULL));
    free(x);
    return good;
}

static bool run(bench *b, bool is_sum, const char *name, size_t n, double goal)
{
    pattern_state s = {.n = n, .is_sum = is_sum};
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = (is_sum ? 8 : 16) * (double)n;
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)n,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", is_sum ? "pattern_sum" : "pattern_summarise", &module, &s.kernel) &&
                set_up(b, &s) &&
                bench_add_native(b, &c, BENCH_C, is_sum ? "pattern-sum-omp" : "pattern-summary-omp", parameters) &&
                (!is_sum || bench_add_native(b, &c, BENCH_C, "pattern-sum-serial", parameters));
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
    const double short_loop = 1 / 1.15, equal = 1, struct_reducer = 0.9; /* bandwidths */
    bool good = run(b, true, "sum of 10^3 doubles", 1000, short_loop) &&
                run(b, true, "sum of 10^5 doubles", 100000, equal) &&
                run(b, false, "min, max and dot of 10^5 doubles", 100000, struct_reducer);
    if (good && !b->quick)
        good = run(b, true, "sum of 2^20 doubles", (size_t)1 << 20, equal) &&
               run(b, false, "min, max and dot of 2^20 doubles", (size_t)1 << 20, struct_reducer) &&
               run(b, true, "sum of 10^7 doubles", 10000000, equal) &&
               run(b, false, "min, max and dot of 10^7 doubles", 10000000, struct_reducer);
    return good ? CASE_DONE : CASE_FAILED;
}

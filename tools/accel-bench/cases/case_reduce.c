/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of an array by trees, and its minimum and sum in one pass; a second launch combines the blocks' results. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

enum { MOST_BLOCKS = 1 << 14 };

typedef struct reduce_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work, together;
    accel_buffer *x, *parts, *result; /* sums, then minima */
    size_t n;
    double sum, minimum;
} reduce_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

/* The result is on the host when the clock stops. */
static bool sample_sum(void *user, size_t repetitions, double *nanoseconds)
{
    reduce_state *s = user;
    const reduce_args all = {s->n, accel_buffer_ptr(s->x), accel_buffer_ptr(s->parts)},
                      rest = {s->work.blocks[0], accel_buffer_ptr(s->parts), accel_buffer_ptr(s->result)};
    accel_status status = ACCEL_OK;
    double result[2] = {0, 0};
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &all, sizeof all);
        status |= accel_launch(s->queue, s->kernel, &s->together, &rest, sizeof rest);
        status |= accel_read(s->queue, result, s->result);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    s->sum = result[0];
    return bench_check("reduce", status);
}

static bool sample_min_sum(void *user, size_t repetitions, double *nanoseconds)
{
    reduce_state *s = user;
    double *parts = accel_buffer_ptr(s->parts), *result_at = accel_buffer_ptr(s->result);
    const min_sum_args all = {s->n, accel_buffer_ptr(s->x), NULL, parts, parts + MOST_BLOCKS},
                       rest = {s->work.blocks[0], parts, parts + MOST_BLOCKS, result_at, result_at + 1};
    accel_status status = ACCEL_OK;
    double result[2] = {0, 0};
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &all, sizeof all);
        status |= accel_launch(s->queue, s->kernel, &s->together, &rest, sizeof rest);
        status |= accel_read(s->queue, result, s->result);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    s->sum = result[0];
    s->minimum = result[1];
    return bench_check("min-sum", status);
}

/* Whole numbers: exact in any order. */
static bool validate(void *user)
{
    const reduce_state *s = user;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += x_at(i);
    if (s->sum == sum && s->minimum == -500)
        return true;
    fprintf(stderr, "accel-bench: reduce: sum and minimum of %zu are %.17g and %.17g, not %.17g and -500\n", s->n,
            s->sum, s->minimum, sum);
    return false;
}

static bool set_up(bench *b, reduce_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(double), s->n),
                            parts = accel_buffer_1d(sizeof(double), 2 * (size_t)MOST_BLOCKS),
                            result = accel_buffer_1d(sizeof(double), 2);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    const size_t one = 1, visited = s->n / REDUCE_AT_ONCE;
    double *x = malloc(s->n * sizeof *x);
    for (size_t i = 0; x != NULL && i < s->n; ++i)
        x[i] = x_at(i);
    const bool good = x != NULL && bench_check("reduce", accel_queue_create(b->device, &desc, &s->queue)) &&
                      bench_check("reduce", accel_buffer_create(b->device, &array, &s->x)) &&
                      bench_check("reduce", accel_buffer_create(b->device, &parts, &s->parts)) &&
                      bench_check("reduce", accel_buffer_create(b->device, &result, &s->result)) &&
                      bench_check("reduce", accel_write(s->queue, s->x, x)) &&
                      bench_check("reduce", accel_work_divide(s->kernel, 1, &visited, NULL, &s->work)) &&
                      bench_check("reduce", accel_work_divide(s->kernel, 1, &one, NULL, &s->together));
    free(x);
    if (good && s->work.blocks[0] > MOST_BLOCKS)
        s->work.blocks[0] = MOST_BLOCKS; /* each takes more: the loops run over all blocks' share */
    return good;
}

typedef struct reduce_row {
    const char *name;
    size_t n;
} reduce_row;

/* Both native ways of a row take part in its contest, so that one figure is to be compared with the other. */
static enum case_result run(bench *b, const char *kernel, bench_sample sample, const char *const natives[2],
                            const reduce_row *row)
{
    reduce_state s = {.work = ACCEL_WORK_INIT, .together = ACCEL_WORK_INIT, .n = row->n, .minimum = -500};
    const uint64_t parameters[NATIVE_PARAMETERS] = {row->n};
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = 8 * (double)row->n,
                       .bytes = 8 * (double)row->n,
                       .flops = (double)row->n,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", kernel, &module, &s.kernel) && set_up(b, &s) &&
                bench_add_native(b, &c, BENCH_C, natives[0], parameters) &&
                bench_add_native(b, &c, BENCH_C, natives[1], parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.result);
    accel_buffer_release(s.parts);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good ? CASE_DONE : CASE_FAILED;
}

/* The first row is that of a quick run. */
static enum case_result run_rows(bench *b, const char *kernel, bench_sample sample, const char *const natives[2],
                                 const reduce_row *rows, size_t count)
{
    const size_t end = b->quick ? 1 : count;
    enum case_result result = CASE_DONE;
    for (size_t i = b->quick ? 0 : 1; result == CASE_DONE && i < end; ++i)
        result = run(b, kernel, sample, natives, &rows[i]);
    return result;
}

enum case_result case_reduce(bench *b)
{
    static const char *const natives[] = {"pattern-sum-omp", "sum-eight-omp"};
    static const reduce_row rows[] = {{"sum of 2^16 doubles", (size_t)1 << 16},
                                      {"sum of 2^18 doubles", (size_t)1 << 18},
                                      {"sum of 10^6 doubles", 1000000},
                                      {"sum of 2^20 doubles", (size_t)1 << 20},
                                      {"sum of 2^20 + 8 doubles", ((size_t)1 << 20) + 8},
                                      {"sum of 2^22 doubles", (size_t)1 << 22},
                                      {"sum of 10^7 doubles", 10000000},
                                      {"sum of 2^24 doubles", (size_t)1 << 24},
                                      {"sum of 2^24 + 8 doubles", ((size_t)1 << 24) + 8}};
    return run_rows(b, "reduce_tree", sample_sum, natives, rows, sizeof rows / sizeof rows[0]);
}

enum case_result case_min_sum(bench *b)
{
    static const char *const natives[] = {"min-sum-omp", "min-sum-eight-omp"};
    static const reduce_row rows[] = {{"min and sum of 10^4 doubles", 10000},
                                      {"min and sum of 2^18 doubles", (size_t)1 << 18},
                                      {"min and sum of 10^6 doubles", 1000000},
                                      {"min and sum of 2^20 doubles", (size_t)1 << 20},
                                      {"min and sum of 2^20 + 8 doubles", ((size_t)1 << 20) + 8},
                                      {"min and sum of 10^7 doubles", 10000000},
                                      {"min and sum of 2^24 doubles", (size_t)1 << 24}};
    return run_rows(b, "min_sum", sample_min_sum, natives, rows, sizeof rows / sizeof rows[0]);
}

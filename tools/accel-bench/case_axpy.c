/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* With a = 1 and small whole numbers in x, y counts exactly how often it was done. */
typedef struct axpy_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *x, *y;
    axpy_args args;
    double done; /* times */
} axpy_state;

static bool sample_launch(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    s->done += (double)repetitions;
    return bench_check("axpy", status);
}

static double x_at(size_t i)
{
    return (double)(i % 7 + 1);
}

/* y on the host, for the caller to free, also after a failure. */
static bool read_back(const axpy_state *s, double **y)
{
    *y = malloc(s->args.n * sizeof **y);
    if (*y == NULL)
        fprintf(stderr, "accel-bench: axpy: no memory for %zu numbers\n", s->args.n);
    return *y != NULL && bench_check("axpy", accel_read(s->queue, *y, s->y)) &&
           bench_check("axpy", accel_queue_wait(s->queue));
}

static bool validate(void *user)
{
    const axpy_state *s = user;
    double *y;
    bool good = read_back(s, &y);
    for (size_t i = 0; good && i < s->args.n; ++i)
        if (y[i] != s->done * x_at(i)) {
            fprintf(stderr, "accel-bench: axpy: element %zu of %zu is %.17g, not %.17g\n", i, s->args.n, y[i],
                    s->done * x_at(i));
            good = false;
        }
    free(y);
    return good;
}

static bool set_up(bench *b, axpy_state *s, size_t n)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
    const double zero = 0;
    double *x = malloc(n * sizeof *x);
    for (size_t i = 0; x != NULL && i < n; ++i)
        x[i] = x_at(i);
    const bool good = x != NULL && bench_check("axpy", accel_buffer_create(b->device, &desc, &s->x)) &&
                      bench_check("axpy", accel_buffer_create(b->device, &desc, &s->y)) &&
                      bench_check("axpy", accel_work_divide(s->kernel, 1, &n, NULL, &s->work)) &&
                      bench_check("axpy", accel_write(s->queue, s->x, x)) &&
                      bench_check("axpy", accel_fill(s->queue, s->y, &zero, sizeof zero, NULL));
    s->args = (axpy_args){.a = 1, .n = n, .x = accel_buffer_ptr(s->x), .y = accel_buffer_ptr(s->y)};
    s->done = 0;
    free(x);
    return good;
}

static bool run_size(bench *b, axpy_state *s, size_t n, double goal)
{
    char name[64];
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = 24.0 * (double)n, flops = 2.0 * (double)n;
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = flops,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "axpy, n = %zu", n);
    bool good = set_up(b, s, n) && bench_add_native(b, &c, BENCH_C, "axpy-c", parameters) &&
                bench_add_native(b, &c, BENCH_C, "axpy-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample_launch, s);
        good = bench_run(b, &c, validate, s);
    }
    accel_buffer_release(s->y);
    accel_buffer_release(s->x);
    s->x = s->y = NULL;
    return good;
}

enum case_result case_axpy(bench *b)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL;
    axpy_state s = {.work = ACCEL_WORK_INIT};
    const bool good = bench_check("axpy", accel_queue_create(b->device, &desc, &s.queue)) &&
                      bench_load(b, "bench", "axpy", &module, &s.kernel) && run_size(b, &s, 1000, 0.75) &&
                      run_size(b, &s, 100000, 0.98) && (b->quick || run_size(b, &s, 10000000, 1));
    accel_module_release(module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

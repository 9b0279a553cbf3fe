/* SPDX-License-Identifier: Apache-2.0 */
/* How often each byte occurs, or the sum of weights of each, by a scatter: kernel, contribution and wait. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "cases/counts_values.h"
#include "clock.h"
#include "kernels/counts.h"

enum { QUICK_N = 20000 };

typedef struct counts_state {
    accel_queue *queue;
    accel_kernel *kernel, *of_scatter;
    accel_scatter *scatter;
    accel_buffer *x, *weight, *bins;
    counts_args args;
    size_t done; /* passes */
    bool weighs;
} counts_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    counts_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch_over(s->queue, s->kernel, 1, &s->args.n, &s->args, sizeof s->args);
        status |= accel_scatter_contribute(s->queue, s->scatter, s->bins);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    s->done += repetitions;
    return bench_check("counts", status);
}

/* Whole numbers: exact in any order. */
static bool validate_weights(const counts_state *s)
{
    double found[COUNTS_BINS], once[COUNTS_BINS] = {0};
    if (!bench_check("counts", accel_read(s->queue, found, s->bins)) ||
        !bench_check("counts", accel_queue_wait(s->queue)))
        return false;
    for (size_t i = 0; i < s->args.n; ++i)
        once[counts_byte(i)] += counts_weight(i);
    for (size_t b = 0; b < COUNTS_BINS; ++b) {
        if (found[b] == once[b] * (double)s->done)
            continue;
        fprintf(stderr, "accel-bench: counts: bin %zu is %.17g, not %.17g\n", b, found[b], once[b] * (double)s->done);
        return false;
    }
    return true;
}

/* Counts wrap, here and there. */
static bool validate(void *user)
{
    const counts_state *s = user;
    if (s->weighs)
        return validate_weights(s);
    uint32_t found[COUNTS_BINS], once[COUNTS_BINS] = {0};
    if (!bench_check("counts", accel_read(s->queue, found, s->bins)) ||
        !bench_check("counts", accel_queue_wait(s->queue)))
        return false;
    for (size_t i = 0; i < s->args.n; ++i)
        ++once[counts_byte(i)];
    for (size_t b = 0; b < COUNTS_BINS; ++b) {
        const uint32_t expected = (uint32_t)(once[b] * s->done);
        if (found[b] == expected)
            continue;
        fprintf(stderr, "accel-bench: counts: bin %zu is %u, not %u\n", b, found[b], expected);
        return false;
    }
    return true;
}

static bool set_up(bench *b, counts_state *s)
{
    const size_t n = s->args.n;
    const size_t cell = s->weighs ? sizeof(double) : sizeof(uint32_t);
    const accel_buffer_desc bytes = accel_buffer_1d(1, n), weights = accel_buffer_1d(sizeof(double), s->weighs ? n : 1),
                            bins = accel_buffer_1d(cell, COUNTS_BINS);
    const uint64_t zero = 0;
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    uint8_t *x = malloc(n);
    double *weight = malloc(weights.extent[0] * sizeof *weight);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < n; ++i)
        x[i] = counts_byte(i);
    for (size_t i = 0; weight != NULL && i < weights.extent[0]; ++i)
        weight[i] = counts_weight(i);
    const bool good =
        x != NULL && weight != NULL && bench_check("counts", accel_queue_create(b->device, &desc, &s->queue)) &&
        bench_check("counts", accel_buffer_create(b->device, &bytes, &s->x)) &&
        bench_check("counts", accel_buffer_create(b->device, &weights, &s->weight)) &&
        bench_check("counts", accel_buffer_create(b->device, &bins, &s->bins)) &&
        bench_check("counts", accel_write(s->queue, s->weight, weight)) &&
        bench_check("counts", accel_write(s->queue, s->x, x)) &&
        bench_check("counts", accel_fill(s->queue, s->bins, &zero, cell, NULL)) &&
        bench_check("counts", accel_scatter_create(s->queue, s->of_scatter, COUNTS_BINS, NULL, &s->scatter)) &&
        bench_check("counts", accel_scatter_info(s->scatter, &about));
    free(weight);
    free(x);
    s->args.x = accel_buffer_ptr(s->x);
    s->args.weight = accel_buffer_ptr(s->weight);
    s->args.bins = about.view;
    return good;
}

static bool run(bench *b, bool weighs, const char *name, size_t n)
{
    counts_state s = {.args = {.n = n}, .weighs = weighs};
    const uint64_t parameters[NATIVE_PARAMETERS] = {n, weighs};
    bench_contest c = {.name = name,
                       .measure = MEASURE_RATE,
                       .amount = (double)n,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", weighs ? "weights_of_bytes" : "counts_of_bytes", &module, &s.kernel) &&
                bench_check("counts", accel_module_kernel(module, weighs ? "weights" : "counts", &s.of_scatter)) &&
                set_up(b, &s) && bench_add_native(b, &c, BENCH_C, "counts-omp", parameters) &&
                bench_add_native(b, &c, BENCH_C, "counts-tables-omp", parameters) &&
                (n > QUICK_N || bench_add_native(b, &c, BENCH_C, "counts-tables-serial", parameters)) &&
                (weighs || bench_add_native(b, &c, BENCH_C, "counts-atomics-omp", parameters));
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_scatter_release(s.scatter);
    accel_buffer_release(s.bins);
    accel_buffer_release(s.weight);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_counts(bench *b)
{
    bool good =
        run(b, false, "256 counters of 20000 bytes", QUICK_N) && run(b, true, "256 sums of 20000 doubles", QUICK_N);
    if (good && !b->quick)
        good = run(b, false, "256 counters of 10^6 bytes", 1000000) &&
               run(b, false, "256 counters of 10^7 bytes", 10000000) &&
               run(b, true, "256 sums of 10^6 doubles", 1000000) && run(b, true, "256 sums of 10^7 doubles", 10000000);
    return good ? CASE_DONE : CASE_FAILED;
}

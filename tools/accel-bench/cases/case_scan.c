/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scan and accel_scan_values: the exclusive scan of doubles. The results are there when the clock stops. */
#include <accel/algorithm.h>
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* From so many bytes on a native writes past the caches; what fits them is read again, as a rule. */
enum { PAST_CACHES = 50000000 };

typedef struct scan_state {
    accel_queue *queue;
    accel_kernel *kernel; /* NULL: accel_scan_values, which brings its own */
    accel_buffer *x, *result;
    size_t n;
} scan_state;

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

static accel_status scan(const scan_state *s)
{
    const pattern_args args = {accel_buffer_ptr(s->x), NULL};
    if (s->kernel == NULL)
        return accel_scan_values(s->queue, s->x, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, s->result,
                                 ACCEL_SCAN_EXCLUSIVE);
    return accel_scan(s->queue, s->kernel, s->n, &args, sizeof args, s->result, ACCEL_SCAN_EXCLUSIVE);
}

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const scan_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= scan(s);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("scan", status);
}

/* Whole numbers: exact in any order. */
static bool validate(void *user)
{
    const scan_state *s = user;
    double *found = malloc(s->n * sizeof *found), sum = 0;
    bool good = found != NULL && bench_check("scan", accel_read(s->queue, found, s->result)) &&
                bench_check("scan", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i) {
        if (found[i] != sum) {
            fprintf(stderr, "accel-bench: scan: result %zu of %zu is %.17g, not %.17g\n", i, s->n, found[i], sum);
            good = false;
        }
        sum += x_at(i);
    }
    free(found);
    return good;
}

static bool set_up(bench *b, scan_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(double), s->n);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const double zero = 0;
    double *x = malloc(s->n * sizeof *x);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < s->n; ++i)
        x[i] = x_at(i);
    const bool good = x != NULL && bench_check("scan", accel_queue_create(b->device, &desc, &s->queue)) &&
                      bench_check("scan", accel_buffer_create(b->device, &array, &s->x)) &&
                      bench_check("scan", accel_buffer_create(b->device, &array, &s->result)) &&
                      bench_check("scan", accel_write(s->queue, s->x, x)) &&
                      bench_check("scan", accel_fill(s->queue, s->result, &zero, sizeof zero, NULL));
    free(x);
    return good;
}

enum {
    NATIVE_SCANS, /* accel_scan, beside native ways */
    SERIAL,       /* beside the loop of one thread */
    COPY,         /* beside a copy, which is the bound */
    VALUES        /* accel_scan_values, beside a copy */
};

static bool add_natives(bench *b, bench_contest *c, int what, const uint64_t *parameters)
{
    if (what == COPY || what == VALUES)
        return bench_add_native(b, c, BENCH_C, "stream-copy", parameters) &&
               bench_add_native(b, c, BENCH_C, "copy-past-caches", parameters);
    const bool past = what == NATIVE_SCANS && c->amount >= PAST_CACHES;
    return (what == SERIAL || bench_add_native(b, c, BENCH_C, "scan-omp", parameters)) &&
           bench_add_native(b, c, BENCH_C, "scan-serial", parameters) &&
           (!past || bench_add_native(b, c, BENCH_C, "scan-past-caches", parameters));
}

static bool run(bench *b, const char *name, size_t n, int what, double goal)
{
    scan_state s = {.n = n};
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = 16 * (double)n; /* read and written */
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)n,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = (what == VALUES || bench_load(b, "bench", "pattern_scan", &module, &s.kernel)) && set_up(b, &s) &&
                add_natives(b, &c, what, parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.result);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_scan(bench *b)
{
    const double equal = 1, of_copy = 0.85,
                 of_one_thread = b->about.compute_units > 1 ? 1.8 : equal; /* two have that */
    bool good = run(b, "exclusive scan of 10^3 doubles", 1000, NATIVE_SCANS, equal) &&
                run(b, "exclusive scan of 10^5 doubles", 100000, NATIVE_SCANS, equal);
    if (good && !b->quick)
        good = run(b, "exclusive scan of 2^20 doubles", (size_t)1 << 20, NATIVE_SCANS, equal) &&
               run(b, "exclusive scan of 2^20 doubles, beside a serial scan", (size_t)1 << 20, SERIAL, of_one_thread) &&
               run(b, "exclusive scan of 10^7 doubles", 10000000, NATIVE_SCANS, equal) &&
               run(b, "exclusive scan of 10^7 doubles, beside a copy", 10000000, COPY, of_copy) &&
               run(b, "accel_scan_values of 10^7 doubles, beside a copy", 10000000, VALUES, of_copy);
    return good ? CASE_DONE : CASE_FAILED;
}

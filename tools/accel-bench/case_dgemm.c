/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"
#include "native/native.h"

enum { N = 1024 };
static const char *const libraries[] = {BENCH_DGEMM_LIBRARIES}; /* one per compiler that the build found */
static const double flops = 2.0 * N * N * N;

typedef struct dgemm_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *a, *b, *c;
    double *host_a, *host_b, *host_c;
    const native_loops *native;
} dgemm_state;

static bool sample_product(void *user, size_t repetitions, double *nanoseconds)
{
    const dgemm_state *s = user;
    const dgemm_args args = {N, accel_buffer_ptr(s->a), accel_buffer_ptr(s->b), accel_buffer_ptr(s->c)};
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r)
        if (!bench_check("dgemm", accel_launch(s->queue, s->kernel, &s->work, &args, sizeof args)) ||
            !bench_check("dgemm", accel_queue_wait(s->queue)))
            return false;
    *nanoseconds = clock_now() - start;
    return true;
}

/* As many operations as a product has, so that the ratio of the times is that of the speeds. */
static bool sample_peak(void *user, size_t repetitions, double *nanoseconds)
{
    const dgemm_state *s = user;
    const double per_round = s->native->peak(1);
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r)
        (void)s->native->peak((size_t)(flops / per_round));
    *nanoseconds = clock_now() - start;
    return true;
}

/* Freivalds: C v = A (B v). All numbers are small and whole, so both sides are exact and any wrong element but for an
 * unlucky one in many shows; v has no zeros and few repetitions. */
static bool validate(const dgemm_state *s)
{
    static double v[N], bv[N];
    if (!bench_check("dgemm", accel_read(s->queue, s->host_c, s->c)))
        return false;
    for (size_t i = 0; i < N; ++i)
        v[i] = (double)(i * i % 1021 + 1);
    for (size_t i = 0; i < N; ++i) {
        bv[i] = 0;
        for (size_t j = 0; j < N; ++j)
            bv[i] += s->host_b[i * N + j] * v[j];
    }
    for (size_t i = 0; i < N; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < N; ++j) {
            left += s->host_c[i * N + j] * v[j];
            right += s->host_a[i * N + j] * bv[j];
        }
        if (left != right) {
            fprintf(stderr, "accel-bench: dgemm: row %zu of the product is wrong\n", i);
            return false;
        }
    }
    return true;
}

static bool open_state(bench *b, dgemm_state *s)
{
    const accel_buffer_desc matrix = accel_buffer_1d(sizeof(double), (size_t)N * N);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    const size_t blocks[2] = {N / DGEMM_TILE, N / DGEMM_TILE}, threads[2] = {DGEMM_TILE, DGEMM_TILE}, elems[2] = {1, 1};
    *s = (dgemm_state){.work = accel_work_2d(blocks, threads, elems)};
    s->host_a = malloc(sizeof(double) * N * N);
    s->host_b = malloc(sizeof(double) * N * N);
    s->host_c = malloc(sizeof(double) * N * N);
    if (s->host_a == NULL || s->host_b == NULL || s->host_c == NULL) {
        fprintf(stderr, "accel-bench: dgemm: no memory for three matrices\n");
        return false;
    }
    for (size_t i = 0; i < (size_t)N * N; ++i) {
        s->host_a[i] = (double)(i % 11) - 5;
        s->host_b[i] = (double)(i % 13) - 6;
    }
    return bench_check("dgemm", accel_queue_create(b->device, &desc, &s->queue)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->a)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->b)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->c)) &&
           bench_check("dgemm", accel_write(s->queue, s->a, s->host_a)) &&
           bench_check("dgemm", accel_write(s->queue, s->b, s->host_b));
}

static void close_state(dgemm_state *s)
{
    accel_buffer_release(s->c);
    accel_buffer_release(s->b);
    accel_buffer_release(s->a);
    accel_queue_release(s->queue);
    free(s->host_c);
    free(s->host_b);
    free(s->host_a);
}

/* Times become speeds; the faster quartile is the smaller time. */
static spread to_gflops(const spread *nanoseconds)
{
    return (spread){flops / nanoseconds->high, flops / nanoseconds->median, flops / nanoseconds->low};
}

static bool run_product(bench *b, dgemm_state *s, const char *library, const char *kernel, enum goal_kind goal,
                        double value)
{
    bench_way ways[2] = {{.sample = sample_peak, .state = s}, {.sample = sample_product, .state = s}};
    accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_module *module = NULL;
    const double zero = 0;
    bool good = bench_load(b, library, kernel, &module, &s->kernel) &&
                bench_check("dgemm", accel_kernel_info(s->kernel, &about)) &&
                bench_check("dgemm", accel_fill(s->queue, s->c, &zero, sizeof zero, NULL));
    if (good) {
        s->native = native_find(about.target);
        const bool compared = s->native != NULL;
        good = compared ? harness_run(&b->plan, ways, 2) : harness_run(&b->plan, &ways[1], 1);
        good = good && validate(s);
        if (good) {
            bench_result result = {.unit = "GFLOP/s",
                                   .ours = to_gflops(&ways[1].nanoseconds),
                                   .has_native = compared,
                                   .goal = compared || goal != GOAL_RATIO_AT_LEAST ? goal : GOAL_NONE,
                                   .goal_value = value};
            snprintf(result.name, sizeof result.name, "%s, %s, %s", kernel, library, about.target);
            if (compared) {
                result.native = to_gflops(&ways[0].nanoseconds);
                result.ratio = ways[1].ratio;
            }
            report_add(&b->report, &result);
        }
    }
    accel_module_release(module);
    return good;
}

enum case_result case_dgemm_thread(bench *b)
{
    dgemm_state s;
    const bool good = open_state(b, &s) && run_product(b, &s, libraries[0], "dgemm_thread", GOAL_AT_LEAST, 1);
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_dgemm_block(bench *b)
{
    dgemm_state s;
    bool good = open_state(b, &s);
    for (size_t i = 0; good && i < sizeof libraries / sizeof libraries[0]; ++i)
        good = run_product(b, &s, libraries[i], "dgemm_block", GOAL_RATIO_AT_LEAST, 0.42);
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

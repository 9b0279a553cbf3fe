/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scan and accel_scan_values on a GPU: the exclusive scan of doubles, beside CUB's. The results stay on the device. */
#include <accel/algorithm.h>
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "gpu/cases.h"
#include "gpu/cub.h"

typedef struct scan_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *result, *cub_result;
    size_t n;
    void *stream;
    gpu_cub cub;
} scan_state;

static bool sample_scan(void *user, size_t repetitions, double *nanoseconds)
{
    const scan_state *s = user;
    const pattern_args args = {accel_buffer_ptr(s->x), NULL};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_scan(s->queue, s->kernel, s->n, &args, sizeof args, s->result, ACCEL_SCAN_EXCLUSIVE);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("scan", status);
}

static bool sample_values(void *user, size_t repetitions, double *nanoseconds)
{
    const scan_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |=
            accel_scan_values(s->queue, s->x, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, s->result, ACCEL_SCAN_EXCLUSIVE);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("scan", status);
}

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

/* Whole numbers: exact in any order. */
static bool is_right(const scan_state *s, const char *whose, accel_buffer *result)
{
    double *found = malloc(s->n * sizeof *found), sum = 0;
    bool good = found != NULL && bench_check("scan", accel_read(s->queue, found, result)) &&
                bench_check("scan", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i) {
        if (found[i] != sum) {
            fprintf(stderr, "accel-bench: gpu-scan: %s: result %zu of %zu is %.17g, not %.17g\n", whose, i, s->n,
                    found[i], sum);
            good = false;
        }
        sum += x_at(i);
    }
    free(found);
    return good;
}

static bool validate(void *user)
{
    const scan_state *s = user;
    return is_right(s, "libaccel", s->result) && (s->cub.call == NULL || is_right(s, "CUB", s->cub_result));
}

static bool open_state(bench *b, scan_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(double), s->n);
    double *x = malloc(s->n * sizeof *x);
    for (size_t i = 0; x != NULL && i < s->n; ++i)
        x[i] = x_at(i);
    const bool good = x != NULL && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("scan", accel_queue_create(b->device, NULL, &s->queue)) &&
                      bench_check("scan", accel_queue_native(s->queue, &s->stream)) &&
                      bench_load(b, "bench", "pattern_scan", &s->module, &s->kernel) &&
                      bench_check("scan", accel_buffer_create(b->device, &array, &s->x)) &&
                      bench_check("scan", accel_buffer_create(b->device, &array, &s->result)) &&
                      bench_check("scan", accel_buffer_create(b->device, &array, &s->cub_result)) &&
                      bench_check("scan", accel_write(s->queue, s->x, x)) &&
                      bench_check("scan", accel_queue_wait(s->queue));
    free(x);
    if (!good)
        return false;
    s->cub = (gpu_cub){.driver = &s->driver,
                       .stream = s->stream,
                       .from = accel_buffer_ptr(s->x),
                       .to = accel_buffer_ptr(s->cub_result),
                       .n = s->n};
    return gpu_cub_open(b, "bench_cub_scan", &s->cub);
}

static bool add(bench *b, scan_state *s, const char *name, bench_sample sample)
{
    const double bytes = 16 * (double)s->n, wrong = 0.5; /* read and written */
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)s->n,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.95};
    if (s->cub.call != NULL)
        bench_add_way(&c, "CUB", gpu_cub_sample, &s->cub);
    bench_add_way(&c, "libaccel", sample, s);
    return bench_check("scan", accel_fill(s->queue, s->result, &wrong, sizeof wrong, NULL)) &&
           bench_check("scan", accel_fill(s->queue, s->cub_result, &wrong, sizeof wrong, NULL)) &&
           bench_check("scan", accel_queue_wait(s->queue)) && bench_run(b, &c, validate, s);
}

enum case_result case_gpu_scan(bench *b)
{
    scan_state s = {.n = b->quick ? 1 << 16 : 10000000};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    const bool good =
        open_state(b, &s) &&
        add(b, &s, b->quick ? "accel_scan of 2^16 doubles" : "accel_scan of 10^7 doubles", sample_scan) &&
        add(b, &s, b->quick ? "accel_scan_values of 2^16 doubles" : "accel_scan_values of 10^7 doubles", sample_values);
    (void)gpu_driver_leave(&s.driver);
    gpu_cub_close(&s.cub);
    accel_buffer_release(s.cub_result);
    accel_buffer_release(s.result);
    accel_buffer_release(s.x);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* DAXPY on a GPU, beside the same kernel written by hand for CUDA, and beside the card's own copy. */
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"
#include "../kernels/bench_kernels.h"
#include "cases.h"

/* With a = 1 and small whole numbers in x, y counts exactly how often it was done, by whichever way. */
typedef struct axpy_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *x, *y;
    axpy_args args;
    double done; /* times */
    void *stream, *native_module, *native;
} axpy_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
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

/* With libaccel's own division: what is compared is the code. */
static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    void *parameters[] = {&s->args};
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= s->driver.launch(s->native, (unsigned)s->work.blocks[0], 1, 1, (unsigned)s->work.threads[0], 1, 1, 0,
                                   s->stream, parameters, NULL);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    s->done += (double)repetitions;
    return gpu_driver_check("axpy by hand", result);
}

/* A copy moves two thirds of the bytes: its time counts for one half more. */
static bool sample_copy(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= gpu_driver_copy(&s->driver, accel_buffer_ptr(s->y), s->args.x, s->args.n * sizeof(double), s->stream);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = 1.5 * (clock_now() - start);
    s->done = 1; /* y is x */
    return gpu_driver_check("copy", result);
}

static double x_at(size_t i)
{
    return (double)(i % 7 + 1);
}

static bool validate(void *user)
{
    const axpy_state *s = user;
    double *y = malloc(s->args.n * sizeof *y);
    bool good = y != NULL && bench_check("axpy", accel_read(s->queue, y, s->y)) &&
                bench_check("axpy", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->args.n; ++i)
        if (y[i] != s->done * x_at(i)) {
            fprintf(stderr, "accel-bench: gpu-axpy: element %zu of %zu is %.17g, not %.17g\n", i, s->args.n, y[i],
                    s->done * x_at(i));
            good = false;
        }
    free(y);
    return good;
}

static bool open_state(bench *b, axpy_state *s, size_t n)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
    const double zero = 0;
    double *x = malloc(n * sizeof *x);
    for (size_t i = 0; x != NULL && i < n; ++i)
        x[i] = x_at(i);
    const bool good = x != NULL && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("axpy", accel_queue_create(b->device, NULL, &s->queue)) &&
                      bench_check("axpy", accel_queue_native(s->queue, &s->stream)) &&
                      bench_load(b, "bench", "axpy", &s->module, &s->kernel) &&
                      bench_check("axpy", accel_buffer_create(b->device, &desc, &s->x)) &&
                      bench_check("axpy", accel_buffer_create(b->device, &desc, &s->y)) &&
                      bench_check("axpy", accel_work_divide(s->kernel, 1, &n, NULL, &s->work)) &&
                      bench_check("axpy", accel_write(s->queue, s->x, x)) &&
                      bench_check("axpy", accel_fill(s->queue, s->y, &zero, sizeof zero, NULL)) &&
                      bench_check("axpy", accel_queue_wait(s->queue));
    s->args = (axpy_args){.a = 1, .n = n, .x = accel_buffer_ptr(s->x), .y = accel_buffer_ptr(s->y)};
    free(x);
    if (good)
        gpu_driver_load(b, &s->driver, &s->native_module);
    return good && (s->native_module == NULL ||
                    gpu_driver_check("native_axpy", s->driver.function(&s->native, s->native_module, "native_axpy")));
}

static bool add(bench *b, axpy_state *s, bool to_copy)
{
    char name[64];
    const double n = (double)s->args.n;
    snprintf(name, sizeof name, "axpy, n = %zu%s", s->args.n, to_copy ? ", beside a copy" : "");
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = 24 * n,
                       .bytes = 24 * n,
                       .flops = 2 * n,
                       .goal = GOAL_RATIO,
                       .goal_value = to_copy ? 0.9 : 0.99};
    double time;
    if (to_copy)
        bench_add_way(&c, "device to device", sample_copy, s);
    else if (s->native != NULL)
        bench_add_way(&c, "by hand", sample_native, s);
    bench_add_way(&c, "libaccel", sample_ours, s);
    for (size_t w = 0; w < c.count; ++w) /* each alone */
        if (!c.ways[w].sample(s, 2, &time) || !validate(s))
            return false;
    return bench_run(b, &c, validate, s);
}

enum case_result case_gpu_axpy(bench *b)
{
    axpy_state s = {.work = ACCEL_WORK_INIT};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    const bool good = open_state(b, &s, (size_t)1 << (b->quick ? 14 : 27)) && add(b, &s, false) && add(b, &s, true);
    if (s.native_module != NULL)
        (void)gpu_driver_check("unloading", s.driver.unload(s.native_module));
    (void)gpu_driver_leave(&s.driver);
    accel_buffer_release(s.y);
    accel_buffer_release(s.x);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"
#include "native/native.h"

/* Both ways work on the same memory in turn, so that neither has the better pages. With a = 1 and small whole numbers
 * in x, y counts exactly how often it was done. */
typedef struct axpy_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    const native_loops *native;
    axpy_args args;
    double done; /* times */
} axpy_state;

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r)
        s->native->axpy(s->args.n, s->args.a, s->args.x, s->args.y);
    *nanoseconds = clock_now() - start;
    s->done += (double)repetitions;
    return true;
}

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

static bool validate(const axpy_state *s)
{
    for (size_t i = 0; i < s->args.n; ++i)
        if (s->args.y[i] != s->done * x_at(i)) {
            fprintf(stderr, "accel-bench: axpy: element %zu of %zu is %.17g, not %.17g\n", i, s->args.n, s->args.y[i],
                    s->done * x_at(i));
            return false;
        }
    return true;
}

static bool run_size(bench *b, axpy_state *s, size_t n, double goal)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
    accel_buffer *x = NULL, *y = NULL;
    bench_way ways[2] = {{.sample = sample_native, .state = s}, {.sample = sample_launch, .state = s}};
    char name[64];
    snprintf(name, sizeof name, "axpy, n = %zu", n);

    bool good = bench_check("axpy", accel_buffer_create(b->device, &desc, &x)) &&
                bench_check("axpy", accel_buffer_create(b->device, &desc, &y)) &&
                bench_check("axpy", accel_work_divide(s->kernel, 1, &n, NULL, &s->work));
    if (good) {
        double *values = accel_buffer_ptr(x);
        s->args = (axpy_args){.a = 1, .n = n, .x = values, .y = accel_buffer_ptr(y)};
        s->done = 0;
        for (size_t i = 0; i < n; ++i) {
            values[i] = x_at(i);
            s->args.y[i] = 0;
        }
        good = harness_run(&b->plan, ways, 2) && validate(s);
    }
    if (good)
        bench_add_comparison(b, name, &ways[0], &ways[1], GOAL_RATIO_AT_LEAST, goal);
    accel_buffer_release(y);
    accel_buffer_release(x);
    return good;
}

enum case_result case_axpy(bench *b)
{
    if (!bench_has_host_memory(b)) {
        fprintf(stderr, "accel-bench: axpy: skipped: the plain C loop needs a device whose memory the host reads\n");
        return CASE_SKIPPED;
    }
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL;
    accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
    axpy_state s = {.work = ACCEL_WORK_INIT};
    bool good = bench_check("axpy", accel_queue_create(b->device, &desc, &s.queue)) &&
                bench_load(b, "bench", "axpy", &module, &s.kernel) &&
                bench_check("axpy", accel_kernel_info(s.kernel, &about));
    if (good && (s.native = native_find(about.target)) == NULL) {
        fprintf(stderr, "accel-bench: axpy: no plain C loop was compiled for target %s\n", about.target);
        good = false;
    }
    good = good && run_size(b, &s, 1000, 0.7) && run_size(b, &s, 100000, 0.98) && run_size(b, &s, 10000000, 0.98);
    accel_module_release(module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

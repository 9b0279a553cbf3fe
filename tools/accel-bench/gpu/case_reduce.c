/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of an array by trees on a GPU, beside CUB's. The result is on the host when the clock stops. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "gpu/cases.h"
#include "gpu/cub.h"

enum { MOST_BLOCKS = 1 << 14 };

typedef struct reduce_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_work work, together;
    accel_buffer *x, *parts, *result, *pinned;
    double *host; /* of pinned: the last sum */
    size_t n;
    void *stream;
    gpu_cub cub;
} reduce_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    const reduce_state *s = user;
    const reduce_args all = {s->n, accel_buffer_ptr(s->x), accel_buffer_ptr(s->parts)},
                      rest = {s->work.blocks[0], accel_buffer_ptr(s->parts), accel_buffer_ptr(s->result)};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &all, sizeof all);
        status |= accel_launch(s->queue, s->kernel, &s->together, &rest, sizeof rest);
        status |= accel_copy(s->queue, s->pinned, s->result, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("reduce", status);
}

static double x_at(size_t i)
{
    return (double)(i * 7919 % 1009) - 500;
}

/* Whole numbers: exact in any order. */
static bool validate(void *user)
{
    const reduce_state *s = user;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += x_at(i);
    if (*s->host == sum)
        return true;
    fprintf(stderr, "accel-bench: gpu-reduce: the sum of %zu is %.17g, not %.17g\n", s->n, *s->host, sum);
    return false;
}

static bool open_state(bench *b, reduce_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(double), s->n),
                            parts = accel_buffer_1d(sizeof(double), MOST_BLOCKS),
                            result = accel_buffer_1d(sizeof(double), 1);
    accel_buffer_desc pinned = result;
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    const size_t one = 1;
    double *x = malloc(s->n * sizeof *x);
    pinned.flags = ACCEL_BUFFER_PINNED;
    for (size_t i = 0; x != NULL && i < s->n; ++i)
        x[i] = x_at(i);
    bool good = x != NULL && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                bench_check("reduce", accel_queue_create(b->device, NULL, &s->queue)) &&
                bench_check("reduce", accel_queue_native(s->queue, &s->stream)) &&
                bench_load(b, "bench", "reduce_tree", &s->module, &s->kernel) &&
                bench_check("reduce", accel_buffer_create(b->device, &array, &s->x)) &&
                bench_check("reduce", accel_buffer_create(b->device, &parts, &s->parts)) &&
                bench_check("reduce", accel_buffer_create(b->device, &result, &s->result)) &&
                bench_check("reduce", accel_buffer_create(b->device, &pinned, &s->pinned)) &&
                bench_check("reduce", accel_buffer_info(s->pinned, &about)) &&
                bench_check("reduce", accel_write(s->queue, s->x, x)) &&
                bench_check("reduce", accel_queue_wait(s->queue)) &&
                bench_check("reduce", accel_work_divide(s->kernel, 1, &s->n, NULL, &s->work)) &&
                bench_check("reduce", accel_work_divide(s->kernel, 1, &one, NULL, &s->together));
    free(x);
    s->host = about.host_ptr;
    if (good && s->work.blocks[0] > MOST_BLOCKS)
        s->work.blocks[0] = MOST_BLOCKS; /* each takes more: the loops run over all blocks' share */
    if (!good)
        return false;
    s->cub = (gpu_cub){.driver = &s->driver,
                       .stream = s->stream,
                       .from = accel_buffer_ptr(s->x),
                       .to = accel_buffer_ptr(s->result),
                       .n = s->n,
                       .host = s->host,
                       .host_bytes = sizeof *s->host};
    return gpu_cub_open(b, "bench_cub_sum", &s->cub);
}

static bool add(bench *b, reduce_state *s)
{
    bench_contest c = {.name = b->quick ? "sum of 2^16 doubles" : "sum of 2^27 doubles",
                       .measure = MEASURE_BANDWIDTH,
                       .amount = 8 * (double)s->n,
                       .bytes = 8 * (double)s->n,
                       .flops = (double)s->n,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.95};
    double time;
    if (s->cub.call != NULL)
        bench_add_way(&c, "CUB", gpu_cub_sample, &s->cub);
    bench_add_way(&c, "libaccel", sample_ours, s);
    for (size_t w = 0; w < c.count; ++w) { /* each alone */
        *s->host = 0.5;
        if (!c.ways[w].sample(c.ways[w].state, 1, &time) || !validate(s))
            return false;
    }
    return bench_run(b, &c, validate, s);
}

enum case_result case_gpu_reduce(bench *b)
{
    reduce_state s = {.work = ACCEL_WORK_INIT, .together = ACCEL_WORK_INIT, .n = (size_t)1 << (b->quick ? 16 : 27)};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    const bool good = open_state(b, &s) && add(b, &s);
    (void)gpu_driver_leave(&s.driver);
    gpu_cub_close(&s.cub);
    accel_buffer_release(s.pinned);
    accel_buffer_release(s.result);
    accel_buffer_release(s.parts);
    accel_buffer_release(s.x);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of a stencil, each an element of a launch with the default division: few for a launch, and each much. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/stencil.h"

typedef struct stencil_state {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *from, *to;
    double *host;
    stencil_args args;
} stencil_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const stencil_state *s = user;
    const size_t tiles = STENCIL_TILES;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch_over(s->queue, s->kernel, 1, &tiles, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("stencil", status);
}

static void put_start(stencil_state *s)
{
    for (size_t i = 0; i < STENCIL_POINTS; ++i)
        s->host[i] = stencil_start(i);
}

static bool validate(void *user)
{
    stencil_state *s = user;
    double *found = malloc(STENCIL_POINTS * sizeof *found);
    bool good = found != NULL && bench_check("stencil", accel_read(s->queue, found, s->to)) &&
                bench_check("stencil", accel_queue_wait(s->queue));
    put_start(s);
    for (size_t i = STENCIL_PITCH; good && i < STENCIL_POINTS - STENCIL_PITCH; ++i)
        if (found[i] != (stencil_is_inside(i) ? stencil_point(s->host + i) : 0)) {
            fprintf(stderr, "accel-bench: stencil: point %zu is %g\n", i, found[i]);
            good = false;
        }
    free(found);
    return good;
}

static bool open_state(bench *b, stencil_state *s)
{
    const accel_buffer_desc points = accel_buffer_1d(sizeof(double), STENCIL_POINTS);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const double zero = 0;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    s->host = malloc(STENCIL_POINTS * sizeof *s->host);
    if (s->host == NULL) {
        fprintf(stderr, "accel-bench: stencil: no memory for %d points\n", STENCIL_POINTS);
        return false;
    }
    put_start(s);
    if (!bench_check("stencil", accel_queue_create(b->device, &desc, &s->queue)) ||
        !bench_load(b, "bench", "stencil", &s->module, &s->kernel) ||
        !bench_check("stencil", accel_buffer_create(b->device, &points, &s->from)) ||
        !bench_check("stencil", accel_buffer_create(b->device, &points, &s->to)) ||
        !bench_check("stencil", accel_write(s->queue, s->from, s->host)) ||
        !bench_check("stencil", accel_fill(s->queue, s->to, &zero, sizeof zero, NULL)))
        return false;
    s->args = (stencil_args){accel_buffer_ptr(s->from), accel_buffer_ptr(s->to)};
    return bench_check("stencil", accel_queue_wait(s->queue));
}

enum case_result case_stencil(bench *b)
{
    stencil_state s = {0};
    bench_contest c = {.name = "512 tiles of a stencil",
                       .measure = MEASURE_TIME,
                       .goal = GOAL_RATIO,
                       .goal_value = 1.05,
                       .goal_device = "cpu-threads"};
    bool good = open_state(b, &s) && bench_add_native(b, &c, BENCH_C, "stencil-omp", NULL);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.to);
    accel_buffer_release(s.from);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    free(s.host);
    return good ? CASE_DONE : CASE_FAILED;
}

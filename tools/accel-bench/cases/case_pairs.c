/* SPDX-License-Identifier: Apache-2.0 */
/* The forces of particles on each other, by a block kernel with exponentials that was compiled with accelcc --vector-math. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "cases/pairs_values.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

typedef struct pairs_state {
    size_t n;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *position, *force;
} pairs_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const pairs_state *s = user;
    const pairs_args args = {s->n, accel_buffer_ptr(s->position), accel_buffer_ptr(s->force)};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &args, sizeof args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("pairs", status);
}

static bool validate(void *user)
{
    const pairs_state *s = user;
    float *found = malloc(3 * s->n * sizeof *found);
    bool good = found != NULL && bench_check("pairs", accel_read(s->queue, found, s->force)) &&
                bench_check("pairs", accel_queue_wait(s->queue));
    if (good && !pairs_are_right(s->n, found)) {
        fprintf(stderr, "accel-bench: pairs: a force is wrong\n");
        good = false;
    }
    free(found);
    return good;
}

static bool set_up(bench *b, pairs_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(sizeof(float), 3 * s->n);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    float *position = malloc(3 * s->n * sizeof *position);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t axis = 0; position != NULL && axis < 3; ++axis)
        for (size_t i = 0; i < s->n; ++i)
            position[axis * s->n + i] = pairs_position(axis, i);
    const bool good = position != NULL && bench_check("pairs", accel_queue_create(b->device, &desc, &s->queue)) &&
                      bench_check("pairs", accel_buffer_create(b->device, &array, &s->position)) &&
                      bench_check("pairs", accel_buffer_create(b->device, &array, &s->force)) &&
                      bench_check("pairs", accel_write(s->queue, s->position, position));
    free(position);
    return good;
}

enum case_result case_pairs(bench *b)
{
    enum { PARTICLES = 2048, QUICK_PARTICLES = 512 };
    static const char *const natives[] = {"pairs-omp", "pairs-libmvec-omp", "pairs-tiles-libmvec-omp"};
    pairs_state s = {.n = b->quick ? QUICK_PARTICLES : PARTICLES};
    const uint64_t parameters[NATIVE_PARAMETERS] = {s.n};
    bench_contest c = {.name = "expf in forces of 2048 particles",
                       .measure = MEASURE_RATE,
                       .amount = (double)(s.n * s.n),
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    s.work = accel_work_1d(s.n / PAIR_TILE, PAIR_TILE, 1);
    bool good = bench_load(b, "bench-mathematics", "pair_forces", &module, &s.kernel) && set_up(b, &s);
    for (size_t i = 0; good && i < sizeof natives / sizeof natives[0]; ++i)
        good = bench_add_native(b, &c, BENCH_C, natives[i], parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.force);
    accel_buffer_release(s.position);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good ? CASE_DONE : CASE_FAILED;
}

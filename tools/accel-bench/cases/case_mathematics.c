/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in loops, by a kernel that was compiled with accelcc --vector-math. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "cases/mathematics_values.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* A row; `alone` is the native loop that calls the function for each element, `vectors` that of the vector functions. */
typedef struct mathematics_row {
    const char *name, *kernel, *alone, *vectors;
    size_t element;
} mathematics_row;

typedef struct mathematics_state {
    const mathematics_row *row;
    size_t n;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *x, *y;
} mathematics_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const mathematics_state *s = user;
    const mathematics_args args = {s->n, accel_buffer_ptr(s->x), accel_buffer_ptr(s->y)};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &args, sizeof args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("mathematics", status);
}

static bool is_right(const mathematics_state *s, const void *found, size_t i)
{
    return s->row->element == sizeof(float) ? mathematics_is_exp(((const float *)found)[i], i)
                                            : mathematics_is_log(((const double *)found)[i], i);
}

static bool validate(void *user)
{
    const mathematics_state *s = user;
    void *found = malloc(s->n * s->row->element);
    bool good = found != NULL && bench_check("mathematics", accel_read(s->queue, found, s->y)) &&
                bench_check("mathematics", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i)
        if (!is_right(s, found, i)) {
            fprintf(stderr, "accel-bench: mathematics: %s: element %zu is wrong\n", s->row->name, i);
            good = false;
        }
    free(found);
    return good;
}

static bool set_up(bench *b, mathematics_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(s->row->element, s->n);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    void *x = malloc(s->n * s->row->element);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; x != NULL && i < s->n; ++i) {
        if (s->row->element == sizeof(float))
            ((float *)x)[i] = (float)mathematics_x(i);
        else
            ((double *)x)[i] = mathematics_x(i);
    }
    const bool good = x != NULL && bench_check("mathematics", accel_queue_create(b->device, &desc, &s->queue)) &&
                      bench_check("mathematics", accel_buffer_create(b->device, &array, &s->x)) &&
                      bench_check("mathematics", accel_buffer_create(b->device, &array, &s->y)) &&
                      bench_check("mathematics", accel_write(s->queue, s->x, x)) &&
                      bench_check("mathematics", accel_work_divide(s->kernel, 1, &s->n, NULL, &s->work));
    free(x);
    return good;
}

static bool run(bench *b, const mathematics_row *row)
{
    enum { ELEMENTS = 100000 };
    mathematics_state s = {.row = row, .n = ELEMENTS, .work = ACCEL_WORK_INIT};
    const uint64_t parameters[NATIVE_PARAMETERS] = {ELEMENTS};
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_RATE,
                       .amount = ELEMENTS,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench-mathematics", row->kernel, &module, &s.kernel) && set_up(b, &s) &&
                bench_add_native(b, &c, BENCH_C, row->alone, parameters) &&
                bench_add_native(b, &c, BENCH_C, row->vectors, parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.y);
    accel_buffer_release(s.x);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_mathematics(bench *b)
{
    static const mathematics_row rows[] = {
        {"expf of 10^5 floats", "float_exponentials", "expf-omp", "expf-libmvec-omp", sizeof(float)},
        {"log of 10^5 doubles", "logarithms", "log-omp", "log-libmvec-omp", sizeof(double)},
    };
    bool good = true;
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = run(b, &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Few elements that take long: does each CPU get its part of them, also where they differ? */
#include <inttypes.h>
#include <stdio.h>

#include "cases/busy_steps.h"
#include "cases/cases.h"
#include "clock.h"
#include "kernels/busy.h"

enum { ELEMENTS = 64, ELEMENT_US = 1000, QUICK_US = 10 };

typedef struct heavy_state {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    accel_work work;
    heavy_args args;
} heavy_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const heavy_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("heavy", status);
}

static bool validate(void *user)
{
    const heavy_state *s = user;
    uint64_t found[ELEMENTS];
    if (!bench_check("heavy", accel_read(s->queue, found, s->buffer)) ||
        !bench_check("heavy", accel_queue_wait(s->queue)))
        return false;
    for (uint64_t i = 0; i < ELEMENTS; ++i)
        if (found[i] != busy_value(i, heavy_steps(i, s->args.steps, s->args.uneven))) {
            fprintf(stderr, "accel-bench: heavy: element %" PRIu64 " gives %" PRIu64 "\n", i, found[i]);
            return false;
        }
    return true;
}

/* With a wish, elements are taken one by one. */
static bool run(bench *b, heavy_state *s, const char *name, bool uneven, uint64_t wish_ns)
{
    const size_t n = ELEMENTS;
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.elem_ns = wish_ns;
    s->args.uneven = uneven;
    const uint64_t parameters[NATIVE_PARAMETERS] = {ELEMENTS, s->args.steps, uneven};
    bench_contest c = {.name = name,
                       .measure = MEASURE_TIME,
                       .goal = uneven && wish_ns == 0 ? GOAL_NONE : GOAL_RATIO, /* nothing says that they differ */
                       .goal_value = 1.05,
                       .goal_device = "cpu-threads"};
    if (!bench_check("heavy", accel_work_divide(s->kernel, 1, &n, &wish, &s->work)) ||
        !bench_add_native(b, &c, BENCH_C, "omp-dynamic", parameters))
        return false;
    bench_add_way(&c, "libaccel", sample, s);
    return bench_run(b, &c, validate, s);
}

enum case_result case_heavy(bench *b)
{
    heavy_state s = {.work = ACCEL_WORK_INIT};
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const accel_buffer_desc values = accel_buffer_1d(sizeof(uint64_t), ELEMENTS);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    bool good = bench_check("heavy", accel_queue_create(b->device, &desc, &s.queue)) &&
                bench_load(b, "bench", "heavy", &s.module, &s.kernel) &&
                bench_check("heavy", accel_buffer_create(b->device, &values, &s.buffer));
    if (good) {
        s.args = (heavy_args){.elements = ELEMENTS,
                              .steps = (uint64_t)((b->quick ? QUICK_US : ELEMENT_US) * busy_steps_per_us()),
                              .value = accel_buffer_ptr(s.buffer)};
        good = run(b, &s, "64 elements of 1 ms", false, 0) &&
               run(b, &s, "64 elements of 0.5 to 2 ms", true, ELEMENT_US * UINT64_C(1000)) &&
               run(b, &s, "64 of 0.5 to 2 ms, no wish", true, 0);
    }
    accel_buffer_release(s.buffer);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

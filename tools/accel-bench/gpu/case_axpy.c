/* SPDX-License-Identifier: Apache-2.0 */
/* DAXPY on a GPU, beside the same kernel written by hand for CUDA, and beside the card's own copy. */
#include <stdio.h>

#include "cases/axpy_vectors.h"
#include "clock.h"
#include "gpu/cases.h"

typedef struct axpy_state {
    axpy_vectors vectors;
    gpu_driver driver;
    accel_module *module;
    void *stream, *native_module, *native;
} axpy_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    return axpy_vectors_sample(&((axpy_state *)user)->vectors, repetitions, nanoseconds);
}

static bool validate(void *user)
{
    return axpy_vectors_valid(&((const axpy_state *)user)->vectors);
}

/* With libaccel's own division, so that only the code differs. */
static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    void *parameters[] = {&s->vectors.args};
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= s->driver.launch(s->native, (unsigned)s->vectors.work.blocks[0], 1, 1,
                                   (unsigned)s->vectors.work.threads[0], 1, 1, 0, s->stream, parameters, NULL);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    s->vectors.done += (double)repetitions;
    return gpu_driver_check("axpy by hand", result);
}

/* A copy moves two thirds of the bytes: its time counts for one half more. */
static bool sample_copy(void *user, size_t repetitions, double *nanoseconds)
{
    axpy_state *s = user;
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= gpu_driver_copy(&s->driver, accel_buffer_ptr(s->vectors.y), s->vectors.args.x,
                                  s->vectors.args.n * sizeof(double), s->stream);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = 1.5 * (clock_now() - start);
    s->vectors.done = 1; /* y is x */
    return gpu_driver_check("copy", result);
}

static bool open_state(bench *b, axpy_state *s, size_t n)
{
    axpy_vectors *v = &s->vectors;
    const bool good = gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("axpy", accel_queue_create(b->device, NULL, &v->queue)) &&
                      bench_check("axpy", accel_queue_native(v->queue, &s->stream)) &&
                      bench_load(b, "bench", "axpy", &s->module, &v->kernel) && axpy_vectors_create(b, v, n);
    if (good)
        gpu_driver_load(b, &s->driver, &s->native_module);
    return good && (s->native_module == NULL ||
                    gpu_driver_check("native_axpy", s->driver.function(&s->native, s->native_module, "native_axpy")));
}

static bool add(bench *b, axpy_state *s, bool to_copy)
{
    char name[64];
    const double n = (double)s->vectors.args.n;
    snprintf(name, sizeof name, "axpy, n = %zu%s", s->vectors.args.n, to_copy ? ", beside a copy" : "");
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
    axpy_state s = {.vectors.work = ACCEL_WORK_INIT};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    const bool good = open_state(b, &s, (size_t)1 << (b->quick ? 14 : 27)) && add(b, &s, false) && add(b, &s, true);
    if (s.native_module != NULL)
        (void)gpu_driver_check("unloading", s.driver.unload(s.native_module));
    (void)gpu_driver_leave(&s.driver);
    axpy_vectors_release(&s.vectors);
    accel_module_release(s.module);
    accel_queue_release(s.vectors.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

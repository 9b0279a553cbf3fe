/* SPDX-License-Identifier: Apache-2.0 */
/* More threads than CPUs, as a program has that shares its machine: who waits for a thread that has no CPU? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/busy_steps.h"
#include "cases/cases.h"
#include "clock.h"
#include "kernels/busy.h"

enum { ELEMENTS = 64, ELEMENT_US = 20 };

static const char variable[] = "ACCEL_CPU_THREADS";

typedef struct crowd_state {
    bench other; /* as the bench, with an instance that has so many threads */
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    heavy_args args;
} crowd_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const crowd_state *s = user;
    const accel_work work = accel_work_1d(ELEMENTS, 1, 1);
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("crowd", status);
}

static bool validate(void *user)
{
    const crowd_state *s = user;
    uint64_t found[ELEMENTS];
    if (!bench_check("crowd", accel_read(s->queue, found, s->buffer)) ||
        !bench_check("crowd", accel_queue_wait(s->queue)))
        return false;
    for (uint64_t i = 0; i < ELEMENTS; ++i)
        if (found[i] != busy_value(i, s->args.steps)) {
            fprintf(stderr, "accel-bench: crowd: element %" PRIu64 " gives %" PRIu64 "\n", i, found[i]);
            return false;
        }
    return true;
}

/* The variable is read when an instance is made. */
static bool make_instance(const bench *b, crowd_state *s, unsigned threads)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    const char *given = getenv(variable);
    char *before = given != NULL ? strdup(given) : NULL, count[16];
    snprintf(count, sizeof count, "%u", threads);
    desc.backends = b->about.backend;
    desc.kernel_path = b->directory;
    s->other = *b;
    bool good = (given == NULL || before != NULL) && setenv(variable, count, 1) == 0 &&
                bench_check("crowd", accel_instance_create(&desc, &s->other.instance));
    if (before != NULL)
        setenv(variable, before, 1);
    else
        unsetenv(variable);
    free(before);
    return good && bench_check("crowd", accel_instance_find_device(s->other.instance, NULL, &s->other.device));
}

static bool open_state(const bench *b, crowd_state *s, unsigned threads)
{
    const accel_buffer_desc values = accel_buffer_1d(sizeof(uint64_t), ELEMENTS);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    if (!make_instance(b, s, threads) || !bench_check("crowd", accel_queue_create(s->other.device, &desc, &s->queue)) ||
        !bench_load(&s->other, "bench", "heavy", &s->module, &s->kernel) ||
        !bench_check("crowd", accel_buffer_create(s->other.device, &values, &s->buffer)))
        return false;
    s->args.value = accel_buffer_ptr(s->buffer);
    return true;
}

static bool run(bench *b, unsigned threads, uint64_t steps)
{
    crowd_state s = {.args = {.elements = ELEMENTS, .steps = steps}};
    const uint64_t parameters[NATIVE_PARAMETERS] = {ELEMENTS, steps, threads};
    char name[64];
    snprintf(name, sizeof name, "%d blocks of %d us by %u threads", ELEMENTS, ELEMENT_US, threads);
    bench_contest c = {
        .name = name, .measure = MEASURE_TIME, .goal = GOAL_RATIO, .goal_value = 1, .goal_device = "cpu-threads"};
    bool good = open_state(b, &s, threads) && bench_add_native(b, &c, BENCH_C, "omp-crowd", parameters) &&
                bench_add_native(b, &c, BENCH_C, "omp-crowd-dynamic", parameters) &&
                bench_add_native(b, &c, BENCH_PASSIVE, "omp-crowd", parameters) &&
                bench_add_native(b, &c, BENCH_FREE, "omp-crowd", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.buffer);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    accel_instance_release(s.other.instance);
    return good;
}

enum case_result case_crowd(bench *b)
{
    static const unsigned counts[] = {8, 16, 64};
    const uint64_t steps = (uint64_t)(ELEMENT_US * busy_steps_per_us());
    bool good = true;
    if (!bench_has_host_memory(b))
        return CASE_DONE;
    for (size_t i = 0; good && i < sizeof counts / sizeof counts[0] && !(b->quick && i > 0); ++i)
        good = counts[i] <= b->about.compute_units || run(b, counts[i], steps);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* More threads than CPUs, as a program has that shares its machine: who waits for a thread that has no CPU? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/busy_steps.h"
#include "cases/cases.h"
#include "cases/heavy.h"

typedef struct crowd_shape {
    unsigned blocks, us; /* at most HEAVY_ELEMENTS; what each takes */
    unsigned threads;
} crowd_shape;

static const char variable[] = "ACCEL_CPU_THREADS";

/* The bench with an instance of its own, which has so many threads: the variable is read when it is made. */
static bool open_other(const bench *b, bench *other, unsigned threads)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    const char *given = getenv(variable);
    char *before = given != NULL ? strdup(given) : NULL, count[16];
    snprintf(count, sizeof count, "%u", threads);
    desc.backends = b->about.backend;
    desc.kernel_path = b->directory;
    *other = *b;
    other->instance = NULL;
    bool good = (given == NULL || before != NULL) && setenv(variable, count, 1) == 0 &&
                bench_check("crowd", accel_instance_create(&desc, &other->instance));
    if (before != NULL)
        setenv(variable, before, 1);
    else if (given == NULL)
        unsetenv(variable);
    free(before);
    return good && bench_check("crowd", accel_instance_find_device(other->instance, NULL, &other->device));
}

/* A loop divided beforehand is the faster one only where its threads do not poll. */
static bool run(bench *b, const crowd_shape *shape, double steps_per_us)
{
    bench other;
    heavy_launch launch = {0};
    const uint64_t steps = (uint64_t)(shape->us * steps_per_us);
    const uint64_t parameters[NATIVE_PARAMETERS] = {shape->blocks, steps, 0, shape->threads};
    char name[64];
    snprintf(name, sizeof name, "%u blocks of %u us by %u threads", shape->blocks, shape->us, shape->threads);
    bench_contest c = {
        .name = name, .measure = MEASURE_TIME, .goal = GOAL_RATIO, .goal_value = 1, .goal_device = "cpu-threads"};
    bool good = open_other(b, &other, shape->threads) && heavy_open(&other, &launch, steps) &&
                bench_add_native(b, &c, BENCH_PASSIVE, "omp-crowd", parameters) &&
                bench_add_native(b, &c, BENCH_C, "omp-crowd-dynamic", parameters) &&
                bench_add_native(b, &c, BENCH_PASSIVE, "omp-crowd-dynamic", parameters) &&
                bench_add_native(b, &c, BENCH_FREE, "omp-crowd-dynamic", parameters);
    if (good) {
        launch.args.elements = shape->blocks;
        launch.work = accel_work_1d(shape->blocks, 1, 1);
        bench_add_way(&c, "libaccel", heavy_sample, &launch);
        good = bench_run(b, &c, heavy_validate, &launch);
    }
    heavy_close(&launch);
    accel_instance_release(other.instance);
    return good;
}

enum case_result case_crowd(bench *b)
{
    static const crowd_shape shapes[] = {{64, 20, 8}, {64, 20, 16}, {64, 20, 64}, {8, 2, 8}, {64, 1, 8}, {64, 1, 64}};
    const double steps = busy_steps_per_us();
    bool good = true;
    if (!bench_has_host_memory(b))
        return CASE_DONE;
    for (size_t i = 0; good && i < sizeof shapes / sizeof shapes[0] && !(b->quick && i > 0); ++i)
        good = shapes[i].threads <= b->about.compute_units || run(b, &shapes[i], steps);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cases/axpy_vectors.h"
#include "cases/cases.h"

static bool sample(void *vectors, size_t repetitions, double *nanoseconds)
{
    return axpy_vectors_sample(vectors, repetitions, nanoseconds);
}

static bool validate(void *vectors)
{
    return axpy_vectors_valid(vectors);
}

/* A program that knows that its elements are light says so, and short loops are not divided. */
static bool divide_light(axpy_vectors *v)
{
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.elem_ns = 1;
    return bench_check("axpy", accel_work_divide(v->kernel, 1, &v->args.n, &wish, &v->work));
}

static bool run_size(bench *b, axpy_vectors *v, const char *what, size_t n, bool is_light, double goal)
{
    char name[64];
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = 24.0 * (double)n, flops = 2.0 * (double)n;
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = flops,
                       .goal = goal != 0 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "%s, n = %zu", what, n);
    bool good = axpy_vectors_create(b, v, n) && (!is_light || divide_light(v)) &&
                bench_add_native(b, &c, BENCH_C, "axpy-c", parameters) &&
                bench_add_native(b, &c, BENCH_C, "axpy-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, v);
        good = bench_run(b, &c, validate, v);
    }
    axpy_vectors_release(v);
    return good;
}

enum case_result case_axpy(bench *b)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL, *again = NULL;
    axpy_vectors v = {.work = ACCEL_WORK_INIT};
    bool good = bench_check("axpy", accel_queue_create(b->device, &desc, &v.queue)) &&
                bench_load(b, "bench", "axpy", &module, &v.kernel) && run_size(b, &v, "axpy", 1000, false, 0.91) &&
                run_size(b, &v, "axpy, elem_ns 1", 1000, true, 0.91) && run_size(b, &v, "axpy", 100000, false, 0.98) &&
                (b->quick || run_size(b, &v, "axpy", 10000000, false, 1));
    good = good && bench_load(b, "bench", "axpy_packs", &again, &v.kernel) &&
           run_size(b, &v, "axpy in packs", 1001, false, 0) && run_size(b, &v, "axpy in packs", 100001, false, 0) &&
           (b->quick || run_size(b, &v, "axpy in packs", 10000001, false, 0));
    accel_module_release(again);
    accel_module_release(module);
    accel_queue_release(v.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

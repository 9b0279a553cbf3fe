/* SPDX-License-Identifier: Apache-2.0 */
/* Few elements that take long: does each CPU get its part of them, also where they differ? */
#include "cases/busy_steps.h"
#include "cases/cases.h"
#include "cases/heavy.h"

enum { ELEMENT_US = 1000, QUICK_US = 10 };

/* With a wish, elements are taken one by one. */
static bool run(bench *b, heavy_launch *launch, const char *name, bool uneven, uint64_t wish_ns)
{
    const size_t n = HEAVY_ELEMENTS;
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.elem_ns = wish_ns;
    launch->args.uneven = uneven;
    const uint64_t parameters[NATIVE_PARAMETERS] = {HEAVY_ELEMENTS, launch->args.steps, uneven};
    bench_contest c = {.name = name,
                       .measure = MEASURE_TIME,
                       .goal = uneven && wish_ns == 0 ? GOAL_NONE : GOAL_RATIO, /* nothing says that they differ */
                       .goal_value = 1.05,
                       .goal_device = "cpu-threads"};
    if (!bench_check("heavy", accel_work_divide(launch->kernel, 1, &n, &wish, &launch->work)) ||
        !bench_add_native(b, &c, BENCH_C, "omp-dynamic", parameters))
        return false;
    bench_add_way(&c, "libaccel", heavy_sample, launch);
    return bench_run(b, &c, heavy_validate, launch);
}

enum case_result case_heavy(bench *b)
{
    heavy_launch launch;
    const bool good = heavy_open(b, &launch, (uint64_t)((b->quick ? QUICK_US : ELEMENT_US) * busy_steps_per_us())) &&
                      run(b, &launch, "64 elements of 1 ms", false, 0) &&
                      run(b, &launch, "64 elements of 0.5 to 2 ms", true, ELEMENT_US * UINT64_C(1000)) &&
                      run(b, &launch, "64 of 0.5 to 2 ms, no wish", true, 0);
    heavy_close(&launch);
    return good ? CASE_DONE : CASE_FAILED;
}

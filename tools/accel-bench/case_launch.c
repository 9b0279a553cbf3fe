/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"
#include "native/native.h"

typedef struct launch_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
} launch_state;

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    (void)user;
    const double start = clock_now();
    for (size_t i = 0; i < repetitions; ++i)
        native_empty();
    *nanoseconds = clock_now() - start;
    return true;
}

static bool sample_launch(void *user, size_t repetitions, double *nanoseconds)
{
    const launch_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t i = 0; i < repetitions; ++i) {
        status |= accel_launch(s->queue, s->kernel, &s->work, NULL, 0);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("launch", status);
}

/* An empty kernel leaves no trace, so another one shows that launches on this queue run. */
static bool validate(const bench *b, accel_queue *queue, accel_kernel *count)
{
    enum { LAUNCHES = 1000 };
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), 1);
    const accel_work work = accel_work_1d(1, 1, 1);
    accel_buffer *buffer = NULL;
    uint64_t counted = 0;
    bool good = bench_check("launch", accel_buffer_create(b->device, &desc, &buffer)) &&
                bench_check("launch", accel_write(queue, buffer, &counted));
    const count_args args = {accel_buffer_ptr(buffer)};
    for (int i = 0; good && i < LAUNCHES; ++i)
        good = bench_check("launch", accel_launch(queue, count, &work, &args, sizeof args));
    good = good && bench_check("launch", accel_read(queue, &counted, buffer));
    if (good && counted != LAUNCHES) {
        fprintf(stderr, "accel-bench: launch: %d launches ran %llu times\n", LAUNCHES, (unsigned long long)counted);
        good = false;
    }
    accel_buffer_release(buffer);
    return good;
}

enum case_result case_launch(bench *b)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL;
    accel_kernel *count;
    launch_state state = {.work = accel_work_1d(1, 1, 1)};
    bench_way ways[2] = {{.sample = sample_native, .state = &state}, {.sample = sample_launch, .state = &state}};

    const bool good = bench_check("launch", accel_queue_create(b->device, &desc, &state.queue)) &&
                      bench_load(b, "bench", "empty", &module, &state.kernel) &&
                      bench_check("launch", accel_module_kernel(module, "count", &count)) &&
                      validate(b, state.queue, count) && harness_run(&b->plan, ways, 2);
    if (good)
        bench_add_comparison(b, "launch and wait, blocking", &ways[0], &ways[1], GOAL_AT_MOST, 25);
    accel_module_release(module);
    accel_queue_release(state.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

enum { SIDES = 2, ROW = 1000 /* round trips that are submitted in a row */ };

/* Two queues in turns: on each a kernel, an event recorded behind it, and a wait for it on the other. */
typedef struct events_state {
    accel_queue *queues[SIDES];
    accel_event *events[SIDES];
    accel_kernel *kernel;
    accel_work work;
} events_state;

static accel_status round_trip(const events_state *s)
{
    accel_status status = ACCEL_OK;
    for (int side = 0; side < SIDES; ++side) {
        status |= accel_launch(s->queues[side], s->kernel, &s->work, NULL, 0);
        status |= accel_event_record(s->events[side], s->queues[side]);
        status |= accel_queue_wait_event(s->queues[1 - side], s->events[side]);
    }
    return status;
}

static bool sample_row(void *user, size_t repetitions, double *nanoseconds)
{
    const events_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; r += ROW) {
        for (size_t i = r; i < repetitions && i < r + ROW; ++i)
            status |= round_trip(s);
        status |= accel_queue_wait(s->queues[0]);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("events", status);
}

/* Each side adds to a number in its own way, so that it shows if one did not wait for the other. */
static bool validate(bench *b, const events_state *s, accel_module *module)
{
    enum { ROUND_TRIPS = 5000 };
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), 1);
    const uint64_t zero = 0;
    accel_buffer *buffer = NULL;
    accel_kernel *sides[SIDES];
    uint64_t found = 0, expected = 0;
    accel_status status = ACCEL_OK;
    bool good = bench_check("events", accel_module_kernel(module, "ping", &sides[0])) &&
                bench_check("events", accel_module_kernel(module, "pong", &sides[1])) &&
                bench_check("events", accel_buffer_create(b->device, &desc, &buffer)) &&
                bench_check("events", accel_fill(s->queues[0], buffer, &zero, sizeof zero, NULL)) &&
                bench_check("events", accel_queue_wait(s->queues[0]));
    const turns_args args = {accel_buffer_ptr(buffer)};
    for (int i = 0; good && i < ROUND_TRIPS; ++i)
        for (int side = 0; side < SIDES; ++side) {
            status |= accel_launch(s->queues[side], sides[side], &s->work, &args, sizeof args);
            status |= accel_event_record(s->events[side], s->queues[side]);
            status |= accel_queue_wait_event(s->queues[1 - side], s->events[side]);
            expected = side == 0 ? expected + 1 : expected * 3;
        }
    good = good && bench_check("events", status) && bench_check("events", accel_read(s->queues[0], &found, buffer)) &&
           bench_check("events", accel_queue_wait(s->queues[0]));
    if (good && found != expected) {
        fprintf(stderr, "accel-bench: events: %d round trips gave %llx, not %llx\n", ROUND_TRIPS,
                (unsigned long long)found, (unsigned long long)expected);
        good = false;
    }
    accel_buffer_release(buffer);
    return good;
}

enum case_result case_events(bench *b)
{
    accel_module *module = NULL;
    events_state s = {.work = accel_work_1d(1, 1, 1)};
    bench_contest c = {.name = "event ping-pong, a round trip",
                       .measure = MEASURE_TIME,
                       .goal = GOAL_RATIO,
                       .goal_value = 6,
                       .goal_device = "cpu-threads"};
    bool good = bench_load(b, "bench", "empty", &module, &s.kernel);
    for (int side = 0; good && side < SIDES; ++side)
        good = bench_check("events", accel_queue_create(b->device, NULL, &s.queues[side])) &&
               bench_check("events", accel_event_create(b->device, NULL, &s.events[side]));
    good = good && validate(b, &s, module) && bench_add_native(b, &c, BENCH_FREE, "signal", NULL);
    if (good) {
        bench_add_way(&c, "libaccel", sample_row, &s)->repetitions = b->quick ? ROW / 10 : ROW;
        good = bench_run(b, &c, NULL, NULL);
    }
    for (int side = 0; side < SIDES; ++side) {
        accel_event_release(s.events[side]);
        accel_queue_release(s.queues[side]);
    }
    accel_module_release(module);
    return good ? CASE_DONE : CASE_FAILED;
}

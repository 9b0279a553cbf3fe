/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

/* Switches: at each barrier all threads but the last to arrive are switched away from. */
enum { ROUNDS = 1000, SWITCHES = ROUNDS * (BARRIER_THREADS - 1) };

typedef struct barrier_state {
    accel_queue *queue;
    accel_kernel *turn, *ring;
    accel_work work;
    accel_buffer *counts;
} barrier_state;

static bool launch(const barrier_state *s, accel_kernel *kernel)
{
    const barrier_args args = {ROUNDS, accel_buffer_ptr(s->counts)};
    return bench_check("barrier", accel_launch(s->queue, kernel, &s->work, &args, sizeof args)) &&
           bench_check("barrier", accel_queue_wait(s->queue));
}

static bool sample_switch(void *user, size_t repetitions, double *nanoseconds)
{
    const barrier_state *s = user;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r)
        if (!launch(s, s->turn))
            return false;
    *nanoseconds = clock_now() - start;
    return true;
}

/* Runs the kernel and compares: turn leaves the number of rounds everywhere, ring the number that wandered there. */
static bool validate(const barrier_state *s, accel_kernel *kernel)
{
    uint64_t counts[BARRIER_THREADS];
    if (!launch(s, kernel) || !bench_check("barrier", accel_read(s->queue, counts, s->counts)))
        return false;
    for (size_t t = 0; t < BARRIER_THREADS; ++t) {
        const uint64_t expected = kernel == s->turn ? ROUNDS : (t + ROUNDS) % BARRIER_THREADS;
        if (counts[t] != expected) {
            fprintf(stderr, "accel-bench: barrier: thread %zu has %llu, not %llu\n", t, (unsigned long long)counts[t],
                    (unsigned long long)expected);
            return false;
        }
    }
    return true;
}

static bool validate_turn(void *user)
{
    const barrier_state *s = user;
    return validate(s, s->turn);
}

enum case_result case_barrier(bench *b)
{
    const accel_buffer_desc buffer = accel_buffer_1d(sizeof(uint64_t), BARRIER_THREADS);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL;
    barrier_state s = {.work = accel_work_1d(1, BARRIER_THREADS, 1)};
    bench_contest c = {.name = "switch of threads at a barrier",
                       .measure = MEASURE_TIME,
                       .goal = GOAL_AT_MOST,
                       .goal_value = 10,
                       .goal_device = "cpu-serial"};
    bench_add_way(&c, "libaccel", sample_switch, &s)->operations = SWITCHES;
    const bool good = bench_check("barrier", accel_queue_create(b->device, &desc, &s.queue)) &&
                      bench_load(b, "bench", "turn", &module, &s.turn) &&
                      bench_check("barrier", accel_module_kernel(module, "ring", &s.ring)) &&
                      bench_check("barrier", accel_buffer_create(b->device, &buffer, &s.counts)) &&
                      validate(&s, s.ring) && bench_run(b, &c, validate_turn, &s);
    accel_buffer_release(s.counts);
    accel_module_release(module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

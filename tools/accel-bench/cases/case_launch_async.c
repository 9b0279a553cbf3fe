/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <time.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

enum { ROW = 10000 /* launches in a row */ };
enum { SECOND = 1000 * 1000 * 1000, MILLISECOND = 1000 * 1000, QUICK = 20 /* part of pauses and starts */ };

/* The kernel counts its runs, so every sample is validated. */
typedef struct async_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *buffer;
    volatile uint64_t *count; /* where the host sees it; NULL if it cannot */
    uint64_t launched;
    long pause_nanoseconds; /* before each single launch, for the worker to fall asleep */
    long more_nanoseconds;  /* by which the pauses of many starts differ */
    size_t starts;          /* of which the latest counts */
} async_state;

static accel_status launch(async_state *s)
{
    const count_args args = {accel_buffer_ptr(s->buffer)};
    s->launched++;
    return accel_launch(s->queue, s->kernel, &s->work, &args, sizeof args);
}

static bool validate(async_state *s)
{
    uint64_t counted = 0;
    if (!bench_check("launch-async", accel_read(s->queue, &counted, s->buffer)) ||
        !bench_check("launch-async", accel_queue_wait(s->queue)))
        return false;
    if (counted == s->launched)
        return true;
    fprintf(stderr, "accel-bench: launch-async: %llu launches ran %llu times\n", (unsigned long long)s->launched,
            (unsigned long long)counted);
    return false;
}

static bool sample_row(async_state *s, size_t repetitions, bool submit_only, double *nanoseconds)
{
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        accel_status status = ACCEL_OK;
        const double start = clock_now();
        for (int i = 0; i < ROW; ++i)
            status |= launch(s);
        const double submitted = clock_now();
        status |= accel_queue_wait(s->queue);
        *nanoseconds += (submit_only ? submitted : clock_now()) - start;
        if (!bench_check("launch-async", status))
            return false;
    }
    return validate(s);
}

static bool sample_whole(void *state, size_t repetitions, double *nanoseconds)
{
    return sample_row(state, repetitions, false, nanoseconds);
}

static bool sample_submit(void *state, size_t repetitions, double *nanoseconds)
{
    return sample_row(state, repetitions, true, nanoseconds);
}

/* The pause counts from a launch: before its turn a way has waited for milliseconds until the others were quiet. */
static accel_status pause_before(async_state *s)
{
    const struct timespec time = {s->pause_nanoseconds / SECOND, s->pause_nanoseconds % SECOND};
    if (s->pause_nanoseconds == 0)
        return ACCEL_OK;
    accel_status status = launch(s);
    status |= accel_queue_wait(s->queue);
    nanosleep(&time, NULL);
    return status;
}

static bool sample_wait(void *state, size_t repetitions, double *nanoseconds)
{
    async_state *s = state;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        accel_status status = pause_before(s);
        const double start = clock_now();
        status |= launch(s);
        status |= accel_queue_wait(s->queue);
        *nanoseconds += clock_now() - start;
        if (!bench_check("launch-async", status))
            return false;
    }
    return validate(s);
}

/* About a millisecond of work that no compiler shortens. */
static void compute(void)
{
    volatile double value = 1;
    for (int i = 0; i < 250000; ++i)
        value = value * 1.0000001;
}

static void compute_in_queue(void *user, accel_status status)
{
    (void)status;
    ++*(uint64_t *)user;
    compute();
}

/* The queue computes, and so does its submitter. Time in millionths of what one of them takes alone: 1,000,000 is both at once,
 * 2,000,000 one after the other. */
static bool sample_beside(void *state, size_t repetitions, double *nanoseconds)
{
    async_state *s = state;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        uint64_t calls = 0;
        double start = clock_now();
        compute();
        const double alone = clock_now() - start;
        accel_status status = pause_before(s);
        start = clock_now();
        status |= accel_queue_call(s->queue, compute_in_queue, &calls);
        compute();
        status |= accel_queue_wait(s->queue);
        *nanoseconds += 1e6 * (clock_now() - start) / alone;
        if (!bench_check("launch-async", status))
            return false;
        if (calls != 1) {
            fprintf(stderr, "accel-bench: launch-async: the queue's function was not called once\n");
            return false;
        }
    }
    return validate(s);
}

/* Nobody waits: how long until the worker has run it? */
static bool start_once(async_state *s, double *nanoseconds)
{
    accel_status status = pause_before(s);
    const uint64_t before = *s->count;
    const double start = clock_now();
    status |= launch(s);
    double now = clock_now();
    while (status == ACCEL_OK && *s->count == before && now - start < 1e9)
        now = clock_now();
    *nanoseconds = now - start;
    if (!bench_check("launch-async", status))
        return false;
    if (*s->count == before)
        fprintf(stderr, "accel-bench: launch-async: a launch that nobody waited for did not start within a second\n");
    return *s->count != before;
}

static bool sample_start(void *state, size_t repetitions, double *nanoseconds)
{
    async_state *s = state;
    double time;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        if (!start_once(s, &time))
            return false;
        *nanoseconds += time;
    }
    return validate(s);
}

/* The latest of many starts, after pauses that differ. */
static bool sample_latest(void *state, size_t repetitions, double *nanoseconds)
{
    enum { STEPS = 17 };
    async_state *s = state;
    const long pause = s->pause_nanoseconds;
    bool good = true;
    double time;
    *nanoseconds = 0;
    for (size_t r = 0; good && r < repetitions; ++r) {
        double latest = 0;
        for (size_t i = 0; good && i < s->starts; ++i) {
            s->pause_nanoseconds = pause + s->more_nanoseconds * (long)(i % STEPS) / STEPS;
            good = start_once(s, &time);
            latest = time > latest ? time : latest;
        }
        *nanoseconds += latest;
    }
    s->pause_nanoseconds = pause;
    return good && validate(s);
}

static bool add(bench *b, async_state *s, const char *name, bench_sample sample, size_t operations, long pause,
                enum goal_kind goal, double value)
{
    bench_contest c = {.name = name, .measure = MEASURE_TIME, .goal = goal, .goal_value = value};
    const uint64_t parameters[NATIVE_PARAMETERS] = {operations};
    /* OpenMP has nothing that falls asleep, and no creation that could be timed alone. */
    if (pause == 0 && (sample == sample_whole || sample == sample_wait)) {
        if (!bench_add_native(b, &c, BENCH_C, "omp-tasks", parameters))
            return false;
        for (size_t i = 0; i < c.count; ++i)
            c.ways[i].operations = operations;
    }
    bench_way *way = bench_add_way(&c, "libaccel", sample, s);
    way->operations = operations;
    way->cold = pause != 0;
    way->repetitions = pause != 0;
    s->pause_nanoseconds = b->quick ? pause / QUICK : pause;
    return bench_run(b, &c, NULL, NULL); /* each sample is validated */
}

/* Starts that nobody waits for, after a pause; `latest_of` != 0: the latest of so many counts. */
static bool add_starts(bench *b, async_state *s, const char *name, long pause, size_t latest_of)
{
    const long most_us = latest_of != 0 ? 500 : 60;
    bench_contest c = {
        .name = name, .measure = MEASURE_TIME, .goal = GOAL_AT_MOST, .goal_value = 1000.0 * (double)most_us};
    s->pause_nanoseconds = b->quick ? pause / QUICK : pause;
    s->more_nanoseconds = latest_of == 0 ? 0 : b->quick ? MILLISECOND / QUICK : MILLISECOND;
    s->starts = b->quick ? latest_of / QUICK : latest_of;
    c.latest_of = (uint32_t)s->starts;
    c.most_rounds = latest_of != 0 || pause >= SECOND ? 3 : 0;
    const uint64_t parameters[NATIVE_PARAMETERS] = {(uint64_t)s->pause_nanoseconds, (uint64_t)s->more_nanoseconds};
    if (!bench_add_native(b, &c, BENCH_FREE, "bare-wake", parameters))
        return false;
    bench_add_way(&c, "libaccel", latest_of != 0 ? sample_latest : sample_start, s);
    for (size_t i = 0; i < c.count; ++i) {
        c.ways[i].cold = true;
        c.ways[i].repetitions = 1;
    }
    return bench_run(b, &c, NULL, NULL);
}

static bool open_state(bench *b, async_state *s, accel_module **module)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), 1);
    const uint64_t zero = 0;
    if (!bench_check("launch-async", accel_queue_create(b->device, NULL, &s->queue)) ||
        !bench_load(b, "bench", "count", module, &s->kernel) ||
        !bench_check("launch-async", accel_buffer_create(b->device, &desc, &s->buffer)) ||
        !bench_check("launch-async", accel_fill(s->queue, s->buffer, &zero, sizeof zero, NULL)) ||
        !bench_check("launch-async", accel_queue_wait(s->queue)))
        return false;
    if (bench_has_host_memory(b))
        s->count = accel_buffer_ptr(s->buffer);
    return true;
}

enum case_result case_launch_async(bench *b)
{
    const long short_pause = 200 * 1000, long_pause = 20 * MILLISECOND;
    const double overlap = 2e6 / 1.8; /* 1.8 of the 2 that two CPUs could do */
    accel_module *module = NULL;
    async_state s = {.work = accel_work_1d(1, 1, 1)};
    bool good = open_state(b, &s, &module) &&
                add(b, &s, "launch, 10000 in a row and wait", sample_whole, ROW, 0, GOAL_AT_MOST, 150) &&
                add(b, &s, "submit alone, of these 10000", sample_submit, ROW, 0, GOAL_AT_MOST, 60) &&
                add(b, &s, "launch and wait, worker awake", sample_wait, 1, 0, GOAL_AT_MOST, 1000) &&
                add(b, &s, "launch and wait, idle for 0.2 ms", sample_wait, 1, short_pause, GOAL_AT_MOST, 1000) &&
                add(b, &s, "launch and wait, idle for 20 ms", sample_wait, 1, long_pause, GOAL_AT_MOST, 1000);
    good = good && add(b, &s, "1 ms beside the caller's", sample_beside, 1, 0, GOAL_AT_MOST, overlap) &&
           add(b, &s, "beside, idle for 20 ms", sample_beside, 1, long_pause, GOAL_AT_MOST, overlap);
    if (s.count != NULL)
        good = good && add(b, &s, "start unwaited, worker awake", sample_start, 1, 0, GOAL_NONE, 0) &&
               add_starts(b, &s, "start unwaited, idle for 0.2 ms", short_pause, 0) &&
               add_starts(b, &s, "start unwaited, idle for 1 ms", MILLISECOND, 0) &&
               add_starts(b, &s, "start unwaited, idle for 20 ms", long_pause, 0) &&
               add_starts(b, &s, "start unwaited, idle for 1 s", SECOND, 0) &&
               add_starts(b, &s, "latest of 1000, idle for 1 to 2 ms", MILLISECOND, 1000) &&
               add_starts(b, &s, "latest of 200, idle for 20 ms", long_pause, 200);
    accel_buffer_release(s.buffer);
    accel_module_release(module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

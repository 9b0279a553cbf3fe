/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on a GPU beside the driver's own call, with the same function on the same stream. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "gpu/cases.h"

enum { ROW = 256 /* launches in a row: fewer than a driver's queue holds, so that none waits for room */ };

typedef struct launch_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    accel_work work;
    void *stream, *function;
    uint64_t launched;
} launch_state;

static int launch_native(launch_state *s)
{
    count_args args = {accel_buffer_ptr(s->buffer)};
    accel_grid grid = gpu_grid(&s->work);
    void *parameters[] = {&args, &grid};
    s->launched++;
    return s->driver.launch(s->function, 1, 1, 1, 1, 1, 1, 0, s->stream, parameters, NULL);
}

static int launch_ours(launch_state *s)
{
    const count_args args = {accel_buffer_ptr(s->buffer)};
    s->launched++;
    return (int)accel_launch(s->queue, s->kernel, &s->work, &args, sizeof args);
}

/* Submitting alone: the device's time to run the launches does not count. */
static bool sample_row(launch_state *s, int (*launch)(launch_state *), size_t repetitions, double *nanoseconds)
{
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        int result = 0;
        const double start = clock_now();
        for (int i = 0; i < ROW; ++i)
            result |= launch(s);
        *nanoseconds += (clock_now() - start) / ROW;
        if (!gpu_driver_check("launch", result) || !bench_check("launch", accel_queue_wait(s->queue)))
            return false;
    }
    return true;
}

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_row(user, launch_native, repetitions, nanoseconds);
}

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_row(user, launch_ours, repetitions, nanoseconds);
}

static bool sample_native_wait(void *user, size_t repetitions, double *nanoseconds)
{
    launch_state *s = user;
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= launch_native(s);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("launch", result);
}

static bool sample_ours_wait(void *user, size_t repetitions, double *nanoseconds)
{
    launch_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= (accel_status)launch_ours(s);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("launch", status);
}

/* A thread in which nothing has made a context current, as programs have that use libaccel alone. libaccel makes the device's
 * current by itself, with the first launch; for the driver the thread does. */
typedef struct thread_launch {
    launch_state *state;
    bool native, first;
    double nanoseconds; /* of the first launch, or of each later one */
    int result;
} thread_launch;

static void *launch_in_thread(void *user)
{
    thread_launch *t = user;
    launch_state *s = t->state;
    int (*launch)(launch_state *) = t->native ? launch_native : launch_ours;
    double start = clock_now();
    t->result = t->native && !gpu_driver_enter(&s->driver) ? -1 : launch(s);
    t->nanoseconds = clock_now() - start;
    if (t->first)
        return NULL;
    start = clock_now();
    for (int i = 0; i < ROW; ++i)
        t->result |= launch(s);
    t->nanoseconds = (clock_now() - start) / ROW;
    return NULL;
}

static bool sample_thread(launch_state *s, bool native, bool first, size_t repetitions, double *nanoseconds)
{
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        thread_launch t = {.state = s, .native = native, .first = first};
        pthread_t thread;
        const int error = pthread_create(&thread, NULL, launch_in_thread, &t);
        if (error != 0) {
            fprintf(stderr, "accel-bench: gpu-launch: no thread can be started (%s)\n", strerror(error));
            return false;
        }
        pthread_join(thread, NULL);
        *nanoseconds += t.nanoseconds;
        if (!gpu_driver_check("launch in a thread", t.result) || !bench_check("launch", accel_queue_wait(s->queue)))
            return false;
    }
    return true;
}

static bool sample_native_first(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_thread(user, true, true, repetitions, nanoseconds);
}

static bool sample_ours_first(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_thread(user, false, true, repetitions, nanoseconds);
}

static bool sample_native_later(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_thread(user, true, false, repetitions, nanoseconds);
}

static bool sample_ours_later(void *user, size_t repetitions, double *nanoseconds)
{
    return sample_thread(user, false, false, repetitions, nanoseconds);
}

/* The kernel counts its runs, whoever launched it. */
static bool validate(void *user)
{
    launch_state *s = user;
    uint64_t counted = 0;
    if (!bench_check("launch", accel_read(s->queue, &counted, s->buffer)) ||
        !bench_check("launch", accel_queue_wait(s->queue)))
        return false;
    if (counted == s->launched)
        return true;
    fprintf(stderr, "accel-bench: gpu-launch: %llu launches ran %llu times\n", (unsigned long long)s->launched,
            (unsigned long long)counted);
    return false;
}

static bool add(bench *b, launch_state *s, const char *name, bench_sample native, bench_sample ours,
                enum goal_kind goal)
{
    bench_contest c = {.name = name, .measure = MEASURE_TIME, .goal = goal, .goal_value = 60};
    bench_add_way(&c, s->driver.words, native, s);
    bench_add_way(&c, "libaccel", ours, s);
    return gpu_driver_enter(&s->driver) && bench_run(b, &c, validate, s);
}

static bool open_state(bench *b, launch_state *s)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), 1);
    const uint64_t zero = 0;
    return gpu_driver_open(b, &s->driver) &&
           bench_check("gpu-launch", accel_queue_create(b->device, NULL, &s->queue)) &&
           bench_load(b, "bench", "count", &s->module, &s->kernel) &&
           bench_check("gpu-launch", accel_buffer_create(b->device, &desc, &s->buffer)) &&
           bench_check("gpu-launch", accel_fill(s->queue, s->buffer, &zero, sizeof zero, NULL)) &&
           bench_check("gpu-launch", accel_queue_wait(s->queue)) &&
           bench_check("gpu-launch", accel_queue_native(s->queue, &s->stream)) &&
           bench_check("gpu-launch", accel_kernel_native(s->kernel, &s->function));
}

enum case_result case_gpu_launch(bench *b)
{
    launch_state s = {.work = accel_work_1d(1, 1, 1)};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    bool good = open_state(b, &s) && add(b, &s, "submit a launch", sample_native, sample_ours, GOAL_MORE) &&
                add(b, &s, "launch and wait", sample_native_wait, sample_ours_wait, GOAL_NONE) &&
                add(b, &s, "first launch of a new thread", sample_native_first, sample_ours_first, GOAL_NONE) &&
                add(b, &s, "later launches of a new thread", sample_native_later, sample_ours_later, GOAL_MORE);
    (void)gpu_driver_leave(&s.driver);
    accel_buffer_release(s.buffer);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

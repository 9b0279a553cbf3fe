/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/pageable.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

static const char what[] = "copy of pageable memory";

/* ---------------------------------------------------------------------------------------------- libaccel -- */

static accel_status submit(const pageable_lane *lane)
{
    return lane->to_device ? accel_write(lane->queue, lane->buffer, lane->bytes)
                           : accel_read(lane->queue, lane->bytes, lane->buffer);
}

bool pageable_sample(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        for (size_t i = 0; i < s->count; ++i)
            status |= submit(&s->lanes[i]);
        for (size_t i = 0; i < s->count; ++i)
            status |= accel_queue_wait(s->lanes[i].queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check(what, status);
}

bool pageable_sample_call(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    accel_status status = ACCEL_OK;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        const double start = clock_now();
        status |= submit(&s->lanes[0]);
        *nanoseconds += clock_now() - start;
        status |= accel_queue_wait(s->lanes[0].queue);
    }
    return bench_check(what, status);
}

bool pageable_sample_beside(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= submit(&s->lanes[0]);
        clock_compute(s->work);
        status |= accel_queue_wait(s->lanes[0].queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check(what, status);
}

/* -------------------------------------------------------------------------------------------- the driver -- */

static int submit_driver(const pageable_copies *s, const pageable_lane *lane)
{
    void *there = accel_buffer_ptr(lane->buffer);
    return lane->to_device ? gpu_driver_copy(&s->driver, there, lane->bytes, s->size, lane->stream)
                           : gpu_driver_copy(&s->driver, lane->bytes, there, s->size, lane->stream);
}

bool pageable_sample_driver_call(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    int result = 0;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        const double start = clock_now();
        result |= submit_driver(s, &s->lanes[0]);
        *nanoseconds += clock_now() - start;
        result |= s->driver.synchronize(s->lanes[0].stream);
    }
    return gpu_driver_check(what, result);
}

bool pageable_sample_driver_beside(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= submit_driver(s, &s->lanes[0]);
        clock_compute(s->work);
        result |= s->driver.synchronize(s->lanes[0].stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check(what, result);
}

/* The threads begin together; none waits for another in between. */
typedef struct start_line {
    const pageable_copies *copies;
    size_t repetitions;
    _Atomic size_t ready;
    _Atomic int go; /* 1: copy; -1: end */
} start_line;

typedef struct lane_thread {
    start_line *line;
    const pageable_lane *lane;
    pthread_t thread;
    double end;
    int result;
} lane_thread;

static void copy_lane(lane_thread *t)
{
    const pageable_copies *s = t->line->copies;
    for (size_t r = 0; r < t->line->repetitions; ++r) {
        t->result |= submit_driver(s, t->lane);
        t->result |= s->driver.synchronize(t->lane->stream);
    }
    t->end = clock_now();
}

static void *run_lane(void *user)
{
    lane_thread *t = user;
    start_line *line = t->line;
    int go;
    if (!gpu_driver_enter(&line->copies->driver))
        t->result = -1;
    atomic_fetch_add(&line->ready, 1);
    while ((go = atomic_load(&line->go)) == 0)
        sched_yield();
    if (go == 1)
        copy_lane(t);
    return NULL;
}

/* The caller copies the first lane. */
bool pageable_sample_driver(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    start_line line = {.copies = s, .repetitions = repetitions};
    lane_thread threads[PAGEABLE_QUEUES];
    size_t started = 1;
    int error = 0;
    for (size_t i = 0; i < s->count; ++i)
        threads[i] = (lane_thread){.line = &line, .lane = &s->lanes[i]};
    for (; started < s->count && error == 0; started += error == 0)
        error = pthread_create(&threads[started].thread, NULL, run_lane, &threads[started]);
    while (atomic_load(&line.ready) < started - 1)
        sched_yield();
    const double start = clock_now();
    atomic_store(&line.go, error == 0 ? 1 : -1);
    if (error == 0)
        copy_lane(&threads[0]);
    else
        fprintf(stderr, "accel-bench: %s: no thread can be started (%s)\n", what, strerror(error));
    *nanoseconds = threads[0].end - start;
    for (size_t i = 1; i < started; ++i) {
        pthread_join(threads[i].thread, NULL);
        threads[0].result |= threads[i].result;
        if (threads[i].end - start > *nanoseconds)
            *nanoseconds = threads[i].end - start;
    }
    return error == 0 && gpu_driver_check(what, threads[0].result);
}

/* --------------------------------------------------------------------------------------------- the bound -- */

/* Through the same pinned memory, one lane behind the other, and never both at a time. Links carry both directions at once. */
bool pageable_sample_bound(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_copies *s = user;
    double copied = 0, carried[2] = {0, 0};
    int result = 0;
    for (size_t r = 0; r < repetitions; ++r)
        for (size_t i = 0; i < s->count; ++i) {
            const pageable_lane *lane = &s->lanes[i];
            void *there = accel_buffer_ptr(lane->buffer);
            double start = clock_now();
            if (lane->to_device) {
                memcpy(s->pinned_bytes, lane->bytes, s->size);
                copied += clock_now() - start;
                start = clock_now();
            }
            result |= lane->to_device ? gpu_driver_copy(&s->driver, there, s->pinned_bytes, s->size, lane->stream)
                                      : gpu_driver_copy(&s->driver, s->pinned_bytes, there, s->size, lane->stream);
            result |= s->driver.synchronize(lane->stream);
            carried[lane->to_device] += clock_now() - start;
            if (!lane->to_device) {
                start = clock_now();
                memcpy(lane->bytes, s->pinned_bytes, s->size);
                copied += clock_now() - start;
            }
        }
    const double link = carried[0] > carried[1] ? carried[0] : carried[1];
    *nanoseconds = link > copied ? link : copied;
    return gpu_driver_check(what, result);
}

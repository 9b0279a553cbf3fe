/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of pageable memory to and from a GPU, beside the driver's own. The driver makes its caller wait; libaccel's queue does
 * not. The driver's are made on the stream of another queue: where a program has asked for the stream, libaccel copies
 * otherwise (docs/gpu.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "gpu/cases.h"

typedef struct pageable_state {
    gpu_driver driver;
    accel_queue *queue, *other;
    void *stream; /* of the other queue */
    size_t size;
    bool to_device;
    accel_buffer *buffer;
    unsigned char *bytes;
} pageable_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= s->to_device ? accel_write(s->queue, s->buffer, s->bytes) : accel_read(s->queue, s->bytes, s->buffer);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("copy of pageable memory", status);
}

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    const pageable_state *s = user;
    void *there = accel_buffer_ptr(s->buffer);
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= s->to_device ? gpu_driver_copy(&s->driver, there, s->bytes, s->size, s->stream)
                               : gpu_driver_copy(&s->driver, s->bytes, there, s->size, s->stream);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("copy of pageable memory", result);
}

static void write_bytes(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)((i + seed) % 251);
}

static bool are_bytes(const unsigned char *bytes, size_t size, unsigned seed, const char *way)
{
    for (size_t i = 0; i < size; ++i) {
        if (bytes[i] != (unsigned char)((i + seed) % 251)) {
            fprintf(stderr, "accel-bench: %s: byte %zu of %zu of pageable memory is wrong\n", way, i, size);
            return false;
        }
    }
    return true;
}

static bool wait_for(const pageable_state *s, accel_status status)
{
    return bench_check("copy of pageable memory", status) &&
           bench_check("copy of pageable memory", accel_queue_wait(s->queue));
}

/* Checks each way alone, with bytes of its own. */
static bool prove(pageable_state *s, const bench_contest *c)
{
    double time;
    for (unsigned w = 0; w < c->count; ++w) {
        write_bytes(s->bytes, s->size, w);
        if (s->to_device) {
            if (!c->ways[w].sample(s, 1, &time))
                return false;
            memset(s->bytes, 0xa5, s->size);
            if (!wait_for(s, accel_read(s->queue, s->bytes, s->buffer)))
                return false;
        } else {
            if (!wait_for(s, accel_write(s->queue, s->buffer, s->bytes)))
                return false;
            memset(s->bytes, 0xa5, s->size);
            if (!c->ways[w].sample(s, 1, &time))
                return false;
        }
        if (!are_bytes(s->bytes, s->size, w, c->ways[w].name))
            return false;
    }
    return true;
}

static bool row(bench *b, pageable_state *s, bool to_device)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %zu MiB", to_device ? "pageable to device" : "device to pageable", s->size >> 20);
    bench_contest c = {
        .name = name, .measure = MEASURE_BANDWIDTH, .amount = (double)s->size, .goal = GOAL_RATIO, .goal_value = 0.9};
    s->to_device = to_device;
    bench_add_way(&c, s->driver.hip ? "hipMemcpyAsync" : "cuMemcpyAsync", sample_native, s);
    bench_add_way(&c, "libaccel", sample, s);
    return prove(s, &c) && bench_run(b, &c, NULL, NULL);
}

static bool rows(bench *b, pageable_state *s, size_t size)
{
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    s->size = size;
    s->bytes = malloc(size);
    if (s->bytes == NULL)
        fprintf(stderr, "accel-bench: no memory for %zu bytes\n", size);
    bool good = s->bytes != NULL && bench_check("memory", accel_buffer_create(b->device, &desc, &s->buffer)) &&
                row(b, s, true) && row(b, s, false);
    accel_buffer_release(s->buffer);
    free(s->bytes);
    s->buffer = NULL;
    s->bytes = NULL;
    return good;
}

enum case_result case_gpu_pageable(bench *b)
{
    static const size_t sizes[] = {(size_t)1 << 20, (size_t)16 << 20, (size_t)256 << 20, (size_t)1 << 30};
    pageable_state s = {0};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    bool good = gpu_driver_open(b, &s.driver) && gpu_driver_enter(&s.driver) &&
                bench_check("queue", accel_queue_create(b->device, NULL, &s.queue)) &&
                bench_check("queue", accel_queue_create(b->device, NULL, &s.other)) &&
                bench_check("queue", accel_queue_native(s.other, &s.stream));
    for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && !(b->quick && i > 0); ++i)
        good = rows(b, &s, sizes[i]);
    (void)gpu_driver_leave(&s.driver);
    accel_queue_release(s.other);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

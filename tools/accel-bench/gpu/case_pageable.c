/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of pageable memory to and from a GPU, in one queue and in several, beside the driver's own, and what the call alone
 * takes of its thread. The driver makes its caller wait; libaccel's queue does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/pageable.h"
#include "period.h"

enum direction { TO_DEVICE, TO_HOST, BOTH_WAYS, DIRECTIONS };
enum { FREE_NS = 50000 }; /* so long may a copy have its caller's thread */

static const char what[] = "copy of pageable memory";
static const char *const names[DIRECTIONS] = {"pageable to device", "device to pageable", "pageable both ways"};
static const char *const short_names[DIRECTIONS] = {"to device", "to host", "both ways"};

static bool wait_for(const pageable_lane *lane, accel_status status)
{
    return bench_check(what, status) && bench_check(what, accel_queue_wait(lane->queue));
}

/* Has the way copy bytes of its own. */
static bool prove(pageable_copies *s, bench_sample sample, const char *way, unsigned seed)
{
    double time;
    for (size_t i = 0; i < s->count; ++i) {
        pageable_lane *lane = &s->lanes[i];
        period_write(lane->bytes, s->size, seed + (unsigned)i);
        if (lane->to_device)
            continue;
        if (!wait_for(lane, accel_write(lane->queue, lane->buffer, lane->bytes)))
            return false;
        memset(lane->bytes, 0xa5, s->size);
    }
    if (!sample(s, 1, &time))
        return false;
    for (size_t i = 0; i < s->count; ++i) {
        pageable_lane *lane = &s->lanes[i];
        if (lane->to_device) {
            memset(lane->bytes, 0xa5, s->size);
            if (!wait_for(lane, accel_read(lane->queue, lane->bytes, lane->buffer)))
                return false;
        }
        if (!period_is_right(lane->bytes, s->size, seed + (unsigned)i, way))
            return false;
    }
    return true;
}

/* Each way alone. */
static bool prove_all(pageable_copies *s, const bench_contest *c)
{
    for (unsigned w = 0; w < c->count; ++w)
        if (!prove(s, c->ways[w].sample, c->ways[w].name, w))
            return false;
    return true;
}

/* GB/s of the slower of memcpy and the link. */
static bool find_bound(pageable_copies *s, double bytes, double *bound)
{
    enum { SAMPLES = 3 };
    double time;
    if (!prove(s, pageable_sample_bound, "memcpy and the link", DIRECTIONS))
        return false;
    *bound = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        if (!pageable_sample_bound(s, 1, &time))
            return false;
        if (bytes / time > *bound)
            *bound = bytes / time;
    }
    return true;
}

static void choose(pageable_copies *s, size_t count, enum direction direction)
{
    s->count = count;
    for (size_t i = 0; i < count; ++i)
        s->lanes[i].to_device = direction == TO_DEVICE || (direction == BOTH_WAYS && i % 2 == 0);
}

static void add_ways(bench_contest *c, pageable_copies *s, bench_sample driver, bench_sample ours)
{
    bench_add_way(c, s->driver.hip ? "hipMemcpyAsync" : "cuMemcpyAsync", driver, s);
    bench_add_way(c, "libaccel", ours, s);
}

static bool copy_row(bench *b, pageable_copies *s, size_t count, enum direction direction)
{
    enum { MANY_BYTES = 1 << 30, FEW_ROUNDS = 3 }; /* a sample takes a good part of a second */
    char name[64], queues[24] = "";
    const double bytes = (double)s->size * (double)count;
    double bound;
    choose(s, count, direction);
    if (!find_bound(s, bytes, &bound))
        return false;
    if (count > 1)
        snprintf(queues, sizeof queues, "%zu x ", count);
    snprintf(name, sizeof name, "%s, %s%zu MiB", names[direction], queues, s->size >> 20);
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .goal = GOAL_AT_LEAST,
                       .goal_value = 0.9 * bound,
                       .most_rounds = bytes > MANY_BYTES ? FEW_ROUNDS : 0};
    add_ways(&c, s, pageable_sample_driver, pageable_sample);
    return prove_all(s, &c) && bench_run(b, &c, NULL, NULL);
}

/* The calling thread is free when the call returns, whatever the size. */
static bool call_row(bench *b, pageable_copies *s, enum direction direction)
{
    char name[64];
    choose(s, 1, direction);
    snprintf(name, sizeof name, "call, %s, %zu MiB", short_names[direction], s->size >> 20);
    bench_contest c = {.name = name, .measure = MEASURE_TIME, .goal = GOAL_AT_MOST, .goal_value = FREE_NS};
    add_ways(&c, s, pageable_sample_driver_call, pageable_sample_call);
    for (size_t w = 0; w < c.count; ++w)
        c.ways[w].repetitions = 1; /* what counts of each is short */
    return prove_all(s, &c) && bench_run(b, &c, NULL, NULL);
}

/* The caller computes as long as the slower of memcpy and the link takes: both together take hardly longer. */
static bool beside_row(bench *b, pageable_copies *s, enum direction direction)
{
    char name[64];
    double bound;
    choose(s, 1, direction);
    if (!find_bound(s, (double)s->size, &bound))
        return false;
    s->work = (double)s->size / bound;
    snprintf(name, sizeof name, "beside work, %s, %zu MiB", short_names[direction], s->size >> 20);
    bench_contest c = {
        .name = name, .measure = MEASURE_TIME, .goal = GOAL_AT_MOST, .goal_value = s->work / 0.9 + FREE_NS};
    add_ways(&c, s, pageable_sample_driver_beside, pageable_sample_beside);
    return prove_all(s, &c) && bench_run(b, &c, NULL, NULL);
}

static void close_lanes(pageable_copies *s)
{
    for (size_t i = 0; i < PAGEABLE_QUEUES; ++i) {
        accel_buffer_release(s->lanes[i].buffer);
        free(s->lanes[i].bytes);
        s->lanes[i].buffer = NULL;
        s->lanes[i].bytes = NULL;
    }
    accel_buffer_release(s->pinned);
    s->pinned = NULL;
}

static bool open_lanes(bench *b, pageable_copies *s, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(1, s->size);
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    for (size_t i = 0; i < count; ++i) {
        pageable_lane *lane = &s->lanes[i];
        lane->bytes = malloc(s->size);
        if (lane->bytes == NULL) {
            fprintf(stderr, "accel-bench: no memory for %zu bytes\n", s->size);
            return false;
        }
        if (!bench_check("memory", accel_buffer_create(b->device, &desc, &lane->buffer)))
            return false;
    }
    desc.flags = ACCEL_BUFFER_PINNED;
    if (!bench_check("memory", accel_buffer_create(b->device, &desc, &s->pinned)) ||
        !bench_check("memory", accel_buffer_info(s->pinned, &about)))
        return false;
    s->pinned_bytes = about.host_ptr;
    return true;
}

static bool rows_of_one(bench *b, pageable_copies *s)
{
    bool good = true;
    for (int way = TO_DEVICE; good && way <= TO_HOST; ++way)
        good = copy_row(b, s, 1, (enum direction)way);
    for (int way = TO_DEVICE; good && way <= TO_HOST; ++way)
        good = call_row(b, s, (enum direction)way) && beside_row(b, s, (enum direction)way);
    return good;
}

static bool rows_of_several(bench *b, pageable_copies *s)
{
    bool good = true;
    for (size_t count = 2; good && count <= PAGEABLE_QUEUES; count *= 2)
        for (int way = TO_DEVICE; good && way < DIRECTIONS; ++way)
            good = copy_row(b, s, count, (enum direction)way);
    return good;
}

static void close_queues(pageable_copies *s)
{
    for (size_t i = 0; i < PAGEABLE_QUEUES; ++i) {
        accel_queue_release(s->lanes[i].other);
        accel_queue_release(s->lanes[i].queue);
    }
}

static bool open_queues(bench *b, pageable_copies *s, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count; ++i) {
        pageable_lane *lane = &s->lanes[i];
        good = bench_check("queue", accel_queue_create(b->device, NULL, &lane->queue)) &&
               bench_check("queue", accel_queue_create(b->device, NULL, &lane->other)) &&
               bench_check("queue", accel_queue_native(lane->other, &lane->stream));
    }
    return good;
}

static enum case_result run(bench *b, size_t count, bool (*rows)(bench *, pageable_copies *))
{
    static const size_t sizes[] = {(size_t)1 << 20, (size_t)16 << 20, (size_t)256 << 20, (size_t)1 << 30};
    pageable_copies s = {0};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    bool good = gpu_driver_open(b, &s.driver) && gpu_driver_enter(&s.driver) && open_queues(b, &s, count);
    for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && !(b->quick && i > 0); ++i) {
        s.size = sizes[i];
        good = open_lanes(b, &s, count) && rows(b, &s);
        close_lanes(&s);
    }
    (void)gpu_driver_leave(&s.driver);
    close_queues(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_gpu_pageable(bench *b)
{
    return run(b, 1, rows_of_one);
}

enum case_result case_gpu_pageable_queues(bench *b)
{
    return run(b, PAGEABLE_QUEUES, rows_of_several);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of pinned memory and fills on a GPU, beside the driver's own calls on the same memory and stream. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "gpu/cases.h"

enum direction { TO_DEVICE, FROM_DEVICE, ON_DEVICE };

typedef struct memory_state {
    gpu_driver driver;
    accel_queue *queue;
    void *stream;
    size_t size;
    accel_buffer *from, *to, *pinned; /* two of the device, one of the host */
    accel_buffer *dst, *src;          /* of the copy */
    uint32_t pattern;
    size_t pattern_size;
} memory_state;

static bool sample_copy(void *user, size_t repetitions, double *nanoseconds)
{
    const memory_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_copy(s->queue, s->dst, s->src, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("copy", status);
}

/* The address that the driver wants: the host's for pinned memory. */
static void *address(const memory_state *s, accel_buffer *buffer)
{
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    if (buffer == s->pinned && accel_buffer_info(buffer, &about) == ACCEL_OK)
        return about.host_ptr;
    return accel_buffer_ptr(buffer);
}

static bool sample_native_copy(void *user, size_t repetitions, double *nanoseconds)
{
    const memory_state *s = user;
    void *dst = address(s, s->dst), *src = address(s, s->src);
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= gpu_driver_copy(&s->driver, dst, src, s->size, s->stream);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("copy", result);
}

static bool sample_fill(void *user, size_t repetitions, double *nanoseconds)
{
    const memory_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_fill(s->queue, s->to, &s->pattern, s->pattern_size, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("fill", status);
}

static bool sample_native_fill(void *user, size_t repetitions, double *nanoseconds)
{
    const memory_state *s = user;
    const gpu_driver *d = &s->driver;
    void *at = accel_buffer_ptr(s->to);
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= s->pattern_size == 1   ? d->fill_8(at, (unsigned char)s->pattern, s->size, s->stream)
                  : s->pattern_size == 2 ? d->fill_16(at, (unsigned short)s->pattern, s->size / 2, s->stream)
                                         : d->fill_32(at, s->pattern, s->size / 4, s->stream);
        result |= d->synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("fill", result);
}

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i % 251);
}

static bool is_right(memory_state *s, const char *what, accel_buffer *buffer, bool copied)
{
    unsigned char *bytes = malloc(s->size);
    bool good = bytes != NULL && bench_check(what, accel_read(s->queue, bytes, buffer)) &&
                bench_check(what, accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->size; ++i) {
        const unsigned char expected =
            (unsigned char)(copied ? byte_at(i) : (unsigned char)(s->pattern >> (8 * (i % s->pattern_size))));
        if (bytes[i] != expected) {
            fprintf(stderr, "accel-bench: %s: byte %zu of %zu is wrong\n", what, i, s->size);
            good = false;
        }
    }
    free(bytes);
    return good;
}

/* Checks each way alone, on memory with other contents. */
static bool prove(memory_state *s, const bench_contest *c, accel_buffer *result, bool copied)
{
    const uint32_t junk = 0xdeadbeef;
    double time;
    for (size_t w = 0; w < c->count; ++w) {
        if (!bench_check(c->name, accel_fill(s->queue, result, &junk, sizeof junk, NULL)) ||
            !bench_check(c->name, accel_queue_wait(s->queue)) || !c->ways[w].sample(s, 1, &time) ||
            !is_right(s, c->ways[w].name, result, copied))
            return false;
    }
    return true;
}

static const char *size_text(char text[24], size_t size)
{
    snprintf(text, 24, size < 1 << 20 ? "%zu KiB" : "%zu MiB", size < 1 << 20 ? size >> 10 : size >> 20);
    return text;
}

static bool copy_row(bench *b, memory_state *s, enum direction direction)
{
    static const char *const words[] = {"pinned to device", "device to pinned", "device to device"};
    char name[64], text[24];
    snprintf(name, sizeof name, "%s, %s", words[direction], size_text(text, s->size));
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = (direction == ON_DEVICE ? 2 : 1) * (double)s->size,
                       .goal = s->size >= 1 << 20 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = 0.99};
    s->src = direction == TO_DEVICE ? s->pinned : s->from;
    s->dst = direction == FROM_DEVICE ? s->pinned : s->to;
    bench_add_way(&c, s->driver.hip ? "hipMemcpyAsync" : "cuMemcpyAsync", sample_native_copy, s);
    bench_add_way(&c, "libaccel", sample_copy, s);
    /* The data to be copied: afterwards both buffers of the device have it. The host fills pinned memory. */
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    if (!bench_check("copy", accel_buffer_info(s->pinned, &about)))
        return false;
    for (size_t i = 0; i < s->size; ++i)
        ((unsigned char *)about.host_ptr)[i] = byte_at(i);
    if (!bench_check("copy", accel_copy(s->queue, s->from, s->pinned, NULL)) ||
        !bench_check("copy", accel_queue_wait(s->queue)))
        return false;
    if (direction == FROM_DEVICE) { /* no fill reaches the host's memory: two ways, each after junk from the host */
        for (size_t w = 0; w < c.count; ++w) {
            double time;
            memset(about.host_ptr, 0xa5, s->size);
            if (!c.ways[w].sample(s, 1, &time))
                return false;
            for (size_t i = 0; i < s->size; ++i)
                if (((unsigned char *)about.host_ptr)[i] != byte_at(i)) {
                    fprintf(stderr, "accel-bench: %s: byte %zu of %zu is wrong\n", c.ways[w].name, i, s->size);
                    return false;
                }
        }
    } else if (!prove(s, &c, s->to, true)) {
        return false;
    }
    return bench_run(b, &c, NULL, NULL);
}

static bool fill_row(bench *b, memory_state *s, size_t pattern_size)
{
    static const char *const cuda[] = {"", "cuMemsetD8Async", "cuMemsetD16Async", "", "cuMemsetD32Async"};
    static const char *const hip[] = {"", "hipMemsetD8Async", "hipMemsetD16Async", "", "hipMemsetD32Async"};
    char name[64], text[24];
    snprintf(name, sizeof name, "fill of %zu byte%s, %s", pattern_size, pattern_size > 1 ? "s" : "",
             size_text(text, s->size));
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = (double)s->size,
                       .goal = s->size >= 1 << 20 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = 0.99};
    s->pattern = 0x5eed1234;
    s->pattern_size = pattern_size;
    bench_add_way(&c, s->driver.hip ? hip[pattern_size] : cuda[pattern_size], sample_native_fill, s);
    bench_add_way(&c, "libaccel", sample_fill, s);
    return prove(s, &c, s->to, false) && bench_run(b, &c, NULL, NULL);
}

static void close_buffers(memory_state *s)
{
    accel_buffer_release(s->pinned);
    accel_buffer_release(s->to);
    accel_buffer_release(s->from);
    s->pinned = s->to = s->from = NULL;
}

static bool open_buffers(bench *b, memory_state *s, size_t size)
{
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    s->size = size;
    bool good = bench_check("memory", accel_buffer_create(b->device, &desc, &s->from)) &&
                bench_check("memory", accel_buffer_create(b->device, &desc, &s->to));
    desc.flags = ACCEL_BUFFER_PINNED;
    return good && bench_check("memory", accel_buffer_create(b->device, &desc, &s->pinned));
}

static enum case_result run(bench *b, bool copies)
{
    static const size_t sizes[] = {(size_t)64 << 10, (size_t)1 << 20, (size_t)64 << 20, (size_t)512 << 20};
    memory_state s = {0};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    bool good = gpu_driver_open(b, &s.driver) && gpu_driver_enter(&s.driver) &&
                bench_check("memory", accel_queue_create(b->device, NULL, &s.queue)) &&
                bench_check("memory", accel_queue_native(s.queue, &s.stream));
    for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && !(b->quick && i > 1); ++i) {
        good = open_buffers(b, &s, sizes[i]);
        for (int direction = TO_DEVICE; good && copies && direction <= ON_DEVICE; ++direction)
            good = copy_row(b, &s, (enum direction)direction);
        for (size_t pattern = 1; good && !copies && pattern <= 4; pattern *= 2)
            good = fill_row(b, &s, pattern);
        close_buffers(&s);
    }
    (void)gpu_driver_leave(&s.driver);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_gpu_copy(bench *b)
{
    return run(b, true);
}

enum case_result case_gpu_fill(bench *b)
{
    return run(b, false);
}

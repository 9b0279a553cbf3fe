/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/cases.h"
#include "clock.h"
#include "period.h"

/* From PAST_CACHES on stores that bypass the caches are among the rivals. What fits them is read again, as a rule, and such a copy
 * with the reading is a row of case_copy_shapes.c. */
enum { LARGEST = 1000000000, PAST_CACHES = 50000000 };

/* Copies and fills of the library, beside memcpy and memset, of one thread and divided among OpenMP's. */
typedef struct copy_state {
    accel_queue *queue;
    accel_buffer *from, *to;
    size_t size;
    uint32_t pattern;
    unsigned char *host;
} copy_state;

static bool sample_copy(void *user, size_t repetitions, double *nanoseconds)
{
    const copy_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_copy(s->queue, s->to, s->from, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("copy", status);
}

static bool sample_fill(void *user, size_t repetitions, double *nanoseconds)
{
    const copy_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_fill(s->queue, s->to, &s->pattern, sizeof s->pattern, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("fill", status);
}

static bool read_back(copy_state *s)
{
    memset(s->host, 0, s->size);
    return bench_check("copy", accel_read(s->queue, s->host, s->to)) && bench_check("copy", accel_queue_wait(s->queue));
}

static bool validate_copy(void *user)
{
    copy_state *s = user;
    return read_back(s) && period_is_right(s->host, s->size, 0, "copy");
}

static bool validate_fill(void *user)
{
    copy_state *s = user;
    if (!read_back(s))
        return false;
    if (memcmp(s->host, &s->pattern, sizeof s->pattern) != 0) {
        fprintf(stderr, "accel-bench: fill: the first bytes of %zu are wrong\n", s->size);
        return false;
    }
    /* Does the rest repeat the first pattern? memcmp is fast enough for a gigabyte. */
    if (memcmp(s->host, s->host + sizeof s->pattern, s->size - sizeof s->pattern) == 0)
        return true;
    fprintf(stderr, "accel-bench: fill: some of %zu bytes are wrong\n", s->size);
    return false;
}

static bool set_up(bench *b, copy_state *s)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), s->size / sizeof(uint32_t));
    const uint32_t zero = 0;
    s->host = malloc(s->size);
    if (s->host == NULL) {
        fprintf(stderr, "accel-bench: copy: no memory for %zu bytes\n", s->size);
        return false;
    }
    period_write(s->host, s->size, 0);
    return bench_check("copy", accel_buffer_create(b->device, &desc, &s->from)) &&
           bench_check("copy", accel_buffer_create(b->device, &desc, &s->to)) &&
           bench_check("copy", accel_write(s->queue, s->from, s->host)) &&
           bench_check("copy", accel_fill(s->queue, s->to, &zero, sizeof zero, NULL)) &&
           bench_check("copy", accel_queue_wait(s->queue));
}

static void tear_down(copy_state *s)
{
    accel_buffer_release(s->to);
    accel_buffer_release(s->from);
    free(s->host);
    s->to = s->from = NULL;
    s->host = NULL;
}

static bool run_one(bench *b, copy_state *s, bool is_copy)
{
    const char *what = is_copy ? "copy" : "fill";
    const uint64_t parameters[NATIVE_PARAMETERS] = {s->size / sizeof(double)};
    const double bytes = (is_copy ? 2 : 1) * (double)s->size;
    char name[64], size[24];
    if (s->size < 1000000)
        snprintf(size, sizeof size, "%zu kB", s->size / 1000);
    else if (s->size >= LARGEST)
        snprintf(size, sizeof size, "%zu GB", s->size / LARGEST);
    else
        snprintf(size, sizeof size, "%zu MB", s->size / 1000000);
    snprintf(name, sizeof name, "accel_%s, %s", what, size);
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .series = is_copy ? "accel_copy" : "accel_fill",
                       .size = bytes,
                       .goal = GOAL_RATIO,
                       .goal_value = s->size < 64000 ? 1 / 1.15 : 1,
                       .most_rounds = s->size >= LARGEST ? 3 : 0};
    /* One thread's copy of a gigabyte is not the best, and would need two more of them. */
    const bool good = set_up(b, s) &&
                      ((s->size >= LARGEST && b->about.compute_units > 1) ||
                       bench_add_native(b, &c, BENCH_C, is_copy ? "memcpy-c" : "memset-c", parameters)) &&
                      bench_add_native(b, &c, BENCH_C, is_copy ? "memcpy-omp" : "memset-omp", parameters) &&
                      (s->size < PAST_CACHES ||
                       bench_add_native(b, &c, BENCH_C, is_copy ? "copy-past-caches" : "fill-past-caches", parameters));
    if (good)
        bench_add_way(&c, "libaccel", is_copy ? sample_copy : sample_fill, s);
    for (size_t i = 0; s->size >= LARGEST && i < c.count; ++i)
        c.ways[i].cold = true; /* nothing of it stays in a cache */
    const bool done = good && bench_run(b, &c, is_copy ? validate_copy : validate_fill, s);
    tear_down(s);
    return done;
}

/* Of a gigabyte there are up to nine: two of libaccel's, the host's, and two for each native copy. */
bool case_copy_has_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) >= 12.0 * LARGEST;
}

enum case_result case_copy(bench *b)
{
    static const size_t sizes[] = {8000, 64000, 256000, 1000000, 2000000, 4000000, 16000000, 64000000, LARGEST};
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    copy_state s = {.pattern = 0x5eed1234};
    bool good = bench_check("copy", accel_queue_create(b->device, &desc, &s.queue));
    for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && !(b->quick && i > 1); ++i) {
        s.size = sizes[i];
        good = (s.size >= LARGEST && !case_copy_has_memory()) || (run_one(b, &s, true) && run_one(b, &s, false));
    }
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of rows with gaps between them, and of data that is in no cache. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"

enum { MOST_PARTS = 128 };

/* Each repetition takes the next of the parts: of one, data is re-used; all together fit no cache. */
typedef struct shape_row {
    const char *name;
    size_t width, rows, pitch, parts; /* bytes */
    bool is_copy, is_long;
} shape_row;

typedef struct shape_state {
    const shape_row *row;
    accel_queue *queue;
    accel_buffer *from, *to; /* of all parts, below one another */
    accel_buffer *from_part[MOST_PARTS], *to_part[MOST_PARTS];
    size_t next;
} shape_state;

static const uint32_t pattern = 0x5eed1234;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    shape_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= s->row->is_copy ? accel_copy(s->queue, s->to_part[s->next], s->from_part[s->next], NULL)
                                  : accel_fill(s->queue, s->to_part[s->next], &pattern, sizeof pattern, NULL);
        status |= accel_queue_wait(s->queue);
        s->next = s->next + 1 == s->row->parts ? 0 : s->next + 1;
    }
    *nanoseconds = clock_now() - start;
    return bench_check("copy-shapes", status);
}

static uint32_t word_at(size_t i)
{
    return (uint32_t)i * 2654435761u;
}

/* The first part has been written by the first repetition. */
static bool validate(void *user)
{
    const shape_state *s = user;
    const size_t words = s->row->width / sizeof(uint32_t);
    uint32_t *found = malloc(s->row->rows * s->row->width);
    bool good = found != NULL && bench_check("copy-shapes", accel_read(s->queue, found, s->to_part[0])) &&
                bench_check("copy-shapes", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->row->rows * words; ++i)
        if (found[i] != (s->row->is_copy ? word_at(i) : pattern)) {
            fprintf(stderr, "accel-bench: copy-shapes: %s: word %zu is wrong\n", s->row->name, i);
            good = false;
        }
    free(found);
    return good;
}

static bool set_up(bench *b, shape_state *s)
{
    const size_t words = s->row->width / sizeof(uint32_t), rows = s->row->rows * s->row->parts;
    accel_buffer_desc all = accel_buffer_2d(sizeof(uint32_t), rows, words);
    const size_t part[2] = {s->row->rows, words};
    const uint32_t zero = 0;
    uint32_t *host = malloc(rows * s->row->width);
    all.pitch[0] = s->row->pitch;
    for (size_t i = 0; host != NULL && i < rows * words; ++i)
        host[i] = word_at(i);
    bool good = host != NULL && bench_check("copy-shapes", accel_buffer_create(b->device, &all, &s->from)) &&
                bench_check("copy-shapes", accel_buffer_create(b->device, &all, &s->to)) &&
                bench_check("copy-shapes", accel_write(s->queue, s->from, host)) &&
                bench_check("copy-shapes", accel_fill(s->queue, s->to, &zero, sizeof zero, NULL)) &&
                bench_check("copy-shapes", accel_queue_wait(s->queue));
    for (size_t p = 0; good && p < s->row->parts; ++p) {
        const size_t begin[2] = {p * s->row->rows, 0};
        good = bench_check("copy-shapes", accel_buffer_view(s->from, begin, part, &s->from_part[p])) &&
               bench_check("copy-shapes", accel_buffer_view(s->to, begin, part, &s->to_part[p]));
    }
    free(host);
    return good;
}

static void tear_down(shape_state *s)
{
    for (size_t p = 0; p < s->row->parts; ++p) {
        accel_buffer_release(s->to_part[p]);
        accel_buffer_release(s->from_part[p]);
    }
    accel_buffer_release(s->to);
    accel_buffer_release(s->from);
}

/* Data that fits the caches is read again, as a rule; where it is not, stores past them would be the fastest of cold copies. */
static bool goes_past(const shape_row *row)
{
    return row->is_copy && row->width * row->rows >= 10000000;
}

static bool run(bench *b, accel_queue *queue, const shape_row *row)
{
    shape_state s = {.row = row, .queue = queue};
    const uint64_t parameters[NATIVE_PARAMETERS] = {row->width, row->rows, row->pitch, row->parts};
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = (row->is_copy ? 2 : 1) * (double)(row->width * row->rows),
                       .goal = GOAL_RATIO,
                       .goal_value = 1};
    bool good = set_up(b, &s) &&
                bench_add_native(b, &c, BENCH_C, row->is_copy ? "copy-rows-c" : "fill-rows-c", parameters) &&
                bench_add_native(b, &c, BENCH_C, row->is_copy ? "copy-rows-omp" : "fill-rows-omp", parameters) &&
                (!goes_past(row) || bench_add_native(b, &c, BENCH_C, "copy-rows-past-caches", parameters));
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    tear_down(&s);
    return good;
}

enum case_result case_copy_shapes(bench *b)
{
    enum {
        MB = 1 << 20,
        LARGE = 16 * MB,
        LARGE_PARTS = 8,
        ROW = 1008,
        PITCH = 1088,
        LONG_ROW = 4000,
        LONG_PITCH = 4160
    };
    static const shape_row rows[] = {
        {"accel_copy, 1 MB in rows", ROW, 1000, PITCH, 1, true, false},
        {"accel_fill, 1 MB in rows", ROW, 1000, PITCH, 1, false, false},
        {"accel_copy, 1 MB, cold", MB, 1, MB, MOST_PARTS, true, true},
        {"accel_fill, 1 MB, cold", MB, 1, MB, MOST_PARTS, false, true},
        {"accel_copy, 16 MB in rows", LONG_ROW, 4000, LONG_PITCH, 1, true, true},
        {"accel_fill, 16 MB in rows", LONG_ROW, 4000, LONG_PITCH, 1, false, true},
        {"accel_copy, 16 MB, cold", LARGE, 1, LARGE, LARGE_PARTS, true, true},
        {"accel_fill, 16 MB, cold", LARGE, 1, LARGE, LARGE_PARTS, false, true},
        {"accel_copy, 1 MB in rows, cold", ROW, 1000, PITCH, MOST_PARTS, true, true},
        {"accel_fill, 1 MB in rows, cold", ROW, 1000, PITCH, MOST_PARTS, false, true},
    };
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    bool good = bench_check("copy-shapes", accel_queue_create(b->device, &desc, &queue));
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good = (b->quick && rows[r].is_long) || run(b, queue, &rows[r]);
    accel_queue_release(queue);
    return good ? CASE_DONE : CASE_FAILED;
}

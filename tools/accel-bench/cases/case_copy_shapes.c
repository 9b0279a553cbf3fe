/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of rows with gaps between them, and of data that is in no cache; copies that are read. */
#include <accel/algorithm.h>

#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"

enum { MOST_PARTS = 2048, HUGE_SIZE = 1000000000 };

/* Each repetition takes the next of the parts: of one, data is re-used; all together fit no cache. */
typedef struct shape_row {
    const char *name;
    size_t width, rows, pitch, parts; /* bytes */
    bool is_copy, is_long, is_read;   /* is_read: all words of what was copied are added up */
} shape_row;

typedef struct shape_state {
    const shape_row *row;
    accel_queue *queue;
    accel_buffer *from, *to; /* of all parts, below one another */
    accel_buffer *from_part[MOST_PARTS], *to_part[MOST_PARTS];
    accel_buffer *words, *sum; /* is_read: what was copied, as one dimension */
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
        if (s->row->is_read)
            status |= accel_reduce_values(s->queue, s->words, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, s->sum);
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

static bool validate_sum(const shape_state *s)
{
    uint32_t sum = 0, expected = 0;
    for (size_t i = 0; i < s->row->rows * s->row->width / sizeof(uint32_t); ++i)
        expected += word_at(i);
    if (!bench_check("copy-shapes", accel_read(s->queue, &sum, s->sum)) ||
        !bench_check("copy-shapes", accel_queue_wait(s->queue)))
        return false;
    if (sum == expected)
        return true;
    fprintf(stderr, "accel-bench: copy-shapes: %s: the sum is %u, not %u\n", s->row->name, sum, expected);
    return false;
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
    return good && (!s->row->is_read || validate_sum(s));
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
    const accel_buffer_desc words_desc = accel_buffer_1d(sizeof(uint32_t), words * rows);
    const accel_buffer_desc sum_desc = accel_buffer_1d(sizeof(uint32_t), 1);
    if (good && s->row->is_read)
        good =
            bench_check("copy-shapes", accel_buffer_wrap(b->device, accel_buffer_ptr(s->to), &words_desc, &s->words)) &&
            bench_check("copy-shapes", accel_buffer_create(b->device, &sum_desc, &s->sum));
    return good;
}

static void tear_down(shape_state *s)
{
    accel_buffer_release(s->sum);
    accel_buffer_release(s->words);
    for (size_t p = 0; p < s->row->parts; ++p) {
        accel_buffer_release(s->to_part[p]);
        accel_buffer_release(s->from_part[p]);
    }
    accel_buffer_release(s->to);
    accel_buffer_release(s->from);
}

/* Of a gigabyte: samples are expensive, and nothing of it stays in a cache. */
static bool is_huge(const shape_row *row)
{
    return row->width * row->rows >= HUGE_SIZE;
}

/* Data that fits the caches is read again, as a rule; where it is in none, stores past them would be the fastest of copies. */
static bool goes_past(const shape_row *row)
{
    enum { PAST_CACHES = 50000000, PAST_COLD = 10000000 };
    return row->width * row->rows >= (row->parts > 1 ? PAST_COLD : PAST_CACHES);
}

/* Processors fetch what follows within a long row by themselves. */
static bool asks_ahead(const shape_row *row)
{
    enum { LONG = 16384 };
    return row->is_copy && row->rows > 1 && row->width < LONG && !is_huge(row);
}

/* The ways of what others would write. */
static bool add_natives(bench *b, bench_contest *c, const shape_row *row)
{
    const uint64_t parameters[NATIVE_PARAMETERS] = {row->width, row->rows, row->pitch, row->parts};
    if (row->is_read)
        return bench_add_native(b, c, BENCH_C, "copy-read-omp", parameters) &&
               bench_add_native(b, c, BENCH_C, "copy-read-past-caches", parameters);
    return ((is_huge(row) && b->about.compute_units > 1) ||
            bench_add_native(b, c, BENCH_C, row->is_copy ? "copy-rows-c" : "fill-rows-c", parameters)) &&
           bench_add_native(b, c, BENCH_C, row->is_copy ? "copy-rows-omp" : "fill-rows-omp", parameters) &&
           (!asks_ahead(row) || bench_add_native(b, c, BENCH_C, "copy-rows-ahead-omp", parameters)) &&
           (!goes_past(row) ||
            bench_add_native(b, c, BENCH_C, row->is_copy ? "copy-rows-past-caches" : "fill-rows-past-caches",
                             parameters));
}

static bool run(bench *b, accel_queue *queue, const shape_row *row)
{
    shape_state s = {.row = row, .queue = queue};
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = (row->is_read   ? 3
                                  : row->is_copy ? 2
                                                 : 1) *
                                 (double)(row->width * row->rows),
                       .goal = row->is_read ? GOAL_NONE : GOAL_RATIO, /* two calls beside one region */
                       .goal_value = 1,
                       .most_rounds = is_huge(row) ? 3 : 0};
    bool good = set_up(b, &s) && add_natives(b, &c, row);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        for (size_t i = 0; is_huge(row) && i < c.count; ++i)
            c.ways[i].cold = true;
        good = bench_run(b, &c, validate, &s);
    }
    tear_down(&s);
    return good;
}

enum case_result case_copy_shapes(bench *b)
{
    enum { MB = 1 << 20, SMALL = 64 << 10, QUARTER = 256 << 10, LARGE = 16 * MB, LARGEST = 64 * MB };
    enum { PARTS = 128, LARGE_PARTS = 8, LARGEST_PARTS = 3 };
    enum { ROW = 1008, PITCH = 1088, LONG_ROW = 4000, LONG_PITCH = 4160 };
    static const shape_row rows[] = {
        {"accel_copy, 64 kB in rows", ROW, 64, PITCH, 1, true, false, false},
        {"accel_fill, 64 kB in rows", ROW, 64, PITCH, 1, false, false, false},
        {"accel_copy, 64 kB, cold", SMALL, 1, SMALL, MOST_PARTS, true, true, false},
        {"accel_fill, 64 kB, cold", SMALL, 1, SMALL, MOST_PARTS, false, true, false},
        {"accel_copy, 64 kB in rows, cold", ROW, 64, PITCH, MOST_PARTS, true, true, false},
        {"accel_fill, 64 kB in rows, cold", ROW, 64, PITCH, MOST_PARTS, false, true, false},
        {"accel_copy, 256 kB, cold", QUARTER, 1, QUARTER, 4 * PARTS, true, true, false},
        {"accel_fill, 256 kB, cold", QUARTER, 1, QUARTER, 4 * PARTS, false, true, false},
        {"accel_copy, 1 MB in rows", ROW, 1000, PITCH, 1, true, false, false},
        {"accel_fill, 1 MB in rows", ROW, 1000, PITCH, 1, false, false, false},
        {"accel_copy, 1 MB, cold", MB, 1, MB, PARTS, true, true, false},
        {"accel_fill, 1 MB, cold", MB, 1, MB, PARTS, false, true, false},
        {"accel_copy, 2 MB, cold", 2 * MB, 1, 2 * MB, PARTS / 2, true, true, false},
        {"accel_fill, 2 MB, cold", 2 * MB, 1, 2 * MB, PARTS / 2, false, true, false},
        {"accel_copy, 4 MB, cold", 4 * MB, 1, 4 * MB, PARTS / 4, true, true, false},
        {"accel_fill, 4 MB, cold", 4 * MB, 1, 4 * MB, PARTS / 4, false, true, false},
        {"accel_copy, 16 MB in rows", LONG_ROW, 4000, LONG_PITCH, 1, true, true, false},
        {"accel_fill, 16 MB in rows", LONG_ROW, 4000, LONG_PITCH, 1, false, true, false},
        {"accel_copy, 16 MB, cold", LARGE, 1, LARGE, LARGE_PARTS, true, true, false},
        {"accel_fill, 16 MB, cold", LARGE, 1, LARGE, LARGE_PARTS, false, true, false},
        {"accel_copy, 16 MB in rows, cold", LONG_ROW, 4000, LONG_PITCH, LARGE_PARTS, true, true, false},
        {"accel_fill, 16 MB in rows, cold", LONG_ROW, 4000, LONG_PITCH, LARGE_PARTS, false, true, false},
        {"accel_copy, 64 MB in rows", LONG_ROW, 16000, LONG_PITCH, 1, true, true, false},
        {"accel_fill, 64 MB in rows", LONG_ROW, 16000, LONG_PITCH, 1, false, true, false},
        {"accel_copy, 64 MB, cold", LARGEST, 1, LARGEST, LARGEST_PARTS, true, true, false},
        {"accel_fill, 64 MB, cold", LARGEST, 1, LARGEST, LARGEST_PARTS, false, true, false},
        {"accel_copy, 64 MB in rows, cold", LONG_ROW, 16000, LONG_PITCH, LARGEST_PARTS, true, true, false},
        {"accel_fill, 64 MB in rows, cold", LONG_ROW, 16000, LONG_PITCH, LARGEST_PARTS, false, true, false},
        {"accel_copy, 1 GB in rows", LONG_ROW, HUGE_SIZE / LONG_ROW, LONG_PITCH, 1, true, true, false},
        {"accel_fill, 1 GB in rows", LONG_ROW, HUGE_SIZE / LONG_ROW, LONG_PITCH, 1, false, true, false},
        {"accel_copy and sum, 1 MB", MB, 1, MB, 1, true, true, true},
        {"accel_copy and sum, 4 MB", 4 * MB, 1, 4 * MB, 1, true, true, true},
        {"accel_copy and sum, 16 MB", LARGE, 1, LARGE, 1, true, true, true},
        {"accel_copy and sum, 64 MB", 4 * LARGE, 1, 4 * LARGE, 1, true, true, true},
        {"accel_copy, 1 MB in rows, cold", ROW, 1000, PITCH, PARTS, true, true, false},
        {"accel_fill, 1 MB in rows, cold", ROW, 1000, PITCH, PARTS, false, true, false},
    };
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    bool good = bench_check("copy-shapes", accel_queue_create(b->device, &desc, &queue));
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r)
        good =
            (b->quick && rows[r].is_long) || (is_huge(&rows[r]) && !case_copy_has_memory()) || run(b, queue, &rows[r]);
    accel_queue_release(queue);
    return good ? CASE_DONE : CASE_FAILED;
}

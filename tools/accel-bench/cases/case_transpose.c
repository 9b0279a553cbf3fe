/* SPDX-License-Identifier: Apache-2.0 */
/* accel_transpose of a square matrix, beside OpenMP by tiles, and beside a copy, which is the bound. */
#include <accel/algorithm.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"

enum { N = 4096, QUICK_N = 96 };

typedef struct transpose_state {
    size_t n, size;
    accel_queue *queue;
    accel_buffer *from, *to;
} transpose_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const transpose_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_transpose(s->queue, s->from, s->to);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("transpose", status);
}

/* Word k of the matrix is k; the first word of each element is compared. */
static bool validate(void *user)
{
    const transpose_state *s = user;
    const size_t words = s->size / sizeof(uint32_t);
    uint32_t *found = malloc(s->n * s->n * s->size);
    bool good = found != NULL && bench_check("transpose", accel_read(s->queue, found, s->to)) &&
                bench_check("transpose", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i)
        for (size_t j = 0; good && j < s->n; ++j) {
            good = found[(j * s->n + i) * words] == (uint32_t)((i * s->n + j) * words);
            if (!good)
                fprintf(stderr, "accel-bench: transpose: element (%zu, %zu) is not (%zu, %zu)\n", j, i, i, j);
        }
    free(found);
    return good;
}

static bool set_up(bench *b, transpose_state *s)
{
    const accel_buffer_desc matrix = accel_buffer_2d(s->size, s->n, s->n);
    const size_t words = s->n * s->n * s->size / sizeof(uint32_t);
    const uint32_t zero = 0;
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    uint32_t *values = malloc(words * sizeof *values);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t k = 0; values != NULL && k < words; ++k)
        values[k] = (uint32_t)k;
    const bool good = values != NULL && bench_check("transpose", accel_queue_create(b->device, &desc, &s->queue)) &&
                      bench_check("transpose", accel_buffer_create(b->device, &matrix, &s->from)) &&
                      bench_check("transpose", accel_buffer_create(b->device, &matrix, &s->to)) &&
                      bench_check("transpose", accel_write(s->queue, s->from, values)) &&
                      bench_check("transpose", accel_fill(s->queue, s->to, &zero, sizeof zero, NULL));
    free(values);
    return good;
}

static bool run(bench *b, const char *name, size_t size, bool copy, double goal)
{
    transpose_state s = {.n = b->quick ? QUICK_N : N, .size = size};
    const size_t bytes = s.n * s.n * size;
    const uint64_t parameters[NATIVE_PARAMETERS] = {copy ? bytes / sizeof(double) : s.n, size};
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = 2 * (double)bytes, /* read and written */
                       .bytes = 2 * (double)bytes,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    bool good = set_up(b, &s) && bench_add_native(b, &c, BENCH_C, copy ? "stream-copy" : "transpose-omp", parameters) &&
                (!copy || bench_add_native(b, &c, BENCH_C, "copy-past-caches", parameters));
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.from);
    accel_buffer_release(s.to);
    accel_queue_release(s.queue);
    return good;
}

enum case_result case_transpose(bench *b)
{
    const double equal = 1, of_copy = 0.8;
    return run(b, "transpose of doubles", sizeof(double), false, equal) &&
                   run(b, "transpose of floats", sizeof(float), false, equal) &&
                   run(b, "transpose of doubles, beside a copy", sizeof(double), true, of_copy) &&
                   run(b, "transpose of floats, beside a copy", sizeof(float), true, of_copy)
               ? CASE_DONE
               : CASE_FAILED;
}

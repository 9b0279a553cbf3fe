/* SPDX-License-Identifier: Apache-2.0 */
/* accel_sort on a GPU, beside CUB's radix sort. Keys in disorder stay as they are, and stand in order in another buffer: libaccel,
 * which sorts in place, copies them there first. CUB needs no copy. */
#include <accel/algorithm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/algorithm_values.h"
#include "clock.h"
#include "gpu/cases.h"
#include "gpu/cub.h"

typedef struct sort_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_sort_desc sort;
    accel_buffer *from, *to, *cub_to;
    size_t n, size;
    uint64_t words; /* the sum of all keys' bits */
    void *stream;
    gpu_cub cub;
} sort_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    const sort_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_copy(s->queue, s->to, s->from, NULL);
        status |= accel_sort(s->queue, &s->sort, s->to, NULL);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("sort", status);
}

static uint64_t bits_at(const void *keys, size_t at, size_t size)
{
    uint32_t half;
    uint64_t word;
    if (size == sizeof half) {
        memcpy(&half, (const char *)keys + at * size, size);
        return half;
    }
    memcpy(&word, (const char *)keys + at * size, size);
    return word;
}

/* All keys, in order: so each way's are the other's, too. */
static bool is_right(const sort_state *s, const char *whose, accel_buffer *keys)
{
    void *found = malloc(s->n * s->size);
    uint64_t words = 0;
    bool good = found != NULL && bench_check("sort", accel_read(s->queue, found, keys)) &&
                bench_check("sort", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->n; ++i) {
        words += bits_at(found, i, s->size);
        if (i != 0 && (s->sort.type == ACCEL_TYPE_UINT32 ? ((uint32_t *)found)[i - 1] > ((uint32_t *)found)[i]
                                                         : ((double *)found)[i - 1] > ((double *)found)[i])) {
            fprintf(stderr, "accel-bench: gpu-sort: %s: key %zu of %zu is less than the one before\n", whose, i, s->n);
            good = false;
        }
    }
    free(found);
    if (good && words != s->words) {
        fprintf(stderr, "accel-bench: gpu-sort: %s: keys are missing\n", whose);
        good = false;
    }
    return good;
}

static bool validate(void *user)
{
    const sort_state *s = user;
    return is_right(s, "libaccel", s->to) && (s->cub.call == NULL || is_right(s, "CUB", s->cub_to));
}

static bool open_state(bench *b, sort_state *s, const char *cub)
{
    const accel_buffer_desc array = accel_buffer_1d(s->size, s->n);
    void *keys = malloc(s->n * s->size);
    for (size_t i = 0; keys != NULL && i < s->n; ++i) {
        if (s->sort.type == ACCEL_TYPE_UINT32)
            ((uint32_t *)keys)[i] = (uint32_t)algorithm_word(i);
        else
            ((double *)keys)[i] = sort_double(i);
        s->words += bits_at(keys, i, s->size);
    }
    const bool good = keys != NULL && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("sort", accel_queue_create(b->device, NULL, &s->queue)) &&
                      bench_check("sort", accel_queue_native(s->queue, &s->stream)) &&
                      bench_check("sort", accel_buffer_create(b->device, &array, &s->from)) &&
                      bench_check("sort", accel_buffer_create(b->device, &array, &s->to)) &&
                      bench_check("sort", accel_buffer_create(b->device, &array, &s->cub_to)) &&
                      bench_check("sort", accel_write(s->queue, s->from, keys)) &&
                      bench_check("sort", accel_queue_wait(s->queue));
    free(keys);
    if (!good)
        return false;
    s->cub = (gpu_cub){.driver = &s->driver,
                       .stream = s->stream,
                       .from = accel_buffer_ptr(s->from),
                       .to = accel_buffer_ptr(s->cub_to),
                       .n = s->n};
    return gpu_cub_open(b, cub, &s->cub);
}

static bool run(bench *b, uint32_t type, size_t size, const char *name, const char *cub)
{
    sort_state s = {.sort = ACCEL_SORT_DESC_INIT, .n = b->quick ? 20000 : 10000000, .size = size};
    s.sort.type = type;
    bench_contest c = {
        .name = name, .measure = MEASURE_RATE, .amount = (double)s.n, .goal = GOAL_RATIO, .goal_value = 0.9};
    bool good = open_state(b, &s, cub);
    if (good) {
        if (s.cub.call != NULL)
            bench_add_way(&c, "CUB", gpu_cub_sample, &s.cub);
        bench_add_way(&c, "libaccel", sample_ours, &s);
        good = bench_run(b, &c, validate, &s);
    }
    (void)gpu_driver_leave(&s.driver);
    gpu_cub_close(&s.cub);
    accel_buffer_release(s.cub_to);
    accel_buffer_release(s.to);
    accel_buffer_release(s.from);
    accel_queue_release(s.queue);
    return good;
}

enum case_result case_gpu_sort(bench *b)
{
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    return run(b, ACCEL_TYPE_UINT32, sizeof(uint32_t), "accel_sort of uint32_t", "bench_cub_sort") &&
                   run(b, ACCEL_TYPE_DOUBLE, sizeof(double), "accel_sort of doubles", "bench_cub_sort_doubles")
               ? CASE_DONE
               : CASE_FAILED;
}

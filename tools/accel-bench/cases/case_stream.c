/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

enum { MOST_BLOCKS = 1024 /* partial sums that the host adds up */ };
enum { MOST_ALONE = 16000 /* elements that one thread may be the fastest with */ };
enum { POWER = 1 << 18, LARGE_POWER = 1 << 25 /* sizes of BabelStream's loops */ };

typedef struct stream_row {
    const char *kernel;
    double arrays;                /* read or written once each */
    double per_sum;               /* floating-point operations of an element */
    double (*expected)(size_t i); /* of a; NULL: the kernel is dot */
} stream_row;

typedef struct stream_state {
    const stream_row *row;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *a, *b, *c, *partial;
    stream_args args;
    double *host; /* n, or MOST_BLOCKS */
    double sum;
} stream_state;

static double b_at(size_t i)
{
    return (double)(i % 5 + 1);
}

static double c_at(size_t i)
{
    return (double)(i % 3 + 1);
}

static double scaled_at(size_t i)
{
    return STREAM_SCALAR * b_at(i);
}

static double added_at(size_t i)
{
    return b_at(i) + c_at(i);
}

static double triad_at(size_t i)
{
    return b_at(i) + STREAM_SCALAR * c_at(i);
}

static bool sample_launch(void *user, size_t repetitions, double *nanoseconds)
{
    const stream_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("stream", status);
}

/* The sum is on the host when the clock stops. */
static bool sample_dot(void *user, size_t repetitions, double *nanoseconds)
{
    stream_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_read(s->queue, s->host, s->partial);
        status |= accel_queue_wait(s->queue);
        s->sum = 0;
        for (size_t i = 0; i < s->work.blocks[0]; ++i)
            s->sum += s->host[i];
    }
    *nanoseconds = clock_now() - start;
    return bench_check("stream", status);
}

/* Whole numbers and halves: exact in any order. */
static bool validate(void *user)
{
    const stream_state *s = user;
    const size_t n = s->args.n;
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum += b_at(i) * c_at(i);
    if (s->row->expected == NULL) {
        if (s->sum != sum)
            fprintf(stderr, "accel-bench: stream: dot of %zu is %.17g, not %.17g\n", n, s->sum, sum);
        return s->sum == sum;
    }
    if (!bench_check("stream", accel_read(s->queue, s->host, s->a)) ||
        !bench_check("stream", accel_queue_wait(s->queue)))
        return false;
    for (size_t i = 0; i < n; ++i)
        if (s->host[i] != s->row->expected(i)) {
            fprintf(stderr, "accel-bench: stream: %s: element %zu of %zu is %.17g, not %.17g\n", s->row->kernel, i, n,
                    s->host[i], s->row->expected(i));
            return false;
        }
    return true;
}

/* A buffer of n with these values, or zeros. */
static bool make_buffer(bench *b, stream_state *s, size_t n, double (*at)(size_t), accel_buffer **buffer)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
    const double zero = 0;
    if (!bench_check("stream", accel_buffer_create(b->device, &desc, buffer)))
        return false;
    if (at == NULL)
        return bench_check("stream", accel_fill(s->queue, *buffer, &zero, sizeof zero, NULL));
    for (size_t i = 0; i < n; ++i)
        s->host[i] = at(i);
    return bench_check("stream", accel_write(s->queue, *buffer, s->host));
}

static bool set_up(bench *b, stream_state *s, size_t n)
{
    s->host = malloc((n > MOST_BLOCKS ? n : MOST_BLOCKS) * sizeof *s->host);
    if (s->host == NULL) {
        fprintf(stderr, "accel-bench: stream: no memory for %zu numbers\n", n);
        return false;
    }
    const bool is_dot = s->row->expected == NULL;
    if (!make_buffer(b, s, n, NULL, &s->a) || !make_buffer(b, s, n, b_at, &s->b) ||
        !make_buffer(b, s, n, c_at, &s->c) ||
        !bench_check("stream", accel_work_divide(s->kernel, 1, &n, NULL, &s->work)))
        return false;
    if (is_dot && s->work.blocks[0] > MOST_BLOCKS)
        s->work.blocks[0] = MOST_BLOCKS; /* threads take more each */
    if (!make_buffer(b, s, s->work.blocks[0], NULL, &s->partial))
        return false;
    s->args = (stream_args){.n = n,
                            .a = accel_buffer_ptr(s->a),
                            .b = accel_buffer_ptr(s->b),
                            .c = accel_buffer_ptr(s->c),
                            .partial = accel_buffer_ptr(s->partial)};
    return true;
}

static void tear_down(stream_state *s)
{
    accel_buffer_release(s->partial);
    accel_buffer_release(s->c);
    accel_buffer_release(s->b);
    accel_buffer_release(s->a);
    free(s->host);
    s->a = s->b = s->c = s->partial = NULL;
    s->host = NULL;
}

static bool run_size(bench *b, stream_state *s, size_t n, double goal)
{
    char name[64], native[24], alone[32], size[24];
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = s->row->arrays * sizeof(double) * (double)n;
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = s->row->per_sum * (double)n,
                       .series = s->row->kernel,
                       .size = bytes,
                       .goal = goal != 0 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = goal};
    if (n * sizeof(double) < 1000000)
        snprintf(size, sizeof size, "%zu kB", n * sizeof(double) / 1000);
    else if (n == POWER)
        snprintf(size, sizeof size, "2^18 doubles");
    else if (n == LARGE_POWER)
        snprintf(size, sizeof size, "2^25 doubles");
    else
        snprintf(size, sizeof size, "%zu MB", n * sizeof(double) / 1000000);
    snprintf(name, sizeof name, "stream %s, arrays of %s", s->row->kernel, size);
    snprintf(native, sizeof native, "stream-%s", s->row->kernel);
    snprintf(alone, sizeof alone, "%s-c", native);
    bool good = set_up(b, s, n) && bench_add_native(b, &c, BENCH_C, native, parameters) &&
                (n > MOST_ALONE || bench_add_native(b, &c, BENCH_C, alone, parameters));
    if (good) {
        bench_add_way(&c, "libaccel", s->row->expected == NULL ? sample_dot : sample_launch, s);
        good = bench_run(b, &c, validate, s);
    }
    tear_down(s);
    return good;
}

enum case_result case_stream(bench *b)
{
    static const stream_row rows[] = {{"copy", 2, 0, b_at},
                                      {"scale", 2, 1, scaled_at},
                                      {"add", 3, 1, added_at},
                                      {"triad", 3, 2, triad_at},
                                      {"dot", 2, 2, NULL}};
    static const size_t sizes[] = {1000, 4000, 16000, 64000, POWER, 1000000, 4000000, 16000000};
    const bool team = strcmp(b->about.backend, "cpu-omp") == 0; /* its threads are OpenMP's */
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    accel_module *module = NULL;
    stream_state s = {.work = ACCEL_WORK_INIT};
    bool good = bench_check("stream", accel_queue_create(b->device, &desc, &s.queue));
    for (size_t r = 0; good && r < sizeof rows / sizeof rows[0]; ++r) {
        s.row = &rows[r];
        good = bench_load(b, "bench", rows[r].kernel, &module, &s.kernel);
        for (size_t i = 0; good && i < sizeof sizes / sizeof sizes[0] && !(b->quick && i > 1); ++i)
            good = run_size(b, &s, sizes[i], sizes[i] == POWER && strcmp(rows[r].kernel, "scale") == 0 ? 1 : 0);
        if (good && team && !b->quick)
            good = run_size(b, &s, LARGE_POWER, 0.98);
        accel_module_release(module);
        module = NULL;
    }
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

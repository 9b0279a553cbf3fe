/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce on a GPU: sums of doubles and floats, beside CUB's. The result is on the host when the clock stops. */
#include <accel/pattern.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "gpu/cases.h"
#include "gpu/cub.h"

typedef struct pattern_row {
    const char *name, *kernel, *cub;
    size_t n;
    bool is_float;
} pattern_row;

typedef struct pattern_state {
    const pattern_row *row;
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *result, *pinned;
    void *host; /* of pinned: the last sum */
    size_t n, size;
    double expected;
    void *stream;
    gpu_cub copied, direct; /* to the device, and then to the host; or straight to the host */
} pattern_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    const pattern_state *s = user;
    const pattern_args args = {accel_buffer_ptr(s->x), NULL};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_reduce(s->queue, s->kernel, 1, &s->n, &args, sizeof args, s->pinned);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("patterns", status);
}

/* Whole numbers, all of whose sums doubles or floats have: exact in any order. */
static double x_at(size_t i, bool is_float)
{
    return is_float ? (double)(i * 7919 % 101) - 50 : (double)(i * 7919 % 1009) - 500;
}

static bool validate(void *user)
{
    const pattern_state *s = user;
    const double sum = s->row->is_float ? (double)*(const float *)s->host : *(const double *)s->host;
    if (sum == s->expected)
        return true;
    fprintf(stderr, "accel-bench: gpu-pattern: %s is %.17g, not %.17g\n", s->row->name, sum, s->expected);
    return false;
}

static void forget(const pattern_state *s)
{
    if (s->row->is_float)
        *(float *)s->host = 0.5f;
    else
        *(double *)s->host = 0.5;
}

static bool open_cub(const bench *b, pattern_state *s)
{
    const gpu_cub cub = {.driver = &s->driver, .stream = s->stream, .from = accel_buffer_ptr(s->x), .n = s->n};
    s->copied = s->direct = cub;
    s->copied.to = accel_buffer_ptr(s->result);
    s->copied.host = s->host;
    s->copied.host_bytes = s->size;
    s->direct.to = accel_buffer_ptr(s->pinned);
    return gpu_cub_open(b, s->row->cub, &s->copied) &&
           (s->copied.call == NULL || gpu_cub_open(b, s->row->cub, &s->direct));
}

static bool open_state(bench *b, pattern_state *s)
{
    const accel_buffer_desc array = accel_buffer_1d(s->size, s->n), result = accel_buffer_1d(s->size, 1);
    accel_buffer_desc pinned = result;
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    void *x = malloc(s->n * s->size);
    pinned.flags = ACCEL_BUFFER_PINNED;
    for (size_t i = 0; x != NULL && i < s->n; ++i) {
        const double value = x_at(i, s->row->is_float);
        if (s->row->is_float)
            ((float *)x)[i] = (float)value;
        else
            ((double *)x)[i] = value;
        s->expected += value;
    }
    const bool good = x != NULL && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("patterns", accel_queue_create(b->device, NULL, &s->queue)) &&
                      bench_check("patterns", accel_queue_native(s->queue, &s->stream)) &&
                      bench_load(b, "bench", s->row->kernel, &s->module, &s->kernel) &&
                      bench_check("patterns", accel_buffer_create(b->device, &array, &s->x)) &&
                      bench_check("patterns", accel_buffer_create(b->device, &result, &s->result)) &&
                      bench_check("patterns", accel_buffer_create(b->device, &pinned, &s->pinned)) &&
                      bench_check("patterns", accel_buffer_info(s->pinned, &about)) &&
                      bench_check("patterns", accel_write(s->queue, s->x, x)) &&
                      bench_check("patterns", accel_queue_wait(s->queue));
    free(x);
    s->host = about.host_ptr;
    return good && open_cub(b, s);
}

static bool add(bench *b, pattern_state *s)
{
    const double bytes = (double)(s->size * s->n);
    bench_contest c = {.name = s->row->name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = (double)s->n,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.95};
    double time;
    if (s->copied.call != NULL) {
        bench_add_way(&c, "CUB", gpu_cub_sample, &s->copied);
        bench_add_way(&c, "CUB to the host", gpu_cub_sample, &s->direct);
    }
    bench_add_way(&c, "libaccel", sample_ours, s);
    for (size_t w = 0; w < c.count; ++w) { /* each alone */
        forget(s);
        if (!c.ways[w].sample(c.ways[w].state, 1, &time) || !validate(s))
            return false;
    }
    return bench_run(b, &c, validate, s);
}

static bool run(bench *b, const pattern_row *row)
{
    pattern_state s = {.row = row, .n = row->n, .size = row->is_float ? sizeof(float) : sizeof(double)};
    const bool good = open_state(b, &s) && add(b, &s);
    (void)gpu_driver_leave(&s.driver);
    gpu_cub_close(&s.direct);
    gpu_cub_close(&s.copied);
    accel_buffer_release(s.pinned);
    accel_buffer_release(s.result);
    accel_buffer_release(s.x);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good;
}

enum case_result case_gpu_pattern(bench *b)
{
    static const char doubles[] = "bench_cub_sum", floats[] = "bench_cub_sum_floats";
    const pattern_row quick[] = {{"accel_reduce of 2^16 doubles", "pattern_sum", doubles, 1 << 16, false},
                                 {"accel_reduce of 2^16 floats", "float_sum", floats, 1 << 16, true}},
                      rows[] = {{"accel_reduce of 2^20 doubles", "pattern_sum", doubles, 1 << 20, false},
                                {"accel_reduce of 2^20 floats", "float_sum", floats, 1 << 20, true},
                                {"accel_reduce of 10^7 doubles", "pattern_sum", doubles, 10000000, false},
                                {"accel_reduce of 10^7 floats", "float_sum", floats, 10000000, true}};
    const size_t count = b->quick ? sizeof quick / sizeof quick[0] : sizeof rows / sizeof rows[0];
    bool good = true;
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    for (size_t r = 0; good && r < count; ++r)
        good = run(b, b->quick ? &quick[r] : &rows[r]);
    return good ? CASE_DONE : CASE_FAILED;
}

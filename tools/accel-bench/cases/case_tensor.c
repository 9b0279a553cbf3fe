/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"
#include "kernels/tensor_range.h"

enum { N = 200, QUICK_N = 24 };

typedef struct tensor_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *a, *b, *c;
    tensor_args args;
    tensor_range_args range_args;
    bool is_range;
    size_t begin; /* of the range, in each dimension */
} tensor_state;

static double a_at(size_t i)
{
    return (double)(i % 1021);
}

static double b_at(size_t i)
{
    return (double)(i % 509) / 2;
}

static bool sample_launch(void *user, size_t repetitions, double *nanoseconds)
{
    const tensor_state *s = user;
    const void *args = s->is_range ? (const void *)&s->range_args : &s->args;
    const size_t size = s->is_range ? sizeof s->range_args : sizeof s->args;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, args, size);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("tensor", status);
}

static bool is_inside(size_t index, size_t extent)
{
    return index >= TENSOR_BORDER && index < extent - TENSOR_BORDER;
}

/* The border keeps its zeros. */
static double c_at(const tensor_state *s, size_t i)
{
    const size_t n = s->args.n / 4;
    if (s->begin == 0 || (is_inside(i % TENSOR_ROW, TENSOR_ROW) && is_inside(i / TENSOR_ROW % n, n) &&
                          is_inside(i / TENSOR_ROW / n % n, n) && is_inside(i / TENSOR_ROW / n / n, n)))
        return a_at(i) + b_at(i);
    return 0;
}

static bool validate(void *user)
{
    const tensor_state *s = user;
    const size_t count = s->args.n * s->args.n * s->args.n;
    double *c = malloc(count * sizeof *c);
    bool good = c != NULL && bench_check("tensor", accel_read(s->queue, c, s->c)) &&
                bench_check("tensor", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < count; ++i)
        if (c[i] != c_at(s, i)) {
            fprintf(stderr, "accel-bench: tensor: element %zu is %.17g, not %.17g\n", i, c[i], c_at(s, i));
            good = false;
        }
    free(c);
    return good;
}

static bool open_state(bench *b, tensor_state *s)
{
    const size_t n = b->quick ? QUICK_N : N, count = n * n * n;
    const accel_buffer_desc tensor = accel_buffer_1d(sizeof(double), count);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    double *host = malloc(count * sizeof *host);
    *s = (tensor_state){.work = ACCEL_WORK_INIT};
    bool good = host != NULL && bench_check("tensor", accel_queue_create(b->device, &desc, &s->queue)) &&
                bench_check("tensor", accel_buffer_create(b->device, &tensor, &s->a)) &&
                bench_check("tensor", accel_buffer_create(b->device, &tensor, &s->b)) &&
                bench_check("tensor", accel_buffer_create(b->device, &tensor, &s->c));
    for (size_t i = 0; good && i < count; ++i)
        host[i] = a_at(i);
    good = good && bench_check("tensor", accel_write(s->queue, s->a, host));
    for (size_t i = 0; good && i < count; ++i)
        host[i] = b_at(i);
    good = good && bench_check("tensor", accel_write(s->queue, s->b, host));
    free(host);
    s->args =
        (tensor_args){.n = n, .a = accel_buffer_ptr(s->a), .b = accel_buffer_ptr(s->b), .c = accel_buffer_ptr(s->c)};
    return good;
}

static void close_state(tensor_state *s)
{
    accel_buffer_release(s->c);
    accel_buffer_release(s->b);
    accel_buffer_release(s->a);
    accel_queue_release(s->queue);
}

/* The device's work; of a range its tiles, too. */
static accel_status divide(tensor_state *s, uint32_t dims, const size_t extent[])
{
    if (!s->is_range)
        return accel_work_divide(s->kernel, dims, extent, NULL, &s->work);
    s->range_args = (tensor_range_args){.range = ACCEL_RANGE_INIT,
                                        .n = dims == 4 ? s->args.n / 4 : s->args.n,
                                        .a = s->args.a,
                                        .b = s->args.b,
                                        .c = s->args.c};
    s->range_args.range.dims = dims;
    for (uint32_t d = 0; d < dims; ++d) {
        s->range_args.range.begin[d] = s->begin;
        s->range_args.range.end[d] = s->begin + extent[d];
    }
    return accel_range_divide(s->kernel, &s->range_args.range, NULL, &s->work);
}

/* One of the kernels over an extent of `dims` dimensions, beside a native way. goal 0: none. */
static bool run_kernel(bench *b, tensor_state *s, const char *kernel, const char *name, uint32_t dims,
                       const size_t extent[], const char *native, double goal)
{
    const double zero = 0;
    double count = 1;
    for (uint32_t d = 0; d < dims; ++d)
        count *= (double)extent[d];
    const uint64_t parameters[NATIVE_PARAMETERS] = {s->args.n, s->args.tile[0], s->args.tile[1], s->args.tile[2]};
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = 24 * count,
                       .bytes = 24 * count,
                       .flops = count,
                       .goal = goal != 0 ? GOAL_RATIO : GOAL_NONE,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    bool good = bench_load(b, "bench", kernel, &module, &s->kernel) && bench_check("tensor", divide(s, dims, extent)) &&
                bench_check("tensor", accel_fill(s->queue, s->c, &zero, sizeof zero, NULL)) &&
                bench_add_native(b, &c, BENCH_C, native, parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample_launch, s);
        good = bench_run(b, &c, validate, s);
    }
    accel_module_release(module);
    return good;
}

enum case_result case_tensor(bench *b)
{
    tensor_state s;
    bool good = open_state(b, &s);
    const size_t n = s.args.n, flat[] = {n * n * n}, cube[] = {n, n, n};
    const size_t side = n / 4 - 2 * TENSOR_BORDER, inside[] = {side, side, side, TENSOR_ROW - 2 * TENSOR_BORDER};
    good = good && run_kernel(b, &s, "tensor_flat", "tensor add, flat", 1, flat, "tensor-omp", 0) &&
           run_kernel(b, &s, "tensor_outer", "tensor add, three loops", 3, cube, "tensor-omp", 0);
    s.is_range = true;
    good = good && run_kernel(b, &s, "tensor_range", "tensor add, a range", 3, cube, "tensor-omp", 1);
    s.begin = TENSOR_BORDER;
    good = good && run_kernel(b, &s, "tensor_inside", "tensor add, a 4-D range inside a border", 4, inside,
                              "tensor-inside-omp", 1);
    s.begin = 0;
    s.is_range = false;
    /* Tiles of the program's choice, beside loops without tiles, and beside the same tiles. Those of a range are the device's. */
    s.args.tile[0] = 4; /* whole rows */
    s.args.tile[1] = 8;
    s.args.tile[2] = 0;
    good = good && run_kernel(b, &s, "tensor_tiled", "tensor add, tiles of 4 x 8 rows", 3, cube, "tensor-omp", 0.98) &&
           run_kernel(b, &s, "tensor_tiled", "tensor add, 4 x 8 rows, beside tiles", 3, cube, "tensor-tiles-omp", 0.98);
    s.args.tile[0] = s.args.tile[1] = 8;
    s.args.tile[2] = 64;
    good = good && run_kernel(b, &s, "tensor_tiled", "tensor add, tiles of 8 x 8 x 64", 3, cube, "tensor-omp", 0.98) &&
           run_kernel(b, &s, "tensor_tiled", "tensor add, 8 x 8 x 64, beside tiles", 3, cube, "tensor-tiles-omp", 0.98);
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

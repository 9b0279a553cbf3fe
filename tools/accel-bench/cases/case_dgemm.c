/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

enum { N = 1024, QUICK_N = 192, MOST_ARGS = 128 };
static const char *const libraries[] = {BENCH_DGEMM_LIBRARIES}; /* one per compiler that the build found */

typedef struct dgemm_state {
    size_t n;
    accel_queue *queue;
    accel_kernel *kernel;
    accel_work work;
    accel_buffer *a, *b, *c;
    double *host_a, *host_b, *host_c;
    unsigned char args[MOST_ARGS]; /* of the kernel */
    size_t args_size;
} dgemm_state;

static bool sample_product(void *user, size_t repetitions, double *nanoseconds)
{
    const dgemm_state *s = user;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r)
        if (!bench_check("dgemm", accel_launch(s->queue, s->kernel, &s->work, s->args, s->args_size)) ||
            !bench_check("dgemm", accel_queue_wait(s->queue)))
            return false;
    *nanoseconds = clock_now() - start;
    return true;
}

/* Freivalds: C v = A (B v). All numbers are small and whole, so both sides are exact, and nearly every wrong element
 * shows; v has no zeros and few repetitions. */
static bool validate(void *user)
{
    const dgemm_state *s = user;
    const size_t n = s->n;
    static double v[N], bv[N];
    if (!bench_check("dgemm", accel_read(s->queue, s->host_c, s->c)))
        return false;
    for (size_t i = 0; i < n; ++i)
        v[i] = (double)(i * i % 1021 + 1);
    for (size_t i = 0; i < n; ++i) {
        bv[i] = 0;
        for (size_t j = 0; j < n; ++j)
            bv[i] += s->host_b[i * n + j] * v[j];
    }
    for (size_t i = 0; i < n; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < n; ++j) {
            left += s->host_c[i * n + j] * v[j];
            right += s->host_a[i * n + j] * bv[j];
        }
        if (left != right) {
            fprintf(stderr, "accel-bench: dgemm: row %zu of the product is wrong\n", i);
            return false;
        }
    }
    return true;
}

static bool open_state(bench *b, dgemm_state *s)
{
    const size_t n = b->quick ? QUICK_N : N;
    const accel_buffer_desc matrix = accel_buffer_1d(sizeof(double), n * n);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    *s = (dgemm_state){.n = n, .work = ACCEL_WORK_INIT};
    s->host_a = malloc(sizeof(double) * n * n);
    s->host_b = malloc(sizeof(double) * n * n);
    s->host_c = malloc(sizeof(double) * n * n);
    if (s->host_a == NULL || s->host_b == NULL || s->host_c == NULL) {
        fprintf(stderr, "accel-bench: dgemm: no memory for three matrices\n");
        return false;
    }
    for (size_t i = 0; i < n * n; ++i) {
        s->host_a[i] = (double)(i % 11) - 5;
        s->host_b[i] = (double)(i % 13) - 6;
    }
    return bench_check("dgemm", accel_queue_create(b->device, &desc, &s->queue)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->a)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->b)) &&
           bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->c)) &&
           bench_check("dgemm", accel_write(s->queue, s->a, s->host_a)) &&
           bench_check("dgemm", accel_write(s->queue, s->b, s->host_b));
}

static void close_state(dgemm_state *s)
{
    accel_buffer_release(s->c);
    accel_buffer_release(s->b);
    accel_buffer_release(s->a);
    accel_queue_release(s->queue);
    free(s->host_c);
    free(s->host_b);
    free(s->host_a);
}

/* One thread per element of C. */
static void by_tiles(dgemm_state *s, size_t tile)
{
    const dgemm_args args = {s->n, accel_buffer_ptr(s->a), accel_buffer_ptr(s->b), accel_buffer_ptr(s->c)};
    const size_t tiles = s->n / tile, blocks[2] = {tiles, tiles}, threads[2] = {tile, tile}, elems[2] = {1, 1};
    s->work = accel_work_2d(blocks, threads, elems);
    memcpy(s->args, &args, sizeof args);
    s->args_size = sizeof args;
}

/* The largest of most, most / 2, ... that divides n. */
static size_t divisor(size_t n, size_t most)
{
    while (n % most != 0)
        most /= 2;
    return most;
}

/* On CPUs columns of b that the second level holds a part of, and as many rows as leave a block for each; on GPUs as much as
 * their shared memory holds. */
static void by_packs(const bench *b, dgemm_state *s)
{
    const bool cpu = b->about.kind == ACCEL_DEVICE_CPU;
    const size_t most = cpu ? 528 : 64, unit = cpu ? DGEMM_PACKS_COLUMNS : 8, across = (s->n + most - 1) / most;
    const size_t columns = (s->n + across * unit - 1) / (across * unit) * unit;
    size_t rows = cpu ? s->n : divisor(s->n, 64);
    while (cpu && rows % 2 == 0 && rows > 64 && s->n / rows * across < b->about.compute_units)
        rows /= 2;
    const dgemm_packs_args args = {.n = s->n,
                                   .a = accel_buffer_ptr(s->a),
                                   .b = accel_buffer_ptr(s->b),
                                   .c = accel_buffer_ptr(s->c),
                                   .rows = rows,
                                   .columns = columns,
                                   .depth = divisor(s->n, cpu ? 512 : 32),
                                   .part = cpu ? 96 : 64};
    const size_t blocks[2] = {s->n / args.rows, across}, threads[2] = {1, cpu ? 1 : 256}, elems[2] = {1, 1};
    s->work = accel_work_2d(blocks, threads, elems);
    s->work.shared_bytes = (args.part + DGEMM_PACKS_ROWS + columns + DGEMM_PACKS_COLUMNS) * args.depth * sizeof(double);
    memcpy(s->args, &args, sizeof args);
    s->args_size = sizeof args;
}

static bool run_product(bench *b, dgemm_state *s, const char *library, const char *kernel, double goal)
{
    char name[64];
    const double n = (double)s->n, flops = 2 * n * n * n;
    const uint64_t blas[NATIVE_PARAMETERS] = {s->n}, peak[NATIVE_PARAMETERS] = {(uint64_t)flops};
    bench_contest c = {.name = name,
                       .measure = MEASURE_FLOPS,
                       .amount = flops,
                       .flops = flops,
                       .bytes = 4 * sizeof(double) * n * n,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    const double zero = 0;
    snprintf(name, sizeof name, "%s, %s", kernel, library);
    bool good = bench_load(b, library, kernel, &module, &s->kernel) &&
                bench_check("dgemm", accel_fill(s->queue, s->c, &zero, sizeof zero, NULL)) &&
                bench_add_native(b, &c, BENCH_BLAS, "dgemm", blas);
    /* Without a BLAS the reference is the peak of the multiply-and-add units, which nothing reaches. */
    if (good && c.count == 0) {
        c.goal = GOAL_NONE;
        good = bench_add_native(b, &c, BENCH_C, "peak-omp", peak);
    }
    if (good) {
        bench_add_way(&c, "libaccel", sample_product, s);
        good = bench_run(b, &c, validate, s);
    }
    accel_module_release(module);
    return good;
}

enum case_result case_dgemm_thread(bench *b)
{
    dgemm_state s;
    bool good = open_state(b, &s);
    if (good) {
        by_tiles(&s, DGEMM_TILE);
        good = run_product(b, &s, libraries[0], "dgemm_thread", 0.015);
    }
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

/* By each compiler. */
static enum case_result run_all(bench *b, const char *kernel, bool packs, double goal)
{
    dgemm_state s;
    bool good = open_state(b, &s);
    if (good && packs)
        by_packs(b, &s);
    else if (good)
        by_tiles(&s, DGEMM_BLOCK_TILE);
    for (size_t i = 0; good && i < sizeof libraries / sizeof libraries[0]; ++i)
        good = run_product(b, &s, libraries[i], kernel, goal);
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_dgemm_block(bench *b)
{
    return run_all(b, "dgemm_block", false, 0.83);
}

enum case_result case_dgemm_packs(bench *b)
{
    return run_all(b, "dgemm_packs", true, 1.0);
}

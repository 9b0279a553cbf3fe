/* SPDX-License-Identifier: Apache-2.0 */
/* accel_gemm of square matrices, beside OpenBLAS. */
#include <accel/algorithm.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "clock.h"

enum { N = 1024, QUICK_N = 192 };

typedef struct gemm_state {
    size_t n;
    accel_gemm_desc desc;
    accel_queue *queue;
    accel_buffer *a, *b, *c;
} gemm_state;

static size_t size_of(const gemm_state *s)
{
    return s->desc.type == ACCEL_TYPE_FLOAT ? sizeof(float) : sizeof(double);
}

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const gemm_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_gemm(s->queue, &s->desc, 1, s->a, s->b, 0, s->c);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("gemm", status);
}

/* Small whole numbers, so that every sum is exact. */
static double a_at(size_t k)
{
    return (double)(k % 11) - 5;
}

static double b_at(size_t k)
{
    return (double)(k % 13) - 6;
}

/* What lies at (i, j) of a factor is element k of the buffer. */
static size_t place(const gemm_state *s, size_t i, size_t j, uint32_t flag)
{
    return (s->desc.flags & flag) != 0 ? j * s->n + i : i * s->n + j;
}

/* Freivalds: C v = A (B v). */
static bool is_product(const gemm_state *s, const void *found, double *bv)
{
    for (size_t i = 0; i < s->n; ++i) {
        bv[i] = 0;
        for (size_t j = 0; j < s->n; ++j)
            bv[i] += b_at(place(s, i, j, ACCEL_GEMM_TRANSPOSE_B)) * (double)(j % 1021 + 1);
    }
    for (size_t i = 0; i < s->n; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < s->n; ++j) {
            const size_t k = i * s->n + j;
            const double c =
                size_of(s) == sizeof(float) ? (double)((const float *)found)[k] : ((const double *)found)[k];
            left += c * (double)(j % 1021 + 1);
            right += a_at(place(s, i, j, ACCEL_GEMM_TRANSPOSE_A)) * bv[j];
        }
        if (left != right) {
            fprintf(stderr, "accel-bench: gemm: row %zu of the product is wrong\n", i);
            return false;
        }
    }
    return true;
}

static bool validate(void *user)
{
    const gemm_state *s = user;
    void *found = malloc(s->n * s->n * size_of(s));
    double *bv = malloc(s->n * sizeof *bv);
    const bool good = found != NULL && bv != NULL && bench_check("gemm", accel_read(s->queue, found, s->c)) &&
                      bench_check("gemm", accel_queue_wait(s->queue)) && is_product(s, found, bv);
    free(bv);
    free(found);
    return good;
}

static bool create(bench *b, gemm_state *s, double (*at)(size_t), accel_buffer **out)
{
    const accel_buffer_desc matrix = accel_buffer_2d(size_of(s), s->n, s->n);
    void *values = malloc(s->n * s->n * size_of(s));
    for (size_t k = 0; values != NULL && k < s->n * s->n; ++k) {
        if (size_of(s) == sizeof(float))
            ((float *)values)[k] = (float)at(k);
        else
            ((double *)values)[k] = at(k);
    }
    const bool good = values != NULL && bench_check("gemm", accel_buffer_create(b->device, &matrix, out)) &&
                      bench_check("gemm", accel_write(s->queue, *out, values)) &&
                      bench_check("gemm", accel_queue_wait(s->queue));
    free(values);
    return good;
}

static bool run(bench *b, const char *name, uint32_t type, uint32_t flags, const char *blas)
{
    gemm_state s = {.n = b->quick ? QUICK_N : N, .desc = ACCEL_GEMM_DESC_INIT};
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const double n = (double)s.n;
    const uint64_t parameters[NATIVE_PARAMETERS] = {s.n};
    s.desc.type = type;
    s.desc.flags = flags;
    bench_contest c = {.name = name,
                       .measure = MEASURE_FLOPS,
                       .amount = 2 * n * n * n,
                       .flops = 2 * n * n * n,
                       .bytes = 4 * (double)size_of(&s) * n * n,
                       .goal = GOAL_RATIO,
                       .goal_value = 1.0,
                       .goal_device = "cpu-threads"};
    desc.flags = ACCEL_QUEUE_BLOCKING;
    bool good = bench_check("gemm", accel_queue_create(b->device, &desc, &s.queue)) && create(b, &s, a_at, &s.a) &&
                create(b, &s, b_at, &s.b) && create(b, &s, b_at, &s.c) &&
                bench_add_native(b, &c, BENCH_BLAS, blas, parameters);
    if (good && c.count == 0)
        c.goal = GOAL_NONE; /* no BLAS here */
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_buffer_release(s.c);
    accel_buffer_release(s.b);
    accel_buffer_release(s.a);
    accel_queue_release(s.queue);
    return good;
}

enum case_result case_gemm(bench *b)
{
    return run(b, "product of doubles", ACCEL_TYPE_DOUBLE, 0, "dgemm") &&
                   run(b, "product of floats", ACCEL_TYPE_FLOAT, 0, "sgemm") &&
                   run(b, "product of doubles, both transposed", ACCEL_TYPE_DOUBLE,
                       ACCEL_GEMM_TRANSPOSE_A | ACCEL_GEMM_TRANSPOSE_B, "dgemm")
               ? CASE_DONE
               : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix product by tiles in shared memory on a GPU, beside the same kernel written by hand for CUDA. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "gpu/cases.h"

typedef struct dgemm_state {
    gpu_driver driver;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_work work;
    size_t n;
    accel_buffer *a, *b, *c;
    double *host_a, *host_b, *host_c, *v, *bv;
    dgemm_args args;
    void *stream, *native_module, *native;
} dgemm_state;

static bool sample_ours(void *user, size_t repetitions, double *nanoseconds)
{
    const dgemm_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("dgemm", status);
}

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    dgemm_state *s = user;
    const unsigned tiles = (unsigned)(s->n / DGEMM_TILE);
    void *parameters[] = {&s->args};
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |=
            s->driver.launch(s->native, tiles, tiles, 1, DGEMM_TILE, DGEMM_TILE, 1, 0, s->stream, parameters, NULL);
        result |= s->driver.synchronize(s->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("dgemm by hand", result);
}

static void multiply(const double *matrix, const double *vector, double *product, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        product[i] = 0;
        for (size_t j = 0; j < n; ++j)
            product[i] += matrix[i * n + j] * vector[j];
    }
}

/* Freivalds: C v = A (B v). All numbers are small and whole, so both sides are exact. */
static bool validate(void *user)
{
    dgemm_state *s = user;
    const size_t n = s->n;
    if (!bench_check("dgemm", accel_read(s->queue, s->host_c, s->c)) ||
        !bench_check("dgemm", accel_queue_wait(s->queue)))
        return false;
    for (size_t i = 0; i < n; ++i)
        s->v[i] = (double)(i * i % 1021 + 1);
    multiply(s->host_b, s->v, s->bv, n);
    for (size_t i = 0; i < n; ++i) {
        double left = 0, right = 0;
        for (size_t j = 0; j < n; ++j) {
            left += s->host_c[i * n + j] * s->v[j];
            right += s->host_a[i * n + j] * s->bv[j];
        }
        if (left != right) {
            fprintf(stderr, "accel-bench: gpu-dgemm: row %zu of the product is wrong\n", i);
            return false;
        }
    }
    return true;
}

static bool open_host(dgemm_state *s)
{
    const size_t n = s->n;
    s->host_a = malloc(sizeof(double) * n * n);
    s->host_b = malloc(sizeof(double) * n * n);
    s->host_c = malloc(sizeof(double) * n * n);
    s->v = malloc(sizeof(double) * n);
    s->bv = malloc(sizeof(double) * n);
    if (s->host_a == NULL || s->host_b == NULL || s->host_c == NULL || s->v == NULL || s->bv == NULL) {
        fprintf(stderr, "accel-bench: gpu-dgemm: no memory for three matrices\n");
        return false;
    }
    for (size_t i = 0; i < n * n; ++i) {
        s->host_a[i] = (double)(i % 11) - 5;
        s->host_b[i] = (double)(i % 13) - 6;
    }
    return true;
}

static bool open_state(bench *b, dgemm_state *s)
{
    const accel_buffer_desc matrix = accel_buffer_1d(sizeof(double), s->n * s->n);
    const size_t tiles = s->n / DGEMM_TILE;
    const size_t blocks[2] = {tiles, tiles}, threads[2] = {DGEMM_TILE, DGEMM_TILE}, elems[2] = {1, 1};
    const bool good = open_host(s) && gpu_driver_open(b, &s->driver) && gpu_driver_enter(&s->driver) &&
                      bench_check("dgemm", accel_queue_create(b->device, NULL, &s->queue)) &&
                      bench_check("dgemm", accel_queue_native(s->queue, &s->stream)) &&
                      bench_load(b, "gpu", "dgemm_tiles", &s->module, &s->kernel) &&
                      bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->a)) &&
                      bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->b)) &&
                      bench_check("dgemm", accel_buffer_create(b->device, &matrix, &s->c)) &&
                      bench_check("dgemm", accel_write(s->queue, s->a, s->host_a)) &&
                      bench_check("dgemm", accel_write(s->queue, s->b, s->host_b)) &&
                      bench_check("dgemm", accel_queue_wait(s->queue));
    s->args = (dgemm_args){s->n, accel_buffer_ptr(s->a), accel_buffer_ptr(s->b), accel_buffer_ptr(s->c)};
    s->work = accel_work_2d(blocks, threads, elems);
    if (good)
        gpu_driver_load(b, &s->driver, &s->native_module);
    return good && (s->native_module == NULL ||
                    gpu_driver_check("native_dgemm", s->driver.function(&s->native, s->native_module, "native_dgemm")));
}

static bool add(bench *b, dgemm_state *s)
{
    char name[64];
    const double n = (double)s->n, flops = 2 * n * n * n, zero = 0;
    double time;
    snprintf(name, sizeof name, "dgemm by tiles, n = %zu", s->n);
    bench_contest c = {.name = name,
                       .measure = MEASURE_FLOPS,
                       .amount = flops,
                       .flops = flops,
                       .bytes = 4 * sizeof(double) * n * n,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.98};
    if (s->native != NULL)
        bench_add_way(&c, "by hand", sample_native, s);
    bench_add_way(&c, "libaccel", sample_ours, s);
    for (size_t w = 0; w < c.count; ++w) /* each alone */
        if (!bench_check("dgemm", accel_fill(s->queue, s->c, &zero, sizeof zero, NULL)) ||
            !bench_check("dgemm", accel_queue_wait(s->queue)) || !c.ways[w].sample(s, 1, &time) || !validate(s))
            return false;
    return bench_run(b, &c, validate, s);
}

enum case_result case_gpu_dgemm(bench *b)
{
    dgemm_state s = {.work = ACCEL_WORK_INIT, .n = b->quick ? 64 : 4096};
    if (b->about.kind != ACCEL_DEVICE_GPU)
        return CASE_SKIPPED;
    const bool good = open_state(b, &s) && add(b, &s);
    if (s.native_module != NULL)
        (void)gpu_driver_check("unloading", s.driver.unload(s.native_module));
    (void)gpu_driver_leave(&s.driver);
    accel_buffer_release(s.c);
    accel_buffer_release(s.b);
    accel_buffer_release(s.a);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    free(s.bv);
    free(s.v);
    free(s.host_c);
    free(s.host_b);
    free(s.host_a);
    return good ? CASE_DONE : CASE_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cases/axpy_vectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

double axpy_vectors_x(size_t i)
{
    return (double)(i % 7 + 1);
}

bool axpy_vectors_create(bench *b, axpy_vectors *v, size_t n)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
    const double zero = 0;
    double *x = malloc(n * sizeof *x);
    if (x == NULL)
        fprintf(stderr, "accel-bench: axpy: no memory for %zu numbers\n", n);
    for (size_t i = 0; x != NULL && i < n; ++i)
        x[i] = axpy_vectors_x(i);
    const bool good = x != NULL && bench_check("axpy", accel_buffer_create(b->device, &desc, &v->x)) &&
                      bench_check("axpy", accel_buffer_create(b->device, &desc, &v->y)) &&
                      bench_check("axpy", accel_work_divide(v->kernel, 1, &n, NULL, &v->work)) &&
                      bench_check("axpy", accel_write(v->queue, v->x, x)) &&
                      bench_check("axpy", accel_fill(v->queue, v->y, &zero, sizeof zero, NULL)) &&
                      bench_check("axpy", accel_queue_wait(v->queue));
    v->args = (axpy_args){.a = 1, .n = n, .x = accel_buffer_ptr(v->x), .y = accel_buffer_ptr(v->y)};
    v->done = 0;
    free(x);
    return good;
}

void axpy_vectors_release(axpy_vectors *v)
{
    accel_buffer_release(v->y);
    accel_buffer_release(v->x);
    v->x = v->y = NULL;
}

bool axpy_vectors_sample(axpy_vectors *v, size_t repetitions, double *nanoseconds)
{
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(v->queue, v->kernel, &v->work, &v->args, sizeof v->args);
        status |= accel_queue_wait(v->queue);
    }
    *nanoseconds = clock_now() - start;
    v->done += (double)repetitions;
    return bench_check("axpy", status);
}

bool axpy_vectors_valid(const axpy_vectors *v)
{
    double *y = malloc(v->args.n * sizeof *y);
    if (y == NULL)
        fprintf(stderr, "accel-bench: axpy: no memory for %zu numbers\n", v->args.n);
    bool good = y != NULL && bench_check("axpy", accel_read(v->queue, y, v->y)) &&
                bench_check("axpy", accel_queue_wait(v->queue));
    for (size_t i = 0; good && i < v->args.n; ++i)
        if (y[i] != v->done * axpy_vectors_x(i)) {
            fprintf(stderr, "accel-bench: axpy: element %zu of %zu is %.17g, not %.17g\n", i, v->args.n, y[i],
                    v->done * axpy_vectors_x(i));
            good = false;
        }
    free(y);
    return good;
}

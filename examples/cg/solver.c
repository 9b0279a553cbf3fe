/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conjugate gradients on a device. All vectors stay there. Of each iteration the host reads only the blocks' partial sums
 * of two dot products, and computes the two step lengths from them.
 */
#include "solver.h"

#include <math.h>
#include <stdlib.h>

#include "cg_kernels.h"

#define MOST_DOT_BLOCKS ((size_t)1024) /* partial sums that the host adds up */

/* Leaves the function through its label `done`. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((status = (call)) != ACCEL_OK)                                                                             \
            goto done;                                                                                                 \
    } while (0)

enum vector { VECTOR_X, VECTOR_R, VECTOR_P, VECTOR_AP, VECTOR_COUNT };

struct solver {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *multiply, *dot, *add_scaled; /* borrowed from the module */
    accel_work multiply_work, dot_work, add_scaled_work;
    accel_buffer *row_start, *column, *value, *partial;
    accel_buffer *vector[VECTOR_COUNT];
    double *partial_on_host;
    size_t rows;
};

void solver_release(solver *s)
{
    if (s == NULL)
        return;
    free(s->partial_on_host);
    for (int v = 0; v < VECTOR_COUNT; ++v)
        accel_buffer_release(s->vector[v]);
    accel_buffer_release(s->partial);
    accel_buffer_release(s->value);
    accel_buffer_release(s->column);
    accel_buffer_release(s->row_start);
    accel_module_release(s->module);
    accel_queue_release(s->queue);
    free(s);
}

static accel_status load_kernels(solver *s, accel_device *device)
{
    accel_status status;
    TRY(accel_module_load(device, "cg", &s->module));
    TRY(accel_module_kernel(s->module, "multiply", &s->multiply));
    TRY(accel_module_kernel(s->module, "dot", &s->dot));
    TRY(accel_module_kernel(s->module, "add_scaled", &s->add_scaled));
    TRY(accel_work_divide(s->multiply, 1, &s->rows, NULL, &s->multiply_work));
    TRY(accel_work_divide(s->add_scaled, 1, &s->rows, NULL, &s->add_scaled_work));
    TRY(accel_work_divide(s->dot, 1, &s->rows, NULL, &s->dot_work));
    /* A thread's share grows as needed, so fewer blocks cover the vector as well. */
    if (s->dot_work.blocks[0] > MOST_DOT_BLOCKS)
        s->dot_work.blocks[0] = MOST_DOT_BLOCKS;
done:
    return status;
}

/* A buffer of the device with these values, or uninitialised if `values` is NULL. */
static accel_status make_buffer(solver *s, size_t element_size, size_t n, const void *values, accel_buffer **buffer)
{
    accel_status status;
    const accel_buffer_desc desc = accel_buffer_1d(element_size, n);
    TRY(accel_buffer_create(accel_queue_device(s->queue), &desc, buffer));
    if (values != NULL)
        TRY(accel_write(s->queue, *buffer, values));
done:
    return status;
}

accel_status solver_create(accel_device *device, const linear_system *system, solver **made)
{
    const sparse_matrix *a = &system->a;
    accel_status status = ACCEL_OUT_OF_MEMORY;
    solver *s = malloc(sizeof *s);
    if (s == NULL)
        return status;
    *s = (solver){.rows = a->rows,
                  .multiply_work = ACCEL_WORK_INIT,
                  .dot_work = ACCEL_WORK_INIT,
                  .add_scaled_work = ACCEL_WORK_INIT};
    TRY(accel_queue_create(device, NULL, &s->queue));
    TRY(load_kernels(s, device));
    TRY(make_buffer(s, sizeof *a->row_start, a->rows + 1, a->row_start, &s->row_start));
    TRY(make_buffer(s, sizeof *a->column, a->entries, a->column, &s->column));
    TRY(make_buffer(s, sizeof *a->value, a->entries, a->value, &s->value));
    TRY(make_buffer(s, sizeof(double), s->dot_work.blocks[0], NULL, &s->partial));
    for (int v = 0; v < VECTOR_COUNT; ++v)
        TRY(make_buffer(s, sizeof(double), a->rows, NULL, &s->vector[v]));
    s->partial_on_host = malloc(s->dot_work.blocks[0] * sizeof(double));
    if (s->partial_on_host == NULL)
        status = ACCEL_OUT_OF_MEMORY;
    else
        status = accel_queue_wait(s->queue); /* the caller may give its arrays back */
done:
    if (status == ACCEL_OK) {
        *made = s;
    } else {
        if (s->queue != NULL)
            (void)accel_queue_wait(s->queue);
        solver_release(s);
    }
    return status;
}

static void *address(const solver *s, enum vector v)
{
    return accel_buffer_ptr(s->vector[v]);
}

/* y = A x */
static accel_status multiply(const solver *s, enum vector y, enum vector x)
{
    const multiply_args args = {s->rows,
                                accel_buffer_ptr(s->row_start),
                                accel_buffer_ptr(s->column),
                                accel_buffer_ptr(s->value),
                                address(s, x),
                                address(s, y)};
    return accel_launch(s->queue, s->multiply, &s->multiply_work, &args, sizeof args);
}

/* z = x + factor y */
static accel_status add_scaled(const solver *s, enum vector z, enum vector x, double factor, enum vector y)
{
    const add_scaled_args args = {s->rows, factor, address(s, x), address(s, y), address(s, z)};
    return accel_launch(s->queue, s->add_scaled, &s->add_scaled_work, &args, sizeof args);
}

/* x . y; waits for it. Partial sums are added in block order, so the result does not depend on timing. */
static accel_status dot(const solver *s, enum vector x, enum vector y, double *result)
{
    accel_status status;
    const dot_args args = {s->rows, address(s, x), address(s, y), accel_buffer_ptr(s->partial)};
    TRY(accel_launch(s->queue, s->dot, &s->dot_work, &args, sizeof args));
    TRY(accel_read(s->queue, s->partial_on_host, s->partial));
    TRY(accel_queue_wait(s->queue));
    double sum = 0;
    for (size_t i = 0; i < s->dot_work.blocks[0]; ++i)
        sum += s->partial_on_host[i];
    *result = sum;
done:
    return status;
}

static accel_status iterate(const solver *s, const solver_options *options, double norm, solution *result)
{
    accel_status status = ACCEL_OK;
    double rr = norm * norm, p_ap;
    while (!result->converged && result->iterations < options->iterations) {
        TRY(multiply(s, VECTOR_AP, VECTOR_P));
        TRY(dot(s, VECTOR_P, VECTOR_AP, &p_ap));
        if (!(p_ap > 0)) {
            result->indefinite = true;
            break;
        }
        const double alpha = rr / p_ap;
        TRY(add_scaled(s, VECTOR_X, VECTOR_X, alpha, VECTOR_P));
        TRY(add_scaled(s, VECTOR_R, VECTOR_R, -alpha, VECTOR_AP));
        const double rr_before = rr;
        TRY(dot(s, VECTOR_R, VECTOR_R, &rr));
        result->history[++result->iterations] = sqrt(rr) / norm;
        result->converged = result->history[result->iterations] <= options->tolerance;
        TRY(add_scaled(s, VECTOR_P, VECTOR_R, rr / rr_before, VECTOR_P));
    }
    TRY(accel_queue_wait(s->queue));
done:
    return status;
}

accel_status solver_run(solver *s, const linear_system *system, const solver_options *options, solution *result)
{
    accel_status status;
    result->iterations = 0;
    result->indefinite = false;
    TRY(accel_write(s->queue, s->vector[VECTOR_X], system->start));
    TRY(accel_write(s->queue, s->vector[VECTOR_R], system->b));
    TRY(multiply(s, VECTOR_AP, VECTOR_X));
    TRY(add_scaled(s, VECTOR_R, VECTOR_R, -1, VECTOR_AP)); /* r = b - A x */
    TRY(accel_copy(s->queue, s->vector[VECTOR_P], s->vector[VECTOR_R], NULL));
    double rr;
    TRY(dot(s, VECTOR_R, VECTOR_R, &rr));
    const double norm = sqrt(rr);
    result->history[0] = norm > 0 ? 1 : 0;
    result->converged = norm <= 0;

    const double start = seconds_now();
    TRY(iterate(s, options, norm, result));
    result->seconds = seconds_now() - start;
    TRY(accel_read(s->queue, result->x, s->vector[VECTOR_X]));
    TRY(accel_queue_wait(s->queue));
done:
    /* After a failure work may be pending that reads the caller's arrays. */
    if (status != ACCEL_OK)
        (void)accel_queue_wait(s->queue);
    return status;
}

accel_status solver_solve(accel_device *device, const linear_system *system, const solver_options *options,
                          solution *result)
{
    solver *s = NULL;
    accel_status status;
    TRY(solver_create(device, system, &s));
    TRY(solver_run(s, system, options, result));
done:
    solver_release(s);
    return status;
}

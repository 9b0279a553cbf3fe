/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conjugate gradients on a device. Vectors and dot products stay there: kernels compute the step lengths from them. The host
 * waits once in each iteration, for the two numbers that tell whether to go on.
 */
#include "solver.h"

#include <accel/pattern.h>
#include <math.h>
#include <stdlib.h>

#include "cg_kernels.h"

/* Leaves the function through its label `done`. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((status = (call)) != ACCEL_OK)                                                                             \
            goto done;                                                                                                 \
    } while (0)

enum vector { VECTOR_X, VECTOR_R, VECTOR_P, VECTOR_AP, VECTOR_COUNT };
/* r . r of this iteration and of the one before take turns in the last two. */
enum scalar { SCALAR_ONE, SCALAR_P_AP, SCALAR_RR, SCALAR_RR_TURN, SCALAR_COUNT };

struct solver {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *multiply, *dot, *add_scaled; /* borrowed from the module */
    accel_work multiply_work, add_scaled_work;
    accel_buffer *row_start, *column, *value;
    accel_buffer *vector[VECTOR_COUNT], *scalar[SCALAR_COUNT];
    double on_host[SCALAR_COUNT]; /* written by pending reads: must outlive them */
    size_t rows;
};

void solver_release(solver *s)
{
    if (s == NULL)
        return;
    for (int i = 0; i < SCALAR_COUNT; ++i)
        accel_buffer_release(s->scalar[i]);
    for (int v = 0; v < VECTOR_COUNT; ++v)
        accel_buffer_release(s->vector[v]);
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
    const double one = 1;
    accel_status status = ACCEL_OUT_OF_MEMORY;
    solver *s = malloc(sizeof *s);
    if (s == NULL)
        return status;
    *s = (solver){.rows = a->rows, .multiply_work = ACCEL_WORK_INIT, .add_scaled_work = ACCEL_WORK_INIT};
    TRY(accel_queue_create(device, NULL, &s->queue));
    TRY(load_kernels(s, device));
    TRY(make_buffer(s, sizeof *a->row_start, a->rows + 1, a->row_start, &s->row_start));
    TRY(make_buffer(s, sizeof *a->column, a->entries, a->column, &s->column));
    TRY(make_buffer(s, sizeof *a->value, a->entries, a->value, &s->value));
    for (int v = 0; v < VECTOR_COUNT; ++v)
        TRY(make_buffer(s, sizeof(double), a->rows, NULL, &s->vector[v]));
    for (int i = 0; i < SCALAR_COUNT; ++i)
        TRY(make_buffer(s, sizeof(double), 1, i == SCALAR_ONE ? &one : NULL, &s->scalar[i]));
    TRY(accel_queue_wait(s->queue)); /* the caller may give its arrays back */
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

/* z = x + sign * numerator / denominator * y */
static accel_status add_scaled(const solver *s, enum vector z, enum vector x, double sign, int numerator,
                               int denominator, enum vector y)
{
    const add_scaled_args args = {s->rows,
                                  sign,
                                  accel_buffer_ptr(s->scalar[numerator]),
                                  accel_buffer_ptr(s->scalar[denominator]),
                                  address(s, x),
                                  address(s, y),
                                  address(s, z)};
    return accel_launch(s->queue, s->add_scaled, &s->add_scaled_work, &args, sizeof args);
}

/* result = x . y */
static accel_status dot(const solver *s, int result, enum vector x, enum vector y)
{
    const dot_args args = {address(s, x), address(s, y)};
    return accel_reduce(s->queue, s->dot, 1, &s->rows, &args, sizeof args, s->scalar[result]);
}

/* To on_host. */
static accel_status read_scalar(solver *s, int which)
{
    return accel_read(s->queue, &s->on_host[which], s->scalar[which]);
}

static accel_status iterate(solver *s, const solver_options *options, double norm, solution *result)
{
    accel_status status = ACCEL_OK;
    int rr = SCALAR_RR, rr_before = SCALAR_RR_TURN;
    while (!result->converged && result->iterations < options->iterations) {
        const int turn = rr;
        rr = rr_before;
        rr_before = turn;
        TRY(multiply(s, VECTOR_AP, VECTOR_P));
        TRY(dot(s, SCALAR_P_AP, VECTOR_P, VECTOR_AP));
        TRY(add_scaled(s, VECTOR_X, VECTOR_X, 1, rr_before, SCALAR_P_AP, VECTOR_P));
        TRY(add_scaled(s, VECTOR_R, VECTOR_R, -1, rr_before, SCALAR_P_AP, VECTOR_AP));
        TRY(dot(s, rr, VECTOR_R, VECTOR_R));
        TRY(add_scaled(s, VECTOR_P, VECTOR_R, 1, rr, rr_before, VECTOR_P));
        TRY(read_scalar(s, SCALAR_P_AP));
        TRY(read_scalar(s, rr));
        TRY(accel_queue_wait(s->queue));
        if (!(s->on_host[SCALAR_P_AP] > 0)) {
            result->indefinite = true;
            break;
        }
        result->history[++result->iterations] = sqrt(s->on_host[rr]) / norm;
        result->converged = result->history[result->iterations] <= options->tolerance;
    }
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
    TRY(add_scaled(s, VECTOR_R, VECTOR_R, -1, SCALAR_ONE, SCALAR_ONE, VECTOR_AP)); /* r = b - A x */
    TRY(accel_copy(s->queue, s->vector[VECTOR_P], s->vector[VECTOR_R], NULL));
    TRY(dot(s, SCALAR_RR, VECTOR_R, VECTOR_R));
    TRY(read_scalar(s, SCALAR_RR));
    TRY(accel_queue_wait(s->queue));
    const double norm = sqrt(s->on_host[SCALAR_RR]);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* The iteration of examples/cg in OpenMP, on the same matrix; parameter 0: nodes of the cube's edge, 1: iterations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../examples/cg/heat_matrix.h"
#include "../../../examples/cg/reference.h"
#include "way.h"

#define REAL double
enum { LANES = 64, MIN_LANES = 32 };
#include "sums.h"

typedef struct cg_state {
    linear_system system;
    sparse_matrix a; /* as system.a, but first touched by the threads that use it */
    double *x, *r, *p, *ap;
    double rr, residual; /* |r| / |r at the start| */
    solver_options options;
} cg_state;

static void close_cg(void *state)
{
    cg_state *s = state;
    linear_system_free(&s->system);
    native_release(s->a.row_start);
    native_release(s->a.column);
    native_release(s->a.value);
    native_release(s->x);
    native_release(s->r);
    native_release(s->p);
    native_release(s->ap);
    free(s);
}

static bool allocate(cg_state *s)
{
    const sparse_matrix *a = &s->system.a;
    s->a = (sparse_matrix){.rows = a->rows,
                           .entries = a->entries,
                           .row_start = native_allocate(a->rows + 1, sizeof *a->row_start),
                           .column = native_allocate(a->entries, sizeof *a->column),
                           .value = native_allocate(a->entries, sizeof *a->value)};
    s->x = native_allocate(a->rows, sizeof *s->x);
    s->r = native_allocate(a->rows, sizeof *s->r);
    s->p = native_allocate(a->rows, sizeof *s->p);
    s->ap = native_allocate(a->rows, sizeof *s->ap);
    return s->a.row_start != NULL && s->a.column != NULL && s->a.value != NULL && s->x != NULL && s->r != NULL &&
           s->p != NULL && s->ap != NULL;
}

static void *open_cg(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t elements = parameters[0] - 1;
    const char *reason;
    cg_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->options = (solver_options){.iterations = parameters[1]};
    if (!heat_matrix_generate(elements, elements, elements, &s->system, &reason) || !allocate(s)) {
        close_cg(s);
        return NULL;
    }
    const sparse_matrix *a = &s->system.a;
    s->a.row_start[a->rows] = a->entries;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < a->rows; ++row) {
        s->a.row_start[row] = a->row_start[row];
        for (size_t k = a->row_start[row]; k < a->row_start[row + 1]; ++k) {
            s->a.column[k] = a->column[k];
            s->a.value[k] = a->value[k];
        }
        s->x[row] = s->r[row] = s->p[row] = s->ap[row] = 0;
    }
    return s;
}

static void multiply(const sparse_matrix *a, const double *x, double *y)
{
    const size_t *start = a->row_start;
    const uint32_t *column = a->column;
    const double *value = a->value;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < a->rows; ++row) {
        double sum = 0;
        for (size_t k = start[row]; k < start[row + 1]; ++k)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}

static void add_scaled(size_t n, double factor, const double *x, const double *y, double *z)
{
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; ++i)
        z[i] = x[i] + factor * y[i];
}

static void begin(void *state, size_t repetitions)
{
    cg_state *s = state;
    const size_t n = s->a.rows;
    (void)repetitions;
    memcpy(s->x, s->system.start, n * sizeof *s->x);
    multiply(&s->a, s->x, s->ap);
    add_scaled(n, -1, s->system.b, s->ap, s->r);
    memcpy(s->p, s->r, n * sizeof *s->p);
    s->rr = dot_of(n, s->r, s->r);
}

/* Runs once, whatever the request: the case asks for one. */
static void run(void *state, size_t repetitions)
{
    cg_state *s = state;
    const size_t n = s->a.rows;
    const double norm = sqrt(s->rr);
    (void)repetitions;
    for (size_t i = 0; i < s->options.iterations; ++i) {
        multiply(&s->a, s->p, s->ap);
        const double alpha = s->rr / dot_of(n, s->p, s->ap), before = s->rr;
        add_scaled(n, alpha, s->x, s->p, s->x);
        add_scaled(n, -alpha, s->r, s->ap, s->r);
        s->rr = dot_of(n, s->r, s->r);
        s->residual = sqrt(s->rr) / norm;
        add_scaled(n, s->rr / before, s->r, s->p, s->p);
    }
}

static bool check(void *state)
{
    cg_state *s = state;
    solution plain;
    if (!solution_allocate(&plain, s->a.rows, &s->options))
        return false;
    const bool good = reference_solve(&s->system, &s->options, &plain) &&
                      fabs(s->residual - plain.history[s->options.iterations]) <= 1e-10 * s->residual;
    solution_free(&plain);
    return good;
}

const native_way native_cg = {
    .name = "cg-omp", .open = open_cg, .begin = begin, .run = run, .check = check, .close = close_cg};

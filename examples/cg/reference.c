/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients in plain C: what the device's result is checked against. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static void add_scaled(size_t n, double factor, const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < n; ++i)
        z[i] = x[i] + factor * y[i];
}

bool reference_solve(const linear_system *system, const solver_options *options, solution *s)
{
    const size_t n = system->a.rows;
    double *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *ap = malloc(n * sizeof *ap);
    const bool good = r != NULL && p != NULL && ap != NULL;
    if (!good)
        goto done;

    memcpy(s->x, system->start, n * sizeof *s->x);
    sparse_matrix_multiply(&system->a, s->x, ap);
    add_scaled(n, -1, system->b, ap, r);
    memcpy(p, r, n * sizeof *p);
    double rr = dot(n, r, r);
    const double norm = sqrt(rr);
    s->history[0] = norm > 0 ? 1 : 0;
    s->converged = norm <= 0;

    const double start = seconds_now();
    while (!s->converged && s->iterations < options->iterations) {
        sparse_matrix_multiply(&system->a, p, ap);
        const double p_ap = dot(n, p, ap);
        if (!(p_ap > 0)) {
            s->indefinite = true;
            break;
        }
        const double alpha = rr / p_ap;
        add_scaled(n, alpha, s->x, p, s->x);
        add_scaled(n, -alpha, r, ap, r);
        const double rr_before = rr;
        rr = dot(n, r, r);
        s->history[++s->iterations] = sqrt(rr) / norm;
        s->converged = s->history[s->iterations] <= options->tolerance;
        add_scaled(n, rr / rr_before, r, p, p);
    }
    s->seconds = seconds_now() - start;
done:
    free(ap);
    free(p);
    free(r);
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the device's result right? Two questions decide that. Neither needs the exact solution.
 *
 * 1. Does x belong to the residual that was reported? b - A x is computed from x in plain C. In exact arithmetic it is
 *    the recurrence's residual; in floating point each iteration adds at most about (m + 4) eps |A| |x| to their
 *    distance, m being the entries of the longest row: one product, one update of x and one of r. In conjugate
 *    gradients the distance from the start grows monotonically, so the last x bounds them all; |A| is at most the
 *    row-sum norm.
 * 2. Is it what plain C computes? Device and reference differ in the order in which sums are added, that is, by
 *    rounding. Two converged runs have residuals below the tolerance each, so A (x - x') is below twice that, and
 *    their iteration counts agree but for the noise at the threshold. Two runs that were stopped by the iteration
 *    limit are the same iterate but for rounding that the iteration amplifies: below 1e-12 on the heat matrix. 1e-6
 *    leaves room for matrices of worse condition, and is below what a wrong index or a lost update would cause.
 */
#include "verification.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double norm(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static size_t longest_row(const sparse_matrix *a)
{
    size_t longest = 0;
    for (size_t i = 0; i < a->rows; ++i)
        if (a->row_start[i + 1] - a->row_start[i] > longest)
            longest = a->row_start[i + 1] - a->row_start[i];
    return longest;
}

static bool counts_agree(size_t a, size_t b)
{
    const size_t distance = a > b ? a - b : b - a;
    return distance <= 2 + b / 20;
}

bool verify_solution(const linear_system *system, const solver_options *options, const solution *device,
                     const solution *reference, verification *v)
{
    const sparse_matrix *a = &system->a;
    const size_t n = a->rows;
    double *work = malloc(n * sizeof *work), *product = malloc(n * sizeof *product);
    const bool good = work != NULL && product != NULL;
    if (!good)
        goto done;

    *v = (verification){0};
    const double norm_b = norm(n, system->b), norm_reference = norm(n, reference->x);
    for (size_t i = 0; i < n; ++i)
        work[i] = device->x[i] - system->start[i];
    const double norm_x = norm(n, system->start) + norm(n, work);

    sparse_matrix_multiply(a, system->start, product);
    for (size_t i = 0; i < n; ++i)
        work[i] = system->b[i] - product[i];
    const double norm_start = norm(n, work), unit = norm_start > 0 ? norm_start : 1;

    sparse_matrix_multiply(a, device->x, product);
    for (size_t i = 0; i < n; ++i)
        work[i] = system->b[i] - product[i];
    v->residual = norm(n, work) / unit;
    v->residual_gap = fabs(v->residual - device->history[device->iterations]);
    v->residual_allowed = DBL_EPSILON * (double)(device->iterations + 10) * (double)(longest_row(a) + 4) *
                          (sparse_matrix_norm(a) * norm_x + norm_b) / unit;

    for (size_t i = 0; i < n; ++i)
        work[i] = device->x[i] - reference->x[i];
    v->x_difference = norm(n, work) / (norm_reference > 0 ? norm_reference : 1);
    sparse_matrix_multiply(a, work, product);
    v->difference = norm(n, product) / unit;
    const bool converged = device->converged && reference->converged;
    v->difference_allowed = converged ? 2 * options->tolerance + 2 * v->residual_allowed : 1e-6;
    v->iterations_agree = counts_agree(device->iterations, reference->iterations);

    /* Written so that a NaN fails. */
    v->passed = device->converged == reference->converged && v->iterations_agree &&
                v->residual_gap <= v->residual_allowed && v->difference <= v->difference_allowed;
done:
    free(product);
    free(work);
    return good;
}

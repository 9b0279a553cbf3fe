/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool sparse_matrix_allocate(sparse_matrix *a, size_t rows, size_t entries)
{
    *a = (sparse_matrix){.rows = rows, .entries = entries};
    if (rows >= SIZE_MAX / sizeof *a->row_start || entries >= SIZE_MAX / sizeof *a->value)
        return false;
    a->row_start = malloc((rows + 1) * sizeof *a->row_start);
    a->column = malloc((entries + 1) * sizeof *a->column);
    a->value = malloc((entries + 1) * sizeof *a->value);
    if (a->row_start != NULL && a->column != NULL && a->value != NULL)
        return true;
    free(a->row_start);
    free(a->column);
    free(a->value);
    *a = (sparse_matrix){0};
    return false;
}

void linear_system_free(linear_system *system)
{
    free(system->a.row_start);
    free(system->a.column);
    free(system->a.value);
    free(system->b);
    free(system->start);
    free(system->exact);
    *system = (linear_system){0};
}

void sparse_matrix_multiply(const sparse_matrix *a, const double *x, double *y)
{
    for (size_t i = 0; i < a->rows; ++i) {
        double sum = 0;
        for (size_t k = a->row_start[i]; k < a->row_start[i + 1]; ++k)
            sum += a->value[k] * x[a->column[k]];
        y[i] = sum;
    }
}

double sparse_matrix_norm(const sparse_matrix *a)
{
    double norm = 0;
    for (size_t i = 0; i < a->rows; ++i) {
        double sum = 0;
        for (size_t k = a->row_start[i]; k < a->row_start[i + 1]; ++k)
            sum += fabs(a->value[k]);
        norm = fmax(norm, sum);
    }
    return norm;
}

double sparse_matrix_at(const sparse_matrix *a, size_t row, size_t column)
{
    size_t low = a->row_start[row], high = a->row_start[row + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->row_start[row + 1] && a->column[low] == column ? a->value[low] : 0.0;
}

bool sparse_matrix_find_asymmetry(const sparse_matrix *a, size_t *row, size_t *column)
{
    for (size_t i = 0; i < a->rows; ++i)
        for (size_t k = a->row_start[i]; k < a->row_start[i + 1]; ++k) {
            const double here = a->value[k], mirror = sparse_matrix_at(a, a->column[k], i);
            if (fabs(here - mirror) > 8 * DBL_EPSILON * fmax(fabs(here), fabs(mirror))) {
                *row = i;
                *column = a->column[k];
                return true;
            }
        }
    return false;
}

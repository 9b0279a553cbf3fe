/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static double of_a(size_t i, size_t j)
{
    return (double)((7 * i + 13 * j) % 17) - 8;
}

static void make_row_of_b(size_t n, size_t i, double *row)
{
    for (size_t j = 0; j < n; ++j)
        row[j] = (double)((5 * i + 11 * j) % 19) - 9;
}

bool reference_run(size_t n, double *c)
{
    double *const row = malloc(n * sizeof *row);
    if (row == NULL)
        return false;
    for (size_t i = 0; i < n * n; ++i)
        c[i] = 0;
    for (size_t k = 0; k < n; ++k) {
        make_row_of_b(n, k, row);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                c[i * n + j] += of_a(i, k) * row[j];
    }
    for (size_t i = 0; i < n; ++i) {
        double size = 1;
        for (size_t j = 0; j < n; ++j) {
            c[i * n + j] /= 1 + fabs(c[i * n + j]);
            size += fabs(c[i * n + j]);
        }
        for (size_t j = 0; j < n; ++j)
            c[i * n + j] /= size;
    }
    free(row);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void reference_multiply(size_t n, const double *a, const double *b, double *c)
{
    for (size_t i = 0; i < n; ++i) {
        double *const row = &c[i * n];
        for (size_t j = 0; j < n; ++j)
            row[j] = 0;
        for (size_t k = 0; k < n; ++k)
            for (size_t j = 0; j < n; ++j)
                row[j] += a[i * n + k] * b[k * n + j];
    }
}

/* The lengths of B's columns. */
static double *lengths_new(size_t n, const double *b)
{
    double *const lengths = calloc(n, sizeof *lengths);
    if (lengths == NULL)
        return NULL;
    for (size_t k = 0; k < n; ++k)
        for (size_t j = 0; j < n; ++j)
            lengths[j] += b[k * n + j] * b[k * n + j];
    for (size_t j = 0; j < n; ++j)
        lengths[j] = sqrt(lengths[j]);
    return lengths;
}

bool reference_distance(size_t n, const double *a, const double *b, const double *c, const double *d, double *fraction)
{
    /* u is half of epsilon: n * u / (1 - n * u), for each of the two */
    const double unit = (double)n * DBL_EPSILON / 2, both = 2 * unit / (1 - unit);
    double *const columns = lengths_new(n, b);
    double largest = 0;
    if (columns == NULL)
        return false;
    for (size_t i = 0; i < n; ++i) {
        double row = 0;
        for (size_t k = 0; k < n; ++k)
            row += a[i * n + k] * a[i * n + k];
        row = sqrt(row);
        for (size_t j = 0; j < n; ++j) {
            const double distance = fabs(c[i * n + j] - d[i * n + j]), bound = both * row * columns[j];
            if (!(distance <= largest * bound))
                largest = isfinite(distance) && bound > 0 ? distance / bound : INFINITY;
        }
    }
    free(columns);
    *fraction = largest;
    return true;
}

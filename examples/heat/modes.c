/* SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"

#include <math.h>
#include <stdlib.h>

#define MODES 3

/* Half waves along the rows and columns, and the height. */
static const struct {
    unsigned rows, columns;
    double height;
} parts[MODES] = {{1, 1, 0.5}, {3, 5, 0.3}, {9, 4, 0.2}};

struct modes {
    size_t side;
    double rate;
    double *sines[MODES][2]; /* of each mode along rows and columns, `side` of them */
};

static double angle(const modes *m, unsigned waves)
{
    return acos(-1) * waves / (double)(m->side - 1);
}

modes *modes_new(size_t side, double rate)
{
    modes *const m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->side = side;
    m->rate = rate;
    for (int k = 0; k < MODES; ++k) {
        for (int d = 0; d < 2; ++d) {
            double *const sines = m->sines[k][d] = malloc(side * sizeof *sines);
            if (sines == NULL) {
                modes_free(m);
                return NULL;
            }
            for (size_t i = 0; i < side; ++i)
                sines[i] = sin(angle(m, d == 0 ? parts[k].rows : parts[k].columns) * (double)i);
            sines[side - 1] = 0; /* the edge is cold */
        }
    }
    return m;
}

static double value(const modes *m, const double height[MODES], size_t i, size_t j)
{
    double sum = 0;
    for (int k = 0; k < MODES; ++k)
        sum += height[k] * m->sines[k][0][i] * m->sines[k][1][j];
    return sum;
}

void modes_start(const modes *m, double *values)
{
    double height[MODES];
    for (int k = 0; k < MODES; ++k)
        height[k] = parts[k].height;
    for (size_t i = 0; i < m->side; ++i)
        for (size_t j = 0; j < m->side; ++j)
            values[i * m->side + j] = value(m, height, i, j);
}

/* A value that is no number is as far away as can be. */
static double largest_distance(const modes *m, const double height[MODES], const double *values)
{
    double largest = 0;
    for (size_t i = 0; i < m->side; ++i) {
        for (size_t j = 0; j < m->side; ++j) {
            const double distance = fabs(values[i * m->side + j] - value(m, height, i, j));
            if (!(distance <= largest))
                largest = isnan(distance) ? INFINITY : distance;
        }
    }
    return largest;
}

double modes_scheme_error(const modes *m, uint32_t steps, const double *values)
{
    double height[MODES];
    for (int k = 0; k < MODES; ++k) {
        const double r = sin(angle(m, parts[k].rows) / 2), c = sin(angle(m, parts[k].columns) / 2);
        height[k] = parts[k].height * pow(1 - 4 * m->rate * (r * r + c * c), steps);
    }
    return largest_distance(m, height, values);
}

double modes_equation_error(const modes *m, uint32_t steps, const double *values)
{
    double height[MODES];
    for (int k = 0; k < MODES; ++k) {
        const double r = angle(m, parts[k].rows), c = angle(m, parts[k].columns);
        height[k] = parts[k].height * exp(-m->rate * steps * (r * r + c * c));
    }
    return largest_distance(m, height, values);
}

void modes_free(modes *m)
{
    if (m == NULL)
        return;
    for (int k = 0; k < MODES; ++k)
        for (int d = 0; d < 2; ++d)
            free(m->sines[k][d]);
    free(m);
}

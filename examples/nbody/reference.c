/* SPDX-License-Identifier: Apache-2.0 */
/* Cells are linked lists, and each pair of particles is computed once. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct lists {
    uint32_t side;
    uint32_t *first, *next; /* of each cell; after each particle */
} lists;

/* The shortest way, around the box if need be. */
static double distance(double d, double box)
{
    return d > box / 2 ? d - box : d < -box / 2 ? d + box : d;
}

/* Lennard-Jones, less its value and its slope by the square of the distance at REACH. The result is the force divided by
 * the distance. */
static double force_of(double d_2, double *potential)
{
    const double end = pow(REACH, -6), slope = -12 * (2 * end * end - end) / (REACH * REACH);
    const double r_6 = 1 / (d_2 * d_2 * d_2);
    *potential = 4 * (r_6 * r_6 - r_6) - 4 * (end * end - end) - (d_2 - REACH * REACH) * slope;
    return 24 * (2 * r_6 * r_6 - r_6) / d_2 + 2 * slope;
}

static uint32_t cell_of(const lists *l, double x, double box)
{
    const uint32_t c = (uint32_t)(x / box * l->side);
    return c < l->side ? c : l->side - 1;
}

static void fill_lists(const lists *l, uint32_t n, double box, const vector *x)
{
    for (uint32_t c = 0; c < l->side * l->side * l->side; ++c)
        l->first[c] = NONE;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t c =
            (cell_of(l, x[i].z, box) * l->side + cell_of(l, x[i].y, box)) * l->side + cell_of(l, x[i].x, box);
        l->next[i] = l->first[c];
        l->first[c] = i;
    }
}

/* Pairs of a particle with those of a cell that have larger numbers. The result is their potential. */
static double add_pairs(const lists *l, uint32_t i, uint32_t cell, double box, const vector *x, vector *force)
{
    double sum = 0, potential;
    for (uint32_t j = l->first[cell]; j != NONE; j = l->next[j]) {
        const double dx = distance(x[i].x - x[j].x, box), dy = distance(x[i].y - x[j].y, box),
                     dz = distance(x[i].z - x[j].z, box), d_2 = dx * dx + dy * dy + dz * dz;
        if (j <= i || d_2 >= REACH * REACH)
            continue;
        const double f = force_of(d_2, &potential);
        sum += potential;
        force[i].x += f * dx, force[j].x -= f * dx;
        force[i].y += f * dy, force[j].y -= f * dy;
        force[i].z += f * dz, force[j].z -= f * dz;
    }
    return sum;
}

static double find_forces(const lists *l, uint32_t n, double box, const vector *x, vector *force)
{
    double potential = 0;
    fill_lists(l, n, box, x);
    for (uint32_t i = 0; i < n; ++i)
        force[i] = (vector){0, 0, 0};
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t k = 0; k < 27; ++k) {
            const uint32_t cx = (cell_of(l, x[i].x, box) + l->side + k % 3 - 1) % l->side,
                           cy = (cell_of(l, x[i].y, box) + l->side + k / 3 % 3 - 1) % l->side,
                           cz = (cell_of(l, x[i].z, box) + l->side + k / 9 - 1) % l->side;
            potential += add_pairs(l, i, (cz * l->side + cy) * l->side + cx, box, x, force);
        }
    return potential;
}

static void kick(uint32_t n, double time, const vector *force, vector *v)
{
    for (uint32_t i = 0; i < n; ++i) {
        v[i].x += time * force[i].x;
        v[i].y += time * force[i].y;
        v[i].z += time * force[i].z;
    }
}

static double inside(double x, double box)
{
    return x < 0 ? x + box : x >= box ? x - box : x;
}

static void drift(uint32_t n, double time, double box, const vector *v, vector *x)
{
    for (uint32_t i = 0; i < n; ++i) {
        x[i].x = inside(x[i].x + time * v[i].x, box);
        x[i].y = inside(x[i].y + time * v[i].y, box);
        x[i].z = inside(x[i].z + time * v[i].z, box);
    }
}

static double kinetic(uint32_t n, const vector *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
    return sum / 2;
}

bool reference_run(uint32_t n, double box, double step, uint32_t steps, const particles *p, double *energies)
{
    lists l = {.side = (uint32_t)(box / REACH)};
    vector *const force = malloc(n * sizeof *force);
    l.first = malloc((size_t)l.side * l.side * l.side * sizeof *l.first);
    l.next = malloc(n * sizeof *l.next);
    const bool good = force != NULL && l.first != NULL && l.next != NULL;
    if (good) {
        energies[0] = find_forces(&l, n, box, p->position, force) + kinetic(n, p->velocity);
        for (uint32_t k = 1; k <= steps; ++k) {
            kick(n, step / 2, force, p->velocity);
            drift(n, step, box, p->velocity, p->position);
            const double potential = find_forces(&l, n, box, p->position, force);
            kick(n, step / 2, force, p->velocity);
            energies[k] = potential + kinetic(n, p->velocity);
        }
    }
    free(l.next);
    free(l.first);
    free(force);
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The particles, and the arguments of the kernels in nbody.k.c. Shared by host and kernels. */
#ifndef NBODY_H
#define NBODY_H

#include <stddef.h>
#include <stdint.h>

/* Lennard-Jones: lengths in its sigma, energies in its epsilon, mass 1. Particles further apart than REACH do not act on
 * each other. */
#define REACH 2.5

typedef struct vector {
    double x, y, z;
} vector;

/* Arrays of all particles. */
typedef struct particles {
    vector *position, *velocity;
    uint32_t *id; /* the particle's place at the start */
} particles;

/* All kernels have these arguments. */
typedef struct nbody_args {
    uint32_t n, cells, side; /* particles; cells; cells along each edge of the box */
    double box, cell;        /* lengths of edges */
    double half_step;        /* half of the time step */
    particles now, sorted;   /* before the sort, and after it */
    uint32_t *key, *order;   /* each particle's cell, and what the sort makes of 0, 1, 2, ... */
    uint32_t *count, *begin; /* of each cell: its particles, and the first of them in `sorted` */
    vector *force;           /* on each particle of `sorted` */
    double *potential;       /* of each of them, with all others */
} nbody_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The mesh, and the arguments of the kernels in amplified-emission.k.c. Shared by host and kernels. */
#ifndef EMISSION_H
#define EMISSION_H

#include <stdint.h>

#define NO_TRIANGLE UINT32_MAX
#define LEAST_RAYS 4 /* of each prism; a standard error needs 2 */

/* Lengths are in centimetres. */
typedef struct vector {
    double x, y, z;
} vector;

/* Edge e goes from corner e to the next one. The triangle is where normal.x * x + normal.y * y <= offset for all edges. */
typedef struct mesh_triangle {
    uint32_t corner[3];    /* vertices, counterclockwise */
    uint32_t neighbour[3]; /* the triangle beyond edge e, or NO_TRIANGLE */
    double normal_x[3], normal_y[3], offset[3];
    double area;
} mesh_triangle;

/* Triangles and their vertices, and `layers` of prisms above them. Prism i is triangle i % triangles in layer i / triangles.
 * Sample points are all vertices on all levels: those between layers, the lowest and the highest. */
typedef struct mesh {
    uint32_t vertices, triangles, layers, prisms;
    double thickness; /* of a layer */
    const double *vertex_x, *vertex_y;
    const mesh_triangle *triangle;
    const double *gain;     /* of each prism, per length; where less than 0 light is absorbed */
    const double *emission; /* of each prism: photons per volume and time, in all directions */
} mesh;

/* The photons that reach a sample point, per area and time, and the square of their standard error. */
typedef struct flux {
    double value, variance;
} flux;

/* All kernels have these arguments. */
typedef struct emission_args {
    mesh medium;
    uint32_t vertex, level;  /* the sample point */
    uint32_t rays;           /* at most so many */
    uint32_t shared_rays;    /* of these, those that are shared out by importance */
    uint64_t seed, stream;   /* of random numbers; a stream of each sample point */
    double *importance;      /* of each prism */
    const double *total;     /* of all importances */
    uint32_t *count, *begin; /* of each prism: its rays, and the first of them */
    uint32_t *owner;         /* of each ray: its prism */
    double *contribution;    /* of each ray: the flux if all rays of its prism were like it */
} emission_args;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The medium: a square slab, which is pumped from below. */
#ifndef SLAB_H
#define SLAB_H

#include <stdbool.h>

#include "emission.h"

#define SLAB_EDGE 3.0   /* cm */
#define SLAB_HEIGHT 0.5 /* cm */

/* Host memory of the mesh's arrays. */
typedef struct slab {
    mesh mesh;
    double *vertex_x, *vertex_y, *gain, *emission;
    mesh_triangle *triangles;
} slab;

/* side * side squares, each cut into two triangles, whose vertices inside are moved as if by chance, times `layers`. The pump
 * loses strength from layer to layer. Its beam has the radius `spot` in cm; 0: it covers all. false: no memory. */
bool slab_new(slab *, uint32_t side, uint32_t layers, double spot);
void slab_free(slab *);

#endif

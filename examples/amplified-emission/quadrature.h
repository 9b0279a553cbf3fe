/* SPDX-License-Identifier: Apache-2.0 */
/* The flux without chance and without triangles, where the medium only changes from layer to layer. */
#ifndef QUADRATURE_H
#define QUADRATURE_H

#include "emission.h"

/* The flux at a sample point of a slab whose edges are parallel to the axes and which begins at (0, 0, 0). */
double quadrature_flux(const mesh *, double edge, uint32_t vertex, uint32_t level);

#endif

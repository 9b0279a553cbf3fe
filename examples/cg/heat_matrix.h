/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_HEAT_MATRIX_H
#define CG_HEAT_MATRIX_H

#include "sparse_matrix.h"

/* The steady temperature of a unit cube, meshed by nx * ny * nz hexahedra; see heat_matrix.c for what is solved.
 * (nx + 1) (ny + 1) (nz + 1) rows; node (x, y, z) is row x + (nx + 1) (y + (ny + 1) z). Returns false with the reason
 * in *reason if the mesh is empty or too large for 32-bit column numbers, or if there is no memory. */
bool heat_matrix_generate(size_t nx, size_t ny, size_t nz, linear_system *, const char **reason);

/* The row of the node in the middle of the cube; SIZE_MAX if there is none (an odd number of elements). */
size_t heat_matrix_centre(size_t nx, size_t ny, size_t nz);

#endif

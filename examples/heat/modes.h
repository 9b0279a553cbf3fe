/* SPDX-License-Identifier: Apache-2.0 */
/* What the temperatures must be. A sine mode keeps its shape, and each step multiplies it by one factor. */
#ifndef MODES_H
#define MODES_H

#include <stddef.h>
#include <stdint.h>

typedef struct modes modes;

/* Of a plate with side * side points. NULL: no memory. */
modes *modes_new(size_t side, double rate);
/* Writes the temperatures at the start, from about -1 to 1: the sum of the modes. */
void modes_start(const modes *, double *values);
/* The largest distance of the values from the modes after so many steps. It is rounding only. */
double modes_scheme_error(const modes *, uint32_t steps, const double *values);
/* The same from the solution of the heat equation at that time. It has the error of the grid and of the time steps. */
double modes_equation_error(const modes *, uint32_t steps, const double *values);
void modes_free(modes *);

#endif

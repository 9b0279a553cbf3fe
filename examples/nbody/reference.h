/* SPDX-License-Identifier: Apache-2.0 */
/* The same steps in plain C, with lists of another kind. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>

#include "nbody.h"

/* Moves the particles by so many steps. energies as in simulation.h. false: no memory. */
bool reference_run(uint32_t n, double box, double step, uint32_t steps, const particles *, double *energies);

#endif

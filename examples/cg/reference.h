/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_REFERENCE_H
#define CG_REFERENCE_H

#include "solution.h"

/* The same iteration as solver.c, in plain C on the calling thread. `s` was allocated for these options. False: no
 * memory. */
bool reference_solve(const linear_system *, const solver_options *, solution *s);

#endif

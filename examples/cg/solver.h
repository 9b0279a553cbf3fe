/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_SOLVER_H
#define CG_SOLVER_H

#include <accel/accel.h>

#include "solution.h"

/* A system on a device, ready to be solved. Errors of these functions: those of libaccel, with its message;
 * ACCEL_OUT_OF_MEMORY also for the host's. */
typedef struct solver solver;

/* Copies the system, but for b and start, which solver_run reads anew. */
accel_status solver_create(accel_device *, const linear_system *, solver **);
void solver_release(solver *);
/* Conjugate gradients from the start of the system that the solver was made for. `s` was allocated for these options. */
accel_status solver_run(solver *, const linear_system *, const solver_options *, solution *s);

/* All of it. */
accel_status solver_solve(accel_device *, const linear_system *, const solver_options *, solution *s);

#endif

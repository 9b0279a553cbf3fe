/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_SOLVER_H
#define CG_SOLVER_H

#include <accel/accel.h>

#include "solution.h"

/* A system on a device, ready to be solved. These functions return the errors of libaccel, with its message, and
 * ACCEL_OUT_OF_MEMORY also if the host has no memory. */
typedef struct solver solver;

/* Copies the system except b and start, which each solver_run reads. */
accel_status solver_create(accel_device *, const linear_system *, solver **);
void solver_release(solver *);
/* Runs conjugate gradients from the system's start. `s` must be allocated for these options. */
accel_status solver_run(solver *, const linear_system *, const solver_options *, solution *s);

/* Create, run and release in one call. */
accel_status solver_solve(accel_device *, const linear_system *, const solver_options *, solution *s);

#endif

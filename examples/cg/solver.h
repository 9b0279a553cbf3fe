/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_SOLVER_H
#define CG_SOLVER_H

#include <accel/accel.h>

#include "solution.h"

/* Conjugate gradients on the device. `s` was allocated for these options. Errors: those of libaccel, with
 * its message; ACCEL_OUT_OF_MEMORY also for the host's. */
accel_status solver_solve(accel_device *, const linear_system *, const solver_options *, solution *s);

#endif

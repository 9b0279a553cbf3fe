/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of thread kernels: on CPUs each thread is a fiber, whose stack is small. */
#ifndef ACCELCC_FRAMES_H
#define ACCELCC_FRAMES_H

#include "target.h"

/* Of the function that runs one thread of a thread kernel (accel/kernel.h). */
#define FRAMES_PREFIX "accel_fiber_"

/* Adds the flags by which the compiler writes down its frames, and touches every page of a large one in order, so that
 * the engine's guard page stops it. */
void frames_flags(const accelcc_job *, list *command);
/* Has the object thread kernels? `object` is what the compiler wrote into the workspace. */
bool frames_has_threads(const char *object);
/* Reports thread kernels whose frame does not fit, once each. */
void frames_report(const accelcc_job *, const char *object);

#endif

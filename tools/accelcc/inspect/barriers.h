/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread kernels that never synchronise. On CPUs such a kernel is a loop over the threads of a block, whether it was
 * declared with _NOSYNC or not. Only the compiler knows, after it has inlined everything: so it is asked for assembly in
 * which each barrier is a call of one function.
 */
#ifndef ACCELCC_BARRIERS_H
#define ACCELCC_BARRIERS_H

#include "target.h"

/* Adds a definition for each kernel of the source that never synchronises, by which accel/kernel.h makes it a loop.
 * `object` names workspace files. Returns false after a message. */
bool barriers_find(const accelcc_job *, const char *source, const char *object, list *definitions);

#endif

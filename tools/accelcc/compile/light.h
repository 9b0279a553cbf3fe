/* SPDX-License-Identifier: Apache-2.0 */
/* Target `check`: the light version of its kernels, for blocks outside the share of accel-check --share. */
#ifndef ACCELCC_LIGHT_H
#define ACCELCC_LIGHT_H

#include "target.h"

/* Compiles all sources once more and adds the objects, unless the user wants no light version. `definitions` has a list of
 * flags for each source. Returns false after a message. */
bool light_add(const accelcc_job *, const list *definitions, list *objects);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The same integration in plain C, with other geometry, and the C library's exp. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>

#include "emission.h"

/* Arguments as in simulation.c. false: no memory. */
bool reference_run(const mesh *, uint32_t shared_rays, uint64_t seed, flux *fluxes);

#endif

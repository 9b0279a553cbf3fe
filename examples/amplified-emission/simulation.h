/* SPDX-License-Identifier: Apache-2.0 */
/* The Monte Carlo integration on a device. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <accel/accel.h>

#include "emission.h"

typedef struct simulation simulation;

/* Ends the program with a message if something fails, as all of these do. The mesh's arrays are the host's; they are copied.
 * Each sample point gets LEAST_RAYS of each prism, and up to shared_rays more. */
simulation *simulation_new(accel_device *device, const mesh *host, uint32_t shared_rays, uint64_t seed);
/* The fluxes at all sample points: vertex after vertex, level after level. */
void simulation_run(simulation *, flux *fluxes);
void simulation_release(simulation *);

#endif

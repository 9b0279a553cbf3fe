/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation on a device. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <accel/accel.h>

#include "nbody.h"

typedef struct simulation simulation;

/* Ends the program with a message if something fails, as all of these do. The host's arrays have `n` particles, in a box
 * whose edges have at least three cells. */
simulation *simulation_new(accel_device *device, uint32_t n, double box, double step, const particles *host);
/* Submits so many steps and waits for them. energies[0 to steps] is that before each step, and after the last. */
void simulation_run(simulation *, uint32_t steps, double *energies);
/* Positions and velocities, in the order of the ids. */
void simulation_read(simulation *, vector *position, vector *velocity);
void simulation_release(simulation *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Time steps on a device, and snapshots of them. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <accel/accel.h>

typedef struct simulation simulation;

/* Receives the side * side temperatures after so many steps. They stay only during the call. */
typedef void simulation_take(void *user, uint32_t step, const double *values);

/* Ends the program with a message if something fails, as all of these do. */
simulation *simulation_new(accel_device *device, size_t side, double rate, const double *start);
/* Takes a snapshot every so many steps, and of the last one. `take` runs while the device computes the next steps. */
void simulation_run(simulation *, uint32_t steps, uint32_t every, simulation_take *take, void *user);
void simulation_release(simulation *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A lane: a thread that runs the launches of one stream. */
#ifndef GPUSIM_DEVICE_LANE_H
#define GPUSIM_DEVICE_LANE_H

#include <stdbool.h>

/* Takes the socket. */
bool device_lane_start(int socket);
/* Grids that run end, and later ones do at once; or no more. */
void device_lane_cancel(bool cancel);
/* No grid runs between the two: waits for those that do. */
void device_lanes_stop(void);
void device_lanes_go_on(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's port: queues of libaccel's own, and memory that copies go through, for copies that no driver does. Made when
 * the first such copy is carried out, ended with the device. One copy at a time goes through a port.
 */
#ifndef ACCEL_CORE_PORT_H
#define ACCEL_CORE_PORT_H

#include "core/api/device.h"

enum { ACCEL_PORT_CHUNK = 2 << 20, ACCEL_PORT_CHUNKS = 2 }; /* of the stage, in bytes */

/* The port of a root device. NULL, with a text: no memory. */
accel_port *accel_port_of(accel_device *);

/* Take the port of one device, or both ports of a copy between two (`second` may be NULL). */
void accel_port_enter(accel_port *first, accel_port *second);
void accel_port_leave(accel_port *first, accel_port *second);

/*
 * What follows is called between enter and leave. A failure has a text that names the device, which is marked as lost if it
 * is, and leaves nothing behind for the port's next copy once the port was waited for.
 */
/* A copy between the device and memory that the host can address, complete on return. */
accel_status accel_port_copy(accel_port *, const accel_copy_params *);
/* The same, not complete before accel_port_wait. */
accel_status accel_port_begin_copy(accel_port *, const accel_copy_params *);
accel_status accel_port_wait(accel_port *);
/* ACCEL_PORT_CHUNKS chunks of host memory, pinned where the device can. */
accel_status accel_port_stage(accel_port *, unsigned char **stage);

#endif

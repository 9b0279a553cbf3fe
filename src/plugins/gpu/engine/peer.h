/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that use each other's memory. Access is switched on when the program asks for it, or at the first copy. */
#ifndef ACCEL_GPU_PEER_H
#define ACCEL_GPU_PEER_H

#include "plugins/gpu/engine/device.h"

/* Contract of accel_device_vtable.can_access: afterwards kernels of the device may use pointers to the peer's memory. */
accel_status gpu_peer_can_access(accel_impl_device *, accel_impl_device *peer, bool *yes);
/* Switches access on in both directions where it can be, for copies; once for each pair. */
void gpu_peer_connect(accel_impl_device *, accel_impl_device *);
/* May copies between the two go directly? */
bool gpu_peer_is_direct(accel_impl_device *, accel_impl_device *);

#endif

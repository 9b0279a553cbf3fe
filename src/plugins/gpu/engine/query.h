/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the driver that may also be asked in a host function, on the driver's own thread, which may not ask:
 * there the watcher asks. */
#ifndef ACCEL_GPU_QUERY_H
#define ACCEL_GPU_QUERY_H

#include "plugins/gpu/engine/engine.h"

gpu_result gpu_query_stream(accel_impl_device *, gpu_stream);
gpu_result gpu_query_event(accel_impl_device *, gpu_driver_event);

#endif

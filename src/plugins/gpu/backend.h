/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GPU backend: the engine (engine/, queue/) on a driver (driver/). A plugin is its descriptor and a family, linked with
 * the engine.
 */
#ifndef ACCEL_GPU_BACKEND_H
#define ACCEL_GPU_BACKEND_H

#include "plugins/gpu/driver/driver.h"

/* What a plugin's `open` does. */
accel_status gpu_backend_open(const gpu_family *, const accel_host_services *, accel_open_result *);

extern const accel_device_vtable gpu_device_vtable;

#endif

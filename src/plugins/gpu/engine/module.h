/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCEL_GPU_MODULE_H
#define ACCEL_GPU_MODULE_H

#include <accel/plugin.h>

/* Contract of accel_device_vtable. */
accel_status gpu_module_load(accel_impl_device *, const accel_image *, accel_impl_module **);

extern const accel_module_vtable gpu_module_vtable;

#endif

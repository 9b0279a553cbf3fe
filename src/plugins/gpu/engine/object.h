/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCEL_GPU_OBJECT_H
#define ACCEL_GPU_OBJECT_H

#include "plugins/gpu/engine/module.h"

/* With the device's object_lock and the context current: loads it, or finds it among those that were kept. */
accel_status gpu_object_load(accel_impl_device *, const accel_image *, gpu_object **);
/* With the object_lock: a module has let go of it. */
void gpu_object_release(accel_impl_device *, gpu_object *);
/* The device ends; with its context current. */
void gpu_objects_end(accel_impl_device *);
/* The same, with a context that cannot be entered. */
void gpu_objects_forget(accel_impl_device *);

#endif

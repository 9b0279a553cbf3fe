/* SPDX-License-Identifier: Apache-2.0 */
/* A module: one kernel object, loaded for a device. Owns its kernels. */
#ifndef ACCEL_CORE_MODULE_H
#define ACCEL_CORE_MODULE_H

#include "core/api/device.h"
#include "core/objects/image.h"
#include "core/launch/kernel.h"
#include "core/objects/object_search.h"

struct accel_module {
    accel_reference reference;
    accel_deferred deferred;
    accel_device *device; /* retained, unless it owns the module */
    bool of_device;       /* it does */
    accel_backend *backend;
    accel_impl_module *impl;
    uint32_t fork_generation;
    char *library, *target, *path; /* path "" for bundles */
    accel_names names;             /* of its kernels, as far as the object tells */
    accel_kernel *kernels;         /* guarded by accel_guard_lock */
};

/* Checks the image and has the device load it. */
accel_status accel_module_create(const char *function, accel_device *, const accel_image *, accel_module **);

/* Has the device load this object, which was found. */
accel_status accel_module_load_object(const char *function, accel_device *, const accel_object *, accel_module **);
/* From now on the device owns the module's only reference, and the module does not keep the device. */
void accel_module_give_to_device(accel_module *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* An event: a point in a queue. What it recorded is the plugin's to know. */
#ifndef ACCEL_CORE_EVENT_H
#define ACCEL_CORE_EVENT_H

#include "core/api/device.h"

struct accel_event {
    accel_reference reference;
    accel_deferred deferred;
    accel_device *device; /* retained */
    accel_backend *backend;
    accel_impl_event *impl;
    uint32_t fork_generation;
};

#endif

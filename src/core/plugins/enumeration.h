/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of an opened backend, as far as ACCEL_DEVICES selects them. */
#ifndef ACCEL_CORE_ENUMERATION_H
#define ACCEL_CORE_ENUMERATION_H

#include "core/plugins/backend.h"
#include "core/plugins/selection.h"
#include "core/base/text.h"

/* Opens the backend's devices, narrows those of GPU backends to ACCEL_DEVICES, and appends them to the array. If none
 * is left the backend's state changes and the record says why. The only error is ACCEL_OUT_OF_MEMORY; nothing is
 * appended then. */
accel_status accel_devices_enumerate(accel_backend *, const accel_selection *, accel_device ***devices,
                                     size_t *device_count, accel_text *record);

#endif

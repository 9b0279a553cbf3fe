/* SPDX-License-Identifier: Apache-2.0 */
/* Whole vtables out of what a plugin filled (plugin.h: smaller, larger, NULL slots). */
#ifndef ACCEL_CORE_STUBS_H
#define ACCEL_CORE_STUBS_H

#include "core/plugins/backend.h"

/* Copies the plugin's vtables into the backend: the smaller size of each, then a stub for every optional slot that is
 * left, but for those whose NULL has a meaning. false if a vtable or a required slot is missing; `reason` then names
 * it. */
bool accel_stubs_complete(accel_backend *, const accel_open_result *, char *reason, size_t reason_size);

#endif

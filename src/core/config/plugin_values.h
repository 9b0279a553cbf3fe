/* SPDX-License-Identifier: Apache-2.0 */
/* Values of variables for plugins, which ask for them by name and without an instance. */
#ifndef ACCEL_CORE_PLUGIN_VALUES_H
#define ACCEL_CORE_PLUGIN_VALUES_H

#include <accel/accel.h>

/* Sets what plugins get: a copy that lives as long as the process; NULL: unset. Error: ACCEL_OUT_OF_MEMORY. */
accel_status accel_plugin_value_set(const char *name, const char *value);
/* What was set last; NULL if unset, or never set. */
const char *accel_plugin_value(const char *name);

#endif

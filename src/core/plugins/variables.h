/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration variables of plugins. */
#ifndef ACCEL_CORE_PLUGIN_VARIABLES_H
#define ACCEL_CORE_PLUGIN_VARIABLES_H

#include "core/config/config.h"
#include "core/plugins/search.h"

/* Adds the variables of every plugin that was found, selected or not, and completes the configuration. No plugin is loaded
 * for it. Errors: those of accel_config_add and accel_config_complete. */
accel_status accel_variables_add(accel_config *, const accel_search *);

#endif

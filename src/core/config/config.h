/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of an instance: libaccel's own variables, those of plugins, and ACCEL_ variables that are neither. */
#ifndef ACCEL_CORE_CONFIG_H
#define ACCEL_CORE_CONFIG_H

#include <accel/plugin.h>

typedef struct accel_config accel_config;

/* Reads libaccel's own variables from the environment and the descriptor. Path variables are ignored in a set-uid process.
 * Errors: ACCEL_INVALID (an unknown log level), ACCEL_IO (the log's file). */
accel_status accel_config_create(const accel_instance_desc *, accel_config **);
/* Adds a variable that a plugin brings and reads it. If the name is known already, the first meaning counts, and
 * libaccel's own before any plugin's. Errors: ACCEL_INVALID (a number that is none or out of range). */
accel_status accel_config_add(accel_config *, const char *plugin, const accel_plugin_variable *);
/* Once all variables are there: adds the unknown ones of the environment, and logs them and what is ignored. */
accel_status accel_config_complete(accel_config *);
void accel_config_destroy(accel_config *);
/* The value in force ("" if unset), of a variable of libaccel's own. */
const char *accel_config_value(const accel_config *, const char *name);
/* "environment" or "program"; "default" if unset. */
const char *accel_config_source(const accel_config *, const char *name);
/* For accel_instance_config: ACCEL_NOT_FOUND past the end. */
accel_status accel_config_row(const accel_config *, size_t index, accel_config_properties *);

#endif

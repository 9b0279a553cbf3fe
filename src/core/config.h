/* SPDX-License-Identifier: Apache-2.0 */
/* Every ACCEL_ variable: name, default, meaning. The only file that reads the environment. */
#ifndef ACCEL_CORE_CONFIG_H
#define ACCEL_CORE_CONFIG_H

#include <accel/accel.h>

typedef struct accel_config accel_config;

/* Reads the environment and the descriptor once. Path variables are ignored in a set-uid process (secure_getenv). */
accel_status accel_config_create(const accel_instance_desc *, accel_config **);
void accel_config_destroy(accel_config *);
/* The value in force ("" if unset), of a name in the table. */
const char *accel_config_value(const accel_config *, const char *name);
/* For accel_instance_config: ACCEL_NOT_FOUND past the end. */
accel_status accel_config_row(const accel_config *, size_t index, accel_config_properties *);
/* The environment's value in force of a table variable for plugins, without an instance; lives as long as the process; NULL if unset. */
const char *accel_config_plugin_value(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Every ACCEL_ variable: name, default, meaning. The only file that reads the environment. */
#ifndef ACCEL_CORE_CONFIG_H
#define ACCEL_CORE_CONFIG_H

#include <accel/accel.h>

typedef struct accel_config accel_config;

/* Reads the environment and the descriptor once. Path variables are ignored in a set-uid process (AT_SECURE). Errors:
 * ACCEL_INVALID (a number that is none or out of range, an unknown log level), ACCEL_IO (the log's file). */
accel_status accel_config_create(const accel_instance_desc *, accel_config **);
void accel_config_destroy(accel_config *);
/* The value in force ("" if unset), of a name in the table. */
const char *accel_config_value(const accel_config *, const char *name);
/* "environment" or "program"; "default" if unset. */
const char *accel_config_source(const accel_config *, const char *name);
/* For accel_instance_config: ACCEL_NOT_FOUND past the end. */
accel_status accel_config_row(const accel_config *, size_t index, accel_config_properties *);
/* The environment's value in force of a table variable for plugins, without an instance; lives as long as the
 * process; NULL if unset. It is that of the latest instance. */
const char *accel_config_plugin_value(const char *name);
/* This process's rank among those of its job on the node, from whichever variable its launcher sets; *variable names
 * it. ACCEL_NOT_FOUND if there is none, with the names that were looked for; ACCEL_INVALID if it is no number. */
accel_status accel_config_local_rank(uint32_t *rank, const char **variable);

#endif

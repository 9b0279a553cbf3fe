/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin file: checked without running any of its code, then loaded for good.
 *
 * Stages of a candidate in records: "search", "elf" (whole, a shared object, for this machine),
 * "descriptor" (there, of our ABI, named as its file; read from the file), "load" (dlopen), "open" (its own open, its
 * vtables), "devices".
 */
#ifndef ACCEL_CORE_PLUGIN_FILE_H
#define ACCEL_CORE_PLUGIN_FILE_H

#include "core/plugins/descriptor.h"

/* Checks the file and loads it. A plugin that is loaded already is returned again: nothing is ever unloaded.
 * ACCEL_OK with its descriptor; ACCEL_OUT_OF_MEMORY or ACCEL_IO if the process lacks memory or descriptors, with a text;
 * or ACCEL_INCOMPATIBLE with *refusal. */
accel_status accel_plugin_load(const char *path, const char *name, const accel_plugin **, accel_refusal *);
/* As far as it goes without loading: the descriptor of a file that passes all checks, in memory that lives as long as the
 * process. Its `open` is not to be called. */
accel_status accel_plugin_check(const char *path, const char *name, const accel_plugin **, accel_refusal *);
/* Has the file a plugin's descriptor, of whatever version? A file that cannot be read has none. Errors:
 * ACCEL_OUT_OF_MEMORY, ACCEL_IO, as above. */
accel_status accel_plugin_recognise(const char *path, bool *is_plugin);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel descriptor must say on every target before an engine relies on it. */
#ifndef ACCEL_PLUGINS_DESCRIPTOR_H
#define ACCEL_PLUGINS_DESCRIPTOR_H

#include <accel/plugin.h>

enum { DESCRIPTOR_MAX_ARGS_ALIGN = 4096 };

/* Writes what is wrong with it and returns true, or returns false. `size` is its symbol's. */
bool descriptor_is_wrong(const accel_kernel_descriptor *, size_t size, char *text, size_t text_size);
/* ACCEL_INCOMPATIBLE, with a text that says what is wrong with the kernel of this name. */
accel_status descriptor_refuse(const accel_host_services *, const char *name, const char *wrong);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel descriptors of what an engine has loaded. */
#ifndef ACCEL_PLUGINS_DESCRIPTOR_H
#define ACCEL_PLUGINS_DESCRIPTOR_H

#include <accel/plugin.h>

/* ACCEL_OK, or ACCEL_INCOMPATIBLE with a text that says what is wrong with the kernel of this name. `size` is that of the
 * descriptor's symbol. */
accel_status plugin_descriptor_check(const accel_host_services *, const accel_descriptor *, size_t size,
                                     const char *name);
/* What a checked descriptor says of its kernel, for the module's `kernel` slot. */
void plugin_descriptor_properties(const accel_descriptor *, accel_kernel_properties *);
/* ACCEL_INCOMPATIBLE, for what an engine asks besides. */
accel_status plugin_descriptor_refuse(const accel_host_services *, const char *name, const char *wrong);

#endif

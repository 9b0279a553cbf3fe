/* SPDX-License-Identifier: Apache-2.0 */
/* What an engine answers when a kernel's descriptor cannot be used. */
#ifndef ACCEL_PLUGINS_DESCRIPTOR_H
#define ACCEL_PLUGINS_DESCRIPTOR_H

#include "object/descriptor.h"

#include <accel/plugin.h>

/* ACCEL_INCOMPATIBLE, with a text that says what is wrong with the kernel of this name. */
accel_status descriptor_refuse(const accel_host_services *, const char *name, const char *wrong);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that plugins of the process share by name; accel_host_services.process_slot. */
#ifndef ACCEL_CORE_PROCESS_SLOT_H
#define ACCEL_CORE_PROCESS_SLOT_H

#include <stddef.h>

/* Zeroed when first asked for, 64-byte aligned, never freed. NULL if memory is short, the name is taken with another
 * size, or the name is longer than 63 bytes. */
void *accel_process_slot(const char *name, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin's descriptor: bytes that a file or a loaded plugin has under ACCEL_PLUGIN_SYMBOL. */
#ifndef ACCEL_CORE_PLUGIN_DESCRIPTOR_H
#define ACCEL_CORE_PLUGIN_DESCRIPTOR_H

#include <accel/plugin.h>

/* Why a candidate was not taken. `state` is ACCEL_BACKEND_INCOMPATIBLE or ACCEL_BACKEND_BROKEN. */
typedef struct accel_refusal {
    uint32_t state;
    const char *stage; /* static */
    char reason[1024];
} accel_refusal;

/* Writes the refusal and returns ACCEL_INCOMPATIBLE. */
accel_status accel_refuse(accel_refusal *refusal, uint32_t state, const char *stage, const char *format, ...)
    ACCEL_PRINTF_FORMAT(4, 5);

/* Checks everything that is data: ABI, sizes, texts, name, variables. `size` is the symbol's; at least abi and
 * struct_size are there. ACCEL_OK, or any other status with *refusal. */
accel_status accel_descriptor_check(const accel_plugin *plugin, size_t size, const char *name, accel_refusal *refusal);

/* One of a checked descriptor's variables; members that the plugin does not know are 0. */
accel_plugin_variable accel_descriptor_variable(const accel_plugin *plugin, uint32_t index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The symbol by which libaccel finds a plugin; made once in each. */
#ifndef ACCEL_PLUGINS_PLUGIN_DESCRIPTOR_H
#define ACCEL_PLUGINS_PLUGIN_DESCRIPTOR_H

#include <accel/plugin.h>

/* clang's __VERSION__ begins with its name; gcc's is the number alone. */
#if defined(__clang__)
#define PLUGIN_COMPILER __VERSION__
#else
#define PLUGIN_COMPILER "gcc " __VERSION__
#endif

/* `how`, a string literal: how it was built, beside the compiler. */
#define PLUGIN_DESCRIPTOR(plugin_name, how, plugin_open)                                                               \
    ACCEL_API extern const accel_plugin accel_plugin_descriptor;                                                       \
    const accel_plugin accel_plugin_descriptor = {                                                                     \
        .abi = ACCEL_PLUGIN_ABI,                                                                                       \
        .struct_size = sizeof(accel_plugin),                                                                           \
        .name = plugin_name,                                                                                           \
        .build = PLUGIN_COMPILER ", " how,                                                                             \
        .open = plugin_open,                                                                                           \
    }

#endif

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

/* `how`, a string literal: how it was built, beside the compiler. What follows `plugin_open` are initialisers of
 * accel_plugin_variable, at least one. */
#define PLUGIN_DESCRIPTOR(plugin_name, how, plugin_open, ...)                                                          \
    struct plugin_symbol {                                                                                             \
        accel_plugin plugin;                                                                                           \
        accel_plugin_variable                                                                                          \
            variables[sizeof((accel_plugin_variable[]){__VA_ARGS__}) / sizeof(accel_plugin_variable)];                 \
    };                                                                                                                 \
    ACCEL_API extern const struct plugin_symbol accel_plugin_descriptor;                                               \
    const struct plugin_symbol accel_plugin_descriptor = {                                                             \
        .plugin = {.abi = ACCEL_PLUGIN_ABI,                                                                            \
                   .struct_size = sizeof(accel_plugin),                                                                \
                   .name = plugin_name,                                                                                \
                   .build = PLUGIN_COMPILER ", " how,                                                                  \
                   .variables_offset = offsetof(struct plugin_symbol, variables),                                      \
                   .variable_count = sizeof(((struct plugin_symbol *)0)->variables) / sizeof(accel_plugin_variable),   \
                   .open = plugin_open},                                                                               \
        .variables = {__VA_ARGS__},                                                                                    \
    }

#endif

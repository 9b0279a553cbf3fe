/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGE "descriptor"

accel_status accel_refuse(accel_refusal *refusal, uint32_t state, const char *stage, const char *format, ...)
{
    va_list list;

    refusal->state = state;
    refusal->stage = stage;
    va_start(list, format);
    vsnprintf(refusal->reason, sizeof(refusal->reason), format, list);
    va_end(list);
    return ACCEL_INCOMPATIBLE;
}

#define REFUSE(...) accel_refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, STAGE, __VA_ARGS__)

static bool terminated(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Control characters would reach the terminals of those who list it. */
static bool is_one_line(const char *text)
{
    while (*text != '\0' && (unsigned char)*text >= ' ' && *text != 0x7f)
        ++text;
    return *text == '\0';
}

/* The default of a number may be empty. */
static bool has_room(const accel_plugin_variable *variable)
{
    char *end;

    if (variable->minimum > variable->maximum)
        return false;
    if (variable->default_value[0] == '\0')
        return true;
    const unsigned long long value = strtoull(variable->default_value, &end, 10);
    return variable->default_value[0] >= '0' && variable->default_value[0] <= '9' && *end == '\0' &&
           value >= variable->minimum && value <= variable->maximum;
}

/* Bytes of a later version must be 0. */
static accel_status check_unknown(const void *bytes, size_t known, size_t size, const char *what,
                                  accel_refusal *refusal)
{
    for (size_t i = known; i < size; ++i) {
        if (((const unsigned char *)bytes)[i] != 0)
            return REFUSE("its %s has %zu bytes of which this libaccel knows %zu, and byte %zu is not 0; install a "
                          "newer libaccel",
                          what, size, known, i);
    }
    return ACCEL_OK;
}

static bool is_variable_name(const char *name)
{
    static const char prefix[] = "ACCEL_";

    return strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)] != '\0' &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static accel_status check_variable(const unsigned char *bytes, uint32_t stride, uint32_t index, accel_refusal *refusal)
{
    accel_plugin_variable variable;

    memcpy(&variable, bytes, sizeof(variable));
    if (variable.struct_size != stride)
        return REFUSE("its variable %u says struct_size %u, the first one %u; rebuild the plugin", index,
                      variable.struct_size, stride);
    if (!terminated(variable.name, sizeof(variable.name)) ||
        !terminated(variable.default_value, sizeof(variable.default_value)) ||
        !terminated(variable.meaning, sizeof(variable.meaning)))
        return REFUSE("a text of its variable %u has no end; rebuild the plugin", index);
    if (!is_variable_name(variable.name))
        return REFUSE("its variable %u is \"%s\"; names begin with ACCEL_ and have capitals, digits and '_'", index,
                      variable.name);
    if ((variable.flags & ~(uint32_t)(ACCEL_VARIABLE_NUMBER | ACCEL_VARIABLE_FILE)) != 0)
        return REFUSE("its variable %s has flags 0x%x, which this libaccel does not know; install a newer libaccel",
                      variable.name, variable.flags);
    if (!is_one_line(variable.default_value) || !is_one_line(variable.meaning))
        return REFUSE("a text of its variable %s has control characters; fix the plugin", variable.name);
    if ((variable.flags & ACCEL_VARIABLE_NUMBER) != 0 && !has_room(&variable))
        return REFUSE("its variable %s takes numbers from %llu to %llu and is \"%s\" by default; fix the plugin",
                      variable.name, (unsigned long long)variable.minimum, (unsigned long long)variable.maximum,
                      variable.default_value);
    return check_unknown(bytes, sizeof(variable), stride, "variable", refusal);
}

static accel_status check_variables(const accel_plugin *plugin, size_t size, accel_refusal *refusal)
{
    const unsigned char *bytes = (const unsigned char *)plugin;
    size_t offset = plugin->variables_offset;
    accel_status status = ACCEL_OK;
    uint32_t stride;

    if (plugin->variable_count == 0)
        return ACCEL_OK;
    if (offset < plugin->struct_size || offset % _Alignof(accel_plugin_variable) != 0 || offset > size ||
        size - offset < sizeof(accel_plugin_variable))
        return REFUSE("its variables begin at byte %zu, but the descriptor ends at %u and the symbol at %zu; rebuild "
                      "the plugin",
                      offset, plugin->struct_size, size);
    memcpy(&stride, bytes + offset, sizeof(stride));
    if (stride < sizeof(accel_plugin_variable) || stride % _Alignof(accel_plugin_variable) != 0 ||
        (size - offset) / stride < plugin->variable_count)
        return REFUSE("it has %u variables of %u bytes each, at least %zu are needed, and the symbol has %zu for them; "
                      "rebuild the plugin",
                      plugin->variable_count, stride, sizeof(accel_plugin_variable), size - offset);
    for (uint32_t i = 0; i < plugin->variable_count && status == ACCEL_OK; ++i) {
        status = check_variable(bytes + offset + (size_t)i * stride, stride, i, refusal);
        for (uint32_t j = 0; j < i && status == ACCEL_OK; ++j) {
            const accel_plugin_variable later = accel_descriptor_variable(plugin, i);
            if (strcmp(accel_descriptor_variable(plugin, j).name, later.name) == 0)
                status = REFUSE("its variables %u and %u are both %s; fix the plugin", j, i, later.name);
        }
    }
    return status;
}

accel_status accel_descriptor_check(const accel_plugin *plugin, size_t size, const char *name, accel_refusal *refusal)
{
    accel_status status;

    if (plugin->abi != ACCEL_PLUGIN_ABI)
        return REFUSE("its plugin ABI is %u, this libaccel's is %u; install the plugin that belongs to this libaccel",
                      plugin->abi, ACCEL_PLUGIN_ABI);
    if (plugin->struct_size < sizeof(*plugin) || plugin->struct_size > size)
        return REFUSE("its descriptor says struct_size %u, but has to have at least %zu and the symbol has %zu bytes; "
                      "rebuild the plugin",
                      plugin->struct_size, sizeof(*plugin), size);
    status = check_unknown(plugin, sizeof(*plugin), plugin->struct_size, "descriptor", refusal);
    if (status != ACCEL_OK)
        return status;
    if (!terminated(plugin->name, sizeof(plugin->name)) || !terminated(plugin->build, sizeof(plugin->build)))
        return REFUSE("a text of its descriptor has no end; rebuild the plugin");
    if (!is_one_line(plugin->build))
        return REFUSE("the text of its build has control characters; fix the plugin");
    if (strcmp(name, "host") == 0)
        return REFUSE("\"host\" is the name of the host's own device; give the plugin another name");
    if (strcmp(plugin->name, name) != 0)
        return REFUSE("it calls itself \"%s\"; a file of this name has to be \"%s\"; do not rename plugins",
                      plugin->name, name);
    return check_variables(plugin, size, refusal);
}

accel_plugin_variable accel_descriptor_variable(const accel_plugin *plugin, uint32_t index)
{
    const unsigned char *first = (const unsigned char *)plugin + plugin->variables_offset;
    accel_plugin_variable variable;
    uint32_t stride;

    memcpy(&stride, first, sizeof(stride));
    memcpy(&variable, first + (size_t)index * stride, sizeof(variable));
    return variable;
}

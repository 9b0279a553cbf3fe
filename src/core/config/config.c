/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/config.h"

#include "core/base/allocate.h"
#include "core/config/environment.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/nearest.h"
#include "core/config/plugin_values.h"
#include "core/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "ACCEL_"
#define LOG_VARIABLE "ACCEL_LOG"

/* libaccel's own; plugins bring theirs. */
static const accel_plugin_variable own_variables[] = {
    {.name = "ACCEL_BACKEND",
     .meaning = "backends that may be used, in order, separated by ','; strict; unset: all, GPUs first"},
    {.name = "ACCEL_DEVICES",
     .meaning = "devices of each GPU backend, by the driver's number: \"0,2\", or \"local-rank\"; unset: all"},
    {.name = "ACCEL_PLUGIN_PATH",
     .meaning = "absolute directories searched first for plugins, separated by ':'",
     .flags = ACCEL_VARIABLE_FILE},
    {.name = "ACCEL_KERNEL_PATH",
     .meaning = "absolute directories searched first for kernel objects, separated by ':'",
     .flags = ACCEL_VARIABLE_FILE},
    {.name = "ACCEL_TOOL",
     .meaning = "tools that watch the process, separated by ':': absolute paths, or NAME of libacceltool-NAME.so",
     .flags = ACCEL_VARIABLE_FILE},
    {.name = "ACCEL_TRACE",
     .meaning = "file for a timeline in the format of Perfetto and Chrome; %p in it is the process's number",
     .flags = ACCEL_VARIABLE_FILE},
    {.name = "ACCEL_SUMMARY",
     .meaning = "1: at the end, the time of each kernel and copy is printed to standard error",
     .flags = ACCEL_VARIABLE_NUMBER,
     .maximum = 1,
     .default_value = "0"},
    {.name = "ACCEL_LAUNCH_BLOCKING",
     .meaning = "1: every launch waits until its kernel has run, and returns the kernel's failure",
     .flags = ACCEL_VARIABLE_NUMBER,
     .maximum = 1,
     .default_value = "0"},
    {.name = LOG_VARIABLE, .meaning = "error, warning, info or debug, then perhaps ':' and a file; unset: silent"},
};
enum { OWN_COUNT = sizeof(own_variables) / sizeof(own_variables[0]) };

typedef struct config_row {
    accel_plugin_variable *variable; /* owned; NULL for unknown ones, which have name and meaning instead */
    char *name, *meaning;
    char *value;   /* in force, "" if unset; owned, as are all texts here */
    char *plugins; /* names of those that bring it; "" for libaccel's own */
    const char *source;
    uint32_t flags; /* ACCEL_CONFIG_* */
} config_row;

struct accel_config {
    config_row *rows; /* OWN_COUNT of libaccel, those of plugins, unknown ones */
    size_t count, known;
};

static const char *name_of(const config_row *row)
{
    return row->variable != NULL ? row->variable->name : row->name;
}

/* NULL if there is no such variable. */
static config_row *find(const accel_config *config, const char *name)
{
    for (size_t i = 0; i < config->known; ++i) {
        if (strcmp(config->rows[i].variable->name, name) == 0)
            return &config->rows[i];
    }
    return NULL;
}

/* A new row at the end, all 0. */
static accel_status append(accel_config *config, config_row **row)
{
    config_row *grown = accel_reallocate(config->rows, (config->count + 1) * sizeof(*grown));

    if (grown == NULL)
        return ACCEL_OUT_OF_MEMORY;
    config->rows = grown;
    *row = &grown[config->count++];
    **row = (config_row){.source = "default"};
    return ACCEL_OK;
}

/* The environment's value, "" if unset; *ignored if it may not be used. */
static const char *environment_value(const accel_plugin_variable *variable, bool *ignored)
{
    const char *value = accel_environment_value(variable->name);
    bool names_file = (variable->flags & ACCEL_VARIABLE_FILE) != 0;

    *ignored = false;
    if (value == NULL)
        return "";
    if (strcmp(variable->name, LOG_VARIABLE) == 0)
        names_file = strchr(value, ':') != NULL;
    if (value[0] != '\0' && names_file && accel_environment_is_secure()) {
        *ignored = true;
        return "";
    }
    return value;
}

static accel_status check_number(const accel_plugin_variable *variable, const char *value)
{
    char *end = NULL;

    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0 && number >= variable->minimum &&
        number <= variable->maximum)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s is \"%s\"; it takes a whole number from %llu to %llu%s%s", variable->name,
                           value, (unsigned long long)variable->minimum, (unsigned long long)variable->maximum,
                           variable->default_value[0] != '\0' ? "; unset, it is " : ", or is left unset",
                           variable->default_value);
}

/* Appends a row for the variable and reads it. `given` is the program's value, or NULL. */
static accel_status add(accel_config *config, const accel_plugin_variable *variable, const char *plugin,
                        const char *given)
{
    bool ignored;
    const char *value = environment_value(variable, &ignored);
    config_row *row;
    accel_status status = append(config, &row);

    if (status != ACCEL_OK)
        return status;
    row->variable = accel_allocate(sizeof(*row->variable));
    row->plugins = accel_text_copy(plugin);
    row->value = accel_text_copy(given != NULL ? given : value);
    if (row->variable == NULL || row->plugins == NULL || row->value == NULL)
        return ACCEL_OUT_OF_MEMORY;
    *row->variable = *variable;
    ++config->known;
    if (value[0] != '\0')
        row->source = "environment";
    if (ignored || (given != NULL && value[0] != '\0'))
        row->flags = ACCEL_CONFIG_IGNORED;
    if (given != NULL)
        row->source = "program";
    if (strcmp(variable->name, LOG_VARIABLE) == 0)
        return accel_log_configure(value);
    if ((variable->flags & ACCEL_VARIABLE_NUMBER) != 0 && value[0] != '\0')
        return check_number(variable, value);
    return ACCEL_OK;
}

accel_status accel_config_create(const accel_instance_desc *desc, accel_config **out)
{
    accel_config *config = accel_allocate(sizeof(*config));
    accel_status status = config != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;

    for (size_t i = 0; i < OWN_COUNT && status == ACCEL_OK; ++i) {
        const char *name = own_variables[i].name;
        const char *given = strcmp(name, "ACCEL_BACKEND") == 0   ? desc->backends
                            : strcmp(name, "ACCEL_DEVICES") == 0 ? desc->devices
                                                                 : NULL;
        status = add(config, &own_variables[i], "", given);
    }
    if (status != ACCEL_OK) {
        accel_config_destroy(config);
        return status;
    }
    *out = config;
    return ACCEL_OK;
}

/* One more plugin brings the variable. */
static accel_status share(config_row *row, const char *plugin, const accel_plugin_variable *variable)
{
    const accel_plugin_variable *first = row->variable;
    char *plugins;

    if (row->plugins[0] == '\0' || variable->flags != first->flags || variable->minimum != first->minimum ||
        variable->maximum != first->maximum || strcmp(variable->default_value, first->default_value) != 0)
        accel_log(ACCEL_LOG_WARNING, "%s of the plugin %s differs from that of %s, which is used", variable->name,
                  plugin, row->plugins[0] == '\0' ? "libaccel" : row->plugins);
    if (row->plugins[0] == '\0')
        return ACCEL_OK;
    plugins = accel_text_format("%s, %s", row->plugins, plugin);
    if (plugins == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_deallocate(row->plugins);
    row->plugins = plugins;
    return ACCEL_OK;
}

accel_status accel_config_add(accel_config *config, const char *plugin, const accel_plugin_variable *variable)
{
    config_row *row = find(config, variable->name);

    if (row != NULL)
        return share(row, plugin, variable);

    accel_status status = add(config, variable, plugin, NULL);

    if (status != ACCEL_OK)
        return status;
    row = &config->rows[config->count - 1];

    const char *value = row->value[0] != '\0' ? row->value : row->variable->default_value;

    return accel_plugin_value_set(row->variable->name, value[0] != '\0' ? value : NULL);
}

static accel_status add_unknown(accel_config *config, const char *name, const char *value, const char *const *endings)
{
    config_row *row;
    accel_status status = append(config, &row);

    if (status != ACCEL_OK)
        return status;

    const char *nearest = accel_nearest(name + strlen(PREFIX), endings, config->known);

    row->name = accel_text_copy(name);
    row->value = accel_text_copy(value);
    row->plugins = accel_text_copy("");
    row->meaning = nearest != NULL ? accel_text_format("unknown variable, maybe " PREFIX "%s?", nearest)
                                   : accel_text_copy("unknown variable");
    row->source = "environment";
    row->flags = ACCEL_CONFIG_UNKNOWN;
    return row->name != NULL && row->value != NULL && row->plugins != NULL && row->meaning != NULL
               ? ACCEL_OK
               : ACCEL_OUT_OF_MEMORY;
}

static void warn(const accel_config *config)
{
    for (size_t i = 0; i < config->count; ++i) {
        const config_row *row = &config->rows[i];
        if ((row->flags & ACCEL_CONFIG_UNKNOWN) != 0)
            accel_log(ACCEL_LOG_WARNING, "%s: %s", row->name, row->meaning);
        else if ((row->flags & ACCEL_CONFIG_IGNORED) != 0 && strcmp(row->source, "program") == 0)
            accel_log(ACCEL_LOG_INFO, "%s: ignored, the program chose \"%s\"", name_of(row), row->value);
        else if ((row->flags & ACCEL_CONFIG_IGNORED) != 0)
            accel_log(ACCEL_LOG_WARNING, "%s: ignored, because the process is set-uid", name_of(row));
    }
}

accel_status accel_config_complete(accel_config *config)
{
    const char **endings = accel_allocate_array(config->known, sizeof(*endings));
    accel_status status = endings != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
    const char *entry, *value;
    size_t cursor = 0, length;

    for (size_t i = 0; i < config->known && status == ACCEL_OK; ++i)
        endings[i] = config->rows[i].variable->name + strlen(PREFIX);
    while (status == ACCEL_OK && (entry = accel_environment_next(PREFIX, &cursor, &length, &value)) != NULL) {
        char *name = accel_text_format("%.*s", (int)length, entry);
        if (name == NULL)
            status = ACCEL_OUT_OF_MEMORY;
        else if (find(config, name) == NULL)
            status = add_unknown(config, name, value, endings);
        accel_deallocate(name);
    }
    accel_deallocate(endings);
    if (status == ACCEL_OK)
        warn(config);
    return status;
}

void accel_config_destroy(accel_config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < config->count; ++i) {
        accel_deallocate(config->rows[i].variable);
        accel_deallocate(config->rows[i].name);
        accel_deallocate(config->rows[i].meaning);
        accel_deallocate(config->rows[i].value);
        accel_deallocate(config->rows[i].plugins);
    }
    accel_deallocate(config->rows);
    accel_deallocate(config);
}

const char *accel_config_value(const accel_config *config, const char *name)
{
    const config_row *row = find(config, name);

    return row != NULL ? row->value : "";
}

const char *accel_config_source(const accel_config *config, const char *name)
{
    const config_row *row = find(config, name);

    return row != NULL ? row->source : "default";
}

accel_status accel_config_row(const accel_config *config, size_t index, accel_config_properties *out)
{
    if (index >= config->count)
        return accel_error_set(ACCEL_NOT_FOUND, "row %zu of the configuration does not exist; there are %zu", index,
                               config->count);

    const config_row *row = &config->rows[index];
    bool known = row->variable != NULL;

    *out = (accel_config_properties){
        .struct_size = (uint32_t)sizeof(*out),
        .flags = row->flags,
        .name = name_of(row),
        .value = row->value,
        .default_value = known ? row->variable->default_value : "",
        .source = row->source,
        .meaning = known ? row->variable->meaning : row->meaning,
        .plugins = row->plugins,
    };
    return ACCEL_OK;
}

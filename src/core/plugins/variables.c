/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/variables.h"

#include "core/base/allocate.h"
#include "core/plugins/plugin.h"

/* The descriptor of the first file of that name that passes the checks: the one that would be opened. NULL: none. */
static accel_status find_descriptor(const accel_search *search, const char *name, const accel_plugin **out)
{
    accel_refusal refusal;
    accel_status status = ACCEL_NOT_FOUND;

    *out = NULL;
    for (size_t i = 0; i < search->directories.count && status != ACCEL_OK; ++i) {
        char *path = accel_search_path(search, i, name);
        if (path == NULL)
            return ACCEL_OUT_OF_MEMORY;
        if (accel_search_exists(path))
            status = accel_plugin_check(path, name, out, &refusal);
        accel_deallocate(path);
        if (status == ACCEL_OUT_OF_MEMORY || status == ACCEL_IO)
            return status;
    }
    return ACCEL_OK;
}

accel_status accel_variables_add(accel_config *config, const accel_search *search)
{
    for (size_t i = 0; i < search->name_count; ++i) {
        const char *name = search->names[i];
        const accel_plugin *plugin;
        accel_status status = find_descriptor(search, name, &plugin);

        for (uint32_t v = 0; status == ACCEL_OK && plugin != NULL && v < plugin->variable_count; ++v) {
            accel_plugin_variable variable = accel_descriptor_variable(plugin, v);
            status = accel_config_add(config, name, &variable);
        }
        if (status != ACCEL_OK)
            return status;
    }
    return accel_config_complete(config);
}

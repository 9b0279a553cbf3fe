/* SPDX-License-Identifier: Apache-2.0 */
/* What an instance has: backends, devices, configuration. */
#include "core/config/config.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/api/instance.h"
#include "core/api/released.h"
#include "core/base/nearest.h"
#include "core/plugins/backend_open.h"
#include "core/base/struct_size.h"
#include "core/base/text.h"

#include <string.h>

/* A released instance has nothing. */
static bool is_there(const char *function, const accel_instance *instance)
{
    if (instance == NULL)
        return false;
    accel_released_query(function, instance->released);
    return instance->released == 0;
}

ACCEL_API const char *accel_instance_kernel_path(const accel_instance *instance)
{
    return is_there("accel_instance_kernel_path", instance) ? instance->kernel_path_lines : "";
}

ACCEL_API size_t accel_instance_backend_count(const accel_instance *instance)
{
    return is_there("accel_instance_backend_count", instance) ? instance->backend_count : 0;
}

ACCEL_API accel_status accel_instance_backend_info(const accel_instance *instance, size_t index,
                                                   accel_backend_properties *out)
{
    static const char function[] = "accel_instance_backend_info";

    if (instance == NULL)
        return accel_error_null(function, "instance");
    if (instance->released != 0)
        return accel_released_use(function, instance->released);
    if (out == NULL)
        return accel_error_null(function, "properties");
    if (index >= instance->backend_count)
        return accel_error_set(ACCEL_NOT_FOUND, "%s: there is no backend %zu; accel_instance_backend_count is %zu",
                               function, index, instance->backend_count);

    const accel_backend *backend = &instance->backends[index];
    const accel_backend_properties properties = {
        .struct_size = (uint32_t)sizeof(properties),
        .state = backend->state,
        .name = backend->name,
        .path = backend->path,
        .build = backend->build,
        .reason = backend->reason,
        .device_count = backend->device_count,
    };

    return accel_struct_export(function, "accel_backend_properties", out, &properties, sizeof(properties));
}

ACCEL_API size_t accel_instance_device_count(const accel_instance *instance)
{
    return is_there("accel_instance_device_count", instance) ? instance->device_count : 0;
}

ACCEL_API accel_device *accel_instance_device(const accel_instance *instance, size_t index)
{
    return is_there("accel_instance_device", instance) && index < instance->device_count ? instance->devices[index]
                                                                                         : NULL;
}

ACCEL_API accel_device *accel_instance_host(const accel_instance *instance)
{
    return is_there("accel_instance_host", instance) ? instance->host : NULL;
}

ACCEL_API accel_status accel_instance_config(const accel_instance *instance, size_t index, accel_config_properties *out)
{
    static const char function[] = "accel_instance_config";
    accel_config_properties properties;

    if (instance == NULL)
        return accel_error_null(function, "instance");
    if (instance->released != 0)
        return accel_released_use(function, instance->released);
    if (out == NULL)
        return accel_error_null(function, "properties");

    accel_status status = accel_config_row(instance->config, index, &properties);

    if (status != ACCEL_OK)
        return accel_error_prefix(status, function);
    return accel_struct_export(function, "accel_config_properties", out, &properties, sizeof(properties));
}

static const char find_name[] = "accel_instance_find_device";

/* The backend whose name stands before the ':'. */
static const accel_backend *backend_of(const accel_instance *instance, const char *name)
{
    size_t length = strcspn(name, ":");

    for (size_t i = 0; i < instance->backend_count; ++i) {
        const accel_backend *backend = &instance->backends[i];
        if (strlen(backend->name) == length && strncmp(backend->name, name, length) == 0)
            return backend;
    }
    return NULL;
}

/* Compares with devices first, then backends. */
static const char *nearest_name(const accel_instance *instance, const char *name)
{
    const char *best = "host";
    size_t least = accel_nearest_distance(name, best);

    for (size_t i = 0; i < instance->device_count + instance->backend_count; ++i) {
        const char *other = i < instance->device_count ? instance->devices[i]->properties.name
                                                       : instance->backends[i - instance->device_count].name;
        size_t distance = accel_nearest_distance(name, other);
        if (distance < least) {
            least = distance;
            best = other;
        }
    }
    return accel_nearest(name, &best, 1);
}

static accel_status no_device(const accel_instance *instance, const char *name)
{
    const accel_backend *backend = backend_of(instance, name);
    accel_text names = {0};

    if (backend != NULL && backend->state != ACCEL_BACKEND_USABLE)
        return accel_error_set(ACCEL_NOT_FOUND, "%s: there is no device \"%s\": backend %s: %s: %s", find_name, name,
                               backend->name, accel_backend_state_name(backend->state), backend->reason);
    for (size_t i = 0; i < instance->device_count; ++i)
        accel_text_add(&names, "%s, ", instance->devices[i]->properties.name);

    const char *nearest = backend == NULL ? nearest_name(instance, name) : NULL;

    const char *reason = backend != NULL ? backend->reason : ""; /* one of its devices may not have opened */

    accel_error_set(ACCEL_NOT_FOUND, "%s: there is no device \"%s\"%s%s%s; there are %shost%s%s", find_name, name,
                    nearest != NULL ? ", maybe \"" : "", nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "",
                    accel_text_peek(&names), reason[0] != '\0' ? "; " : "", reason);
    accel_text_clear(&names);
    return ACCEL_NOT_FOUND;
}

ACCEL_API accel_status accel_instance_find_device(const accel_instance *instance, const char *name, accel_device **out)
{
    if (instance == NULL)
        return accel_error_null(find_name, "instance");
    if (instance->released != 0)
        return accel_released_use(find_name, instance->released);
    if (out == NULL)
        return accel_error_null(find_name, "device");
    if (name == NULL && instance->device_count == 0)
        return accel_error_set(ACCEL_NOT_FOUND, "%s: the instance has no device; accel_instance_backend_info says why",
                               find_name);
    if (name != NULL && strcmp(name, "host") == 0) {
        *out = instance->host;
        return ACCEL_OK;
    }
    for (size_t i = 0; i < instance->device_count; ++i) {
        accel_device *device = instance->devices[i];
        if (name == NULL || strcmp(device->properties.name, name) == 0 || strcmp(device->backend->name, name) == 0) {
            *out = device;
            return ACCEL_OK;
        }
    }
    return no_device(instance, name);
}

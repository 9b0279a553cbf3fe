/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "text.h"

#include <string.h>

static const char *state_name(uint32_t state)
{
    switch (state) {
    case ACCEL_BACKEND_USABLE:
        return "usable";
    case ACCEL_BACKEND_NOT_SELECTED:
        return "not selected";
    case ACCEL_BACKEND_NOT_INSTALLED:
        return "not installed";
    case ACCEL_BACKEND_INCOMPATIBLE:
        return "incompatible";
    case ACCEL_BACKEND_NO_DRIVER:
        return "no driver";
    case ACCEL_BACKEND_DRIVER_TOO_OLD:
        return "driver too old";
    case ACCEL_BACKEND_NO_DEVICE:
        return "no device";
    case ACCEL_BACKEND_NO_PERMISSION:
        return "no permission";
    case ACCEL_BACKEND_BROKEN:
        return "broken";
    default:
        return "unknown state";
    }
}

static void write_json(info_json *json, const accel_backend_properties *backend)
{
    json_open_object(json, NULL);
    json_string(json, "name", backend->name);
    json_string(json, "state", state_name(backend->state));
    json_bool(json, "usable", backend->state == ACCEL_BACKEND_USABLE);
    json_unsigned(json, "device_count", backend->device_count);
    json_string(json, "path", backend->path);
    json_string(json, "build", backend->build);
    json_split(json, "reason", backend->reason, '\n');
    json_close_object(json);
}

static void write_text(const accel_backend_properties *backend)
{
    enum { COLUMN = 16 };
    if (backend->state == ACCEL_BACKEND_USABLE)
        text_format(2, COLUMN, backend->name, "usable, %zu device%s", backend->device_count,
                    backend->device_count == 1 ? "" : "s");
    else
        text_field(2, COLUMN, backend->name, state_name(backend->state));
    if (backend->path[0] != '\0' && strstr(backend->reason, backend->path) == NULL)
        text_field(COLUMN, COLUMN, "", backend->path);
    if (backend->build[0] != '\0')
        text_field(COLUMN, COLUMN, "", backend->build);
    if (backend->reason[0] != '\0')
        text_field(COLUMN, COLUMN, "", backend->reason);
}

void report_backends(const info_report *self)
{
    if (self->json != NULL)
        json_open_array(self->json, "backends");
    else
        text_heading("Backends, in order of preference");
    for (size_t i = 0; i < accel_instance_backend_count(self->instance); ++i) {
        accel_backend_properties backend = ACCEL_BACKEND_PROPERTIES_INIT;
        if (accel_instance_backend_info(self->instance, i, &backend) != ACCEL_OK)
            continue;
        if (self->json != NULL)
            write_json(self->json, &backend);
        else
            write_text(&backend);
    }
    if (self->json != NULL)
        json_close_array(self->json);
}

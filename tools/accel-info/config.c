/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "text.h"

static void write_json(info_json *json, const accel_config_properties *row)
{
    json_open_object(json, NULL);
    json_string(json, "name", row->name);
    json_string(json, "value", row->value);
    json_string(json, "default", row->default_value);
    json_string(json, "source", row->source);
    json_string(json, "meaning", row->meaning);
    json_string(json, "plugins", row->plugins);
    json_bool(json, "unknown", (row->flags & ACCEL_CONFIG_UNKNOWN) != 0);
    json_bool(json, "ignored", (row->flags & ACCEL_CONFIG_IGNORED) != 0);
    json_close_object(json);
}

static void write_text(const accel_config_properties *row)
{
    enum { COLUMN = 26 };
    const bool is_set = row->value[0] != '\0';
    const char *value = is_set ? row->value : row->default_value;
    const char *quote = value[0] != '\0' ? "\"" : "";
    text_format(2, COLUMN, row->name, "%s%s%s (%s%s)", quote, value[0] != '\0' ? value : "unset", quote,
                is_set ? row->source : "default", (row->flags & ACCEL_CONFIG_IGNORED) != 0 ? ", ignored" : "");
    text_field(COLUMN, COLUMN, "", row->meaning);
    if (row->plugins[0] != '\0')
        text_format(COLUMN, COLUMN, "", "of %s", row->plugins);
}

void report_config(const info_report *self)
{
    accel_config_properties row = ACCEL_CONFIG_PROPERTIES_INIT;
    if (self->json != NULL)
        json_open_array(self->json, "config");
    else
        text_heading("Configuration");
    for (size_t i = 0; accel_instance_config(self->instance, i, &row) == ACCEL_OK; ++i) {
        if (self->json != NULL)
            write_json(self->json, &row);
        else
            write_text(&row);
    }
    if (self->json != NULL)
        json_close_array(self->json);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"
#include "report.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void device_name(const info_report *self, size_t index, char name[64])
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    bool any = accel_instance_device_count(self->instance) != 0;
    accel_device *device = any ? accel_instance_device(self->instance, index) : accel_instance_host(self->instance);
    snprintf(name, 64, "%s", accel_device_info(device, &properties) == ACCEL_OK ? properties.name : "?");
}

static void write_json(const info_report *self, const info_object *object)
{
    json_open_object(self->json, NULL);
    json_string(self->json, "library", object->library);
    json_string(self->json, "path", object->path);
    json_string(self->json, "target", object->target);
    json_string(self->json, "format", object->format);
    if (object->kernels == NULL) {
        json_null(self->json, "kernels");
    } else {
        json_open_array(self->json, "kernels");
        for (size_t i = 0; i < object->kernel_count; ++i)
            json_string(self->json, NULL, object->kernels[i]);
        json_close_array(self->json);
    }
    json_open_array(self->json, "devices");
    for (size_t i = 0; i < object->verdict_count; ++i) {
        char name[64];
        device_name(self, object->verdicts[i].device, name);
        json_open_object(self->json, NULL);
        json_string(self->json, "device", name);
        json_bool(self->json, "chosen", object->verdicts[i].chosen);
        json_string(self->json, "reason", object->verdicts[i].reason);
        json_close_object(self->json);
    }
    json_close_array(self->json);
    json_close_object(self->json);
}

static bool same_verdict(const info_verdict *a, const info_verdict *b)
{
    return a->chosen == b->chosen && strcmp(a->reason, b->reason) == 0;
}

/* One line for all devices with the same verdict: "chosen by cuda:0, cuda:1: ..." */
static void write_verdicts(const info_report *self, const info_object *object)
{
    for (size_t i = 0; i < object->verdict_count; ++i) {
        const info_verdict *verdict = &object->verdicts[i];
        bool told = false;
        for (size_t k = 0; k < i; ++k)
            told = told || same_verdict(&object->verdicts[k], verdict);
        if (told)
            continue;
        char line[4096];
        size_t used = (size_t)snprintf(line, sizeof line, "%s", verdict->chosen ? "chosen by" : "not chosen by");
        for (size_t k = i; k < object->verdict_count && used < sizeof line; ++k) {
            char name[64];
            if (!same_verdict(&object->verdicts[k], verdict))
                continue;
            device_name(self, object->verdicts[k].device, name);
            used += (size_t)snprintf(line + used, sizeof line - used, "%s %s", k == i ? "" : ",", name);
        }
        if (used < sizeof line && verdict->reason[0] != '\0')
            snprintf(line + used, sizeof line - used, ": %s", verdict->reason);
        text_field(6, 6, "", line);
    }
}

static void write_text(const info_report *self, const info_object *object)
{
    text_format(4, 20, object->target, "%s", object->path);
    if (object->kernels != NULL) {
        char line[4096] = "no kernels";
        size_t used = 0;
        for (size_t i = 0; i < object->kernel_count && used < sizeof line; ++i)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i == 0 ? "kernels: " : ", ",
                                     object->kernels[i]);
        text_field(6, 6, "", line);
    }
    write_verdicts(self, object);
}

/* One line of the kernel path: a directory, and why nothing was found in it, or the note about ignored entries. */
static void write_directory(const info_report *self, const char *line, bool first)
{
    const bool is_directory = *line == '/';
    const char *fault = is_directory && access(line, R_OK | X_OK) != 0 ? strerror(errno) : "";
    if (self->json == NULL) {
        char shown[4352];
        snprintf(shown, sizeof shown, "%s%s%s%s", line, *fault != '\0' ? " (" : "", fault, *fault != '\0' ? ")" : "");
        text_field(2, 12, first ? "searched" : "", shown);
        return;
    }
    json_open_object(self->json, NULL);
    json_string(self->json, "directory", is_directory ? line : "");
    json_bool(self->json, "searched", is_directory && *fault == '\0');
    json_string(self->json, "reason", is_directory ? fault : line);
    json_close_object(self->json);
}

static void write_path(const info_report *self)
{
    const char *path = accel_instance_kernel_path(self->instance);
    if (self->json != NULL)
        json_open_array(self->json, "kernel_path");
    else if (*path == '\0')
        text_field(2, 2, "", "the kernel path is empty");
    for (const char *line = path; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char text[4096];
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        write_directory(self, text, line == path);
        line += length + (line[length] == '\n');
    }
    if (self->json != NULL)
        json_close_array(self->json);
}

bool report_objects(const info_report *self)
{
    info_inventory found = {0};
    accel_status status = inventory_fill(&found, self->instance, self->library);
    if (self->json == NULL)
        text_heading("Kernel objects");
    write_path(self);
    if (self->json != NULL)
        json_open_array(self->json, "objects");
    if (self->json == NULL && found.count == 0 && status == ACCEL_OK)
        text_field(2, 2, "", self->library != NULL ? "none of this library" : "none");
    for (size_t i = 0; i < found.count && status == ACCEL_OK; ++i) {
        const info_object *object = &found.objects[i];
        if (self->json != NULL) {
            write_json(self, object);
            continue;
        }
        if (i == 0 || strcmp(object->library, found.objects[i - 1].library) != 0)
            printf("  %s\n", object->library);
        write_text(self, object);
    }
    if (self->json != NULL)
        json_close_array(self->json);
    if (status != ACCEL_OK)
        fprintf(stderr, "accel-info: kernel objects: %s: %s\n", accel_status_name(status),
                status == ACCEL_OUT_OF_MEMORY ? "no memory" : accel_error_message());
    const bool missing = status == ACCEL_OK && self->library != NULL && found.count == 0;
    if (missing)
        fprintf(stderr,
                "accel-info: no kernel object of library \"%s\" was found; accel-info --objects lists all objects, "
                "ACCEL_KERNEL_PATH adds directories\n",
                self->library);
    inventory_clear(&found);
    return status == ACCEL_OK && !missing;
}

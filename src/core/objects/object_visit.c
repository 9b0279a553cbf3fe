/* SPDX-License-Identifier: Apache-2.0 */
/* accel_device_visit_objects: the loader's choice, explained. */
#include "core/base/file.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/objects/image.h"
#include "core/api/instance.h"
#include "core/objects/object_search.h"

#include <stdio.h>
#include <string.h>

static const char function[] = "accel_device_visit_objects";

/* What is wrong with the file itself, regardless of its rank; "" if nothing is. Reads the kernels' names. */
static accel_status inspect(const accel_object *object, accel_names *names, char *fault, size_t fault_size)
{
    accel_image image = {.struct_size = sizeof(image),
                         .library = object->name.library,
                         .target = object->name.target,
                         .format = object->name.format,
                         .path = object->path};
    accel_file file;
    char reason[320];
    accel_status status = accel_image_read(object->path, object->name.format, &file);

    fault[0] = '\0';
    if (accel_file_is_short(status))
        return status;
    if (status != ACCEL_OK) {
        if (status != ACCEL_INCOMPATIBLE || object->rank != 0)
            snprintf(fault, fault_size, "%s", accel_error_message());
        return ACCEL_OK;
    }
    image.data = file.data;
    image.size = file.size;
    /* Host objects of another machine are no fault: they are for that machine, and their rank says so. */
    if (!accel_image_valid(&image, reason, sizeof(reason)) && object->rank != 0)
        snprintf(fault, fault_size, "%s", reason);
    status = accel_image_kernels(&image, names);
    accel_file_close(&file);
    return status;
}

static accel_status show(const accel_object *object, const accel_object *best, accel_object_visitor visitor, void *user,
                         bool *more)
{
    accel_object_properties properties = ACCEL_OBJECT_PROPERTIES_INIT;
    accel_names names = {0};
    char fault[512], reason[1024];
    accel_status status = inspect(object, &names, fault, sizeof(fault));

    if (status != ACCEL_OK)
        return status;
    if (object->rank == 0)
        snprintf(reason, sizeof(reason), "cannot run here: %s", object->reason);
    else if (object == best && fault[0] != '\0')
        snprintf(reason, sizeof(reason), "best here, but loading it will fail: %s", fault);
    else if (object == best)
        snprintf(reason, sizeof(reason), "best here: %s", object->reason);
    else
        snprintf(reason, sizeof(reason), "could run here (%s), but %s is better or found earlier", object->reason,
                 best->path);
    properties.chosen = object == best && object->rank != 0;
    properties.library = object->name.library;
    properties.path = object->path;
    properties.target = object->name.target;
    properties.format = object->name.format;
    properties.reason = reason;
    properties.kernel_count = names.count;
    properties.kernels = (const char *const *)names.items;
    *more = visitor(user, &properties);
    accel_names_clear(&names);
    return ACCEL_OK;
}

/* Where a library is looked for. */
static char *const *path_of(const accel_instance *instance, const char *library)
{
    return library != NULL && strcmp(library, ACCEL_OWN_LIBRARY) == 0 ? instance->algorithm_path
                                                                      : instance->kernel_path;
}

ACCEL_API accel_status accel_device_visit_objects(accel_device *device, const char *library,
                                                  accel_object_visitor visitor, void *user)
{
    accel_object_list list = {0};
    const accel_object *best = NULL;
    bool more = true;
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (visitor == NULL)
        return accel_error_null(function, "visitor");
    status = accel_object_search(path_of(device->instance, library), device, library, &list);
    for (size_t i = 0; i < list.count && status == ACCEL_OK && more; ++i) {
        if (best == NULL || strcmp(best->name.library, list.items[i].name.library) != 0)
            best = &list.items[i];
        status = show(&list.items[i], best, visitor, user, &more);
    }
    accel_object_list_clear(&list);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_prefix(status, function);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which object becomes a module: the best on the kernel path, a given file. Nothing is replaced silently: if the best
 * one is broken, that is the error. */
#include "core/base/allocate.h"
#include "core/base/file.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/api/instance.h"
#include "core/api/module.h"
#include "core/base/nearest.h"
#include "core/objects/object_search.h"
#include "core/base/text.h"

#include <string.h>

static accel_status check(const char *function, const accel_device *device, const void *what, const char *parameter,
                          const void *out)
{
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL)
        return accel_error_null(function, "device");
    if (what == NULL)
        return accel_error_null(function, parameter);
    if (out == NULL)
        return accel_error_null(function, "module");
    if (device->backend == NULL)
        return accel_error_set(ACCEL_UNSUPPORTED,
                               "%s: \"host\" is memory only and runs no kernels; use a device of a backend", function);
    return accel_device_usable(function, "device", device, device->fork_generation);
}

static accel_status cannot_run(const char *function, const accel_device *device, const char *path, const char *target,
                               const char *reason)
{
    char wanted[64];

    return accel_error_set(ACCEL_INCOMPATIBLE,
                           "%s: %s is for %s, which \"%s\" (%s) cannot run: %s; make one with accelcc --targets=%s",
                           function, path, target, device->properties.name, device->properties.architecture, reason,
                           accel_object_wanted_target(device, wanted));
}

/* No driver gets what its plugin knows not to run, by name or content: some of them end the process then. */
static accel_status load_image(const char *function, accel_device *device, const accel_image *image, accel_module **out)
{
    char reason[192];

    if (accel_object_rank_image(device, image, reason, sizeof(reason)) == 0)
        return cannot_run(function, device, image->path, image->target, reason);
    return accel_module_create(function, device, image, out);
}

static accel_image image_of(const accel_object_parts *name, const char *path)
{
    return (accel_image){.struct_size = sizeof(accel_image),
                         .library = name->library,
                         .target = name->target,
                         .format = name->format,
                         .path = path};
}

/* Adds its bytes. */
static accel_status load_file(const char *function, accel_device *device, accel_image *image, accel_module **out)
{
    accel_file file;
    accel_status status = accel_file_open(image->path, &file);

    if (status != ACCEL_OK)
        return accel_error_prefix(status, function);
    image->data = file.data;
    image->size = file.size;
    status = load_image(function, device, image, out);
    accel_file_close(&file);
    return status;
}

accel_status accel_module_load_object(const char *function, accel_device *device, const accel_object *object,
                                      accel_module **out)
{
    accel_image image = image_of(&object->name, object->path);

    return load_file(function, device, &image, out);
}

/* Its first object, and what the others are. */
static accel_status load_first(const char *function, accel_device *device, const accel_object_list *list,
                               accel_module **out)
{
    accel_image image = image_of(&list->items[0].name, list->items[0].path);
    accel_image *siblings = accel_allocate_array(list->count, sizeof(*siblings));

    if (siblings == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    for (size_t i = 1; i < list->count; ++i)
        siblings[i - 1] = image_of(&list->items[i].name, list->items[i].path);
    image.siblings = siblings;
    image.sibling_count = list->count - 1;

    accel_status status = load_file(function, device, &image, out);

    accel_deallocate(siblings);
    return status;
}

/* Entries of the kernel path that were not searched; "" without any. */
static const char *ignored(const accel_instance *instance)
{
    return instance->kernel_path_ignored != NULL ? instance->kernel_path_ignored : "";
}

static const char *ignored_because(const accel_instance *instance)
{
    return ignored(instance)[0] != '\0' ? "; ignored, because not absolute: " : "";
}

/* Where a library would be found: the program's own directory, which is the last. */
static const char *last_directory(const accel_instance *instance)
{
    const char *last = "DIR";

    for (char *const *path = instance->kernel_path; *path != NULL; ++path)
        last = *path;
    return last;
}

/* Objects of the library are there, and none runs on the device. */
static accel_status none_runs(const char *function, const accel_device *device, const char *library,
                              accel_object_list *list)
{
    accel_text found = {0};
    char target[64];

    for (size_t i = 0; i < list->count; ++i)
        accel_text_add(&found, "%s%s (%s)", i == 0 ? "" : ", ", list->items[i].path, list->items[i].reason);
    accel_error_set(ACCEL_NOT_FOUND,
                    "%s: \"%s\" has no object for %s of \"%s\"; found %s; searched %s%s%s; make one with accelcc -o "
                    "%s/%.200s %.200s.k.c --targets=%s",
                    function, library, device->properties.architecture, device->properties.name,
                    accel_text_peek(&found), accel_text_peek(&list->searched), ignored_because(device->instance),
                    ignored(device->instance), last_directory(device->instance), library, library,
                    accel_object_wanted_target(device, target));
    accel_text_clear(&found);
    return ACCEL_NOT_FOUND;
}

/* Nothing of that name: which names are there? */
static accel_status no_library(const char *function, const accel_device *device, const char *library,
                               const char *searched)
{
    accel_object_list all = {0};
    const char **names = NULL, *nearest = NULL;
    char target[64];
    accel_status status = accel_object_search(device->instance->kernel_path, device, NULL, &all);

    if (status != ACCEL_OK) {
        accel_object_list_clear(&all);
        return accel_error_prefix(status, function);
    }
    names = accel_allocate_array(all.count, sizeof(*names));
    if (names != NULL) {
        for (size_t i = 0; i < all.count; ++i)
            names[i] = all.items[i].name.library;
        nearest = accel_nearest(library, names, all.count);
    }
    accel_error_set(
        ACCEL_NOT_FOUND,
        "%s: no kernel library \"%.200s\" (%.200s.TARGET.FORMAT)%s%s%s; searched %s%s%s; make one with accelcc -o "
        "%s/%.200s %.200s.k.c --targets=%s, or name its directory in ACCEL_KERNEL_PATH",
        function, library, library, nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
        nearest != NULL ? "\"?" : "", searched[0] != '\0' ? searched : "nothing: the kernel path is empty",
        ignored_because(device->instance), ignored(device->instance), last_directory(device->instance), library,
        library, accel_object_wanted_target(device, target));
    accel_deallocate(names);
    accel_object_list_clear(&all);
    return ACCEL_NOT_FOUND;
}

ACCEL_API accel_status accel_module_load(accel_device *device, const char *name, accel_module **out)
{
    static const char function[] = "accel_module_load";
    accel_object_list list = {0};
    accel_status status = check(function, device, name, "name", out);

    if (status != ACCEL_OK)
        return status;
    if (name[0] == '\0' || strchr(name, '/') != NULL)
        return accel_error_set(
            ACCEL_INVALID,
            "%s: \"%s\" is no library name; give the NAME of NAME.TARGET.FORMAT, or use accel_module_load_file",
            function, name);
    status = accel_object_search(device->instance->kernel_path, device, name, &list);
    if (status != ACCEL_OK)
        accel_error_prefix(status, function);
    else if (list.count == 0)
        status = no_library(function, device, name, accel_text_peek(&list.searched));
    else if (list.items[0].rank == 0)
        status = none_runs(function, device, name, &list);
    else
        status = load_first(function, device, &list, out);
    accel_object_list_clear(&list);
    return status;
}

/* A file whose name tells nothing: its content must. */
static accel_status load_unnamed(const char *function, accel_device *device, const char *path, const char *library,
                                 accel_module **out)
{
    accel_image image = {.struct_size = sizeof(image), .library = library, .path = path};
    char target[64];
    accel_file file;
    accel_status status = accel_file_open(path, &file);

    if (status != ACCEL_OK)
        return accel_error_prefix(status, function);
    image.data = file.data;
    image.size = file.size;
    image.target = target;
    if (!accel_image_recognise(file.data, file.size, &image.format, target))
        status = accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: %s is neither a host object nor PTX, and its name does not say what it is; if it is a source, compile it "
            "with accelcc; an object is called NAME.TARGET.FORMAT",
            function, path);
    else
        status = load_image(function, device, &image, out);
    accel_file_close(&file);
    return status;
}

ACCEL_API accel_status accel_module_load_file(accel_device *device, const char *path, accel_module **out)
{
    static const char function[] = "accel_module_load_file";
    const char *slash, *file;
    accel_object_parts name;
    char reason[192];
    accel_status status = check(function, device, path, "path", out);

    if (status != ACCEL_OK)
        return status;
    slash = strrchr(path, '/');
    file = slash != NULL ? slash + 1 : path;
    if (!accel_object_parts_parse(file, &name, &status))
        return status != ACCEL_OK ? accel_error_prefix(status, function)
                                  : load_unnamed(function, device, path, file, out);

    accel_image image = image_of(&name, path);

    if (accel_object_rank(device, name.target, name.format, reason, sizeof(reason)) == 0)
        status = cannot_run(function, device, path, name.target, reason);
    else
        status = load_file(function, device, &image, out);
    accel_object_parts_clear(&name);
    return status;
}

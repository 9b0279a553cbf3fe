/* SPDX-License-Identifier: Apache-2.0 */
#include "core/objects/object_search.h"

#include "core/base/allocate.h"
#include "core/base/directory.h"
#include "core/objects/image.h"
#include "object/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void accel_object_parts_clear(accel_object_parts *name)
{
    accel_deallocate(name->library); /* one allocation holds all three */
    memset(name, 0, sizeof(*name));
}

bool accel_object_parts_parse(const char *file, accel_object_parts *out, accel_status *status)
{
    const char *last = strrchr(file, '.'), *before = NULL;

    memset(out, 0, sizeof(*out));
    *status = ACCEL_OK;
    if (last == NULL || !accel_object_format_known(last + 1))
        return false;
    for (const char *c = file; c < last; ++c) {
        if (*c == '.')
            before = c;
    }
    if (before == NULL || before == file || before + 1 == last)
        return false;
    out->library = accel_text_copy(file);
    if (out->library == NULL) {
        *status = ACCEL_OUT_OF_MEMORY;
        return false;
    }
    out->library[before - file] = '\0';
    out->library[last - file] = '\0';
    out->target = out->library + (before + 1 - file);
    out->format = out->library + (last + 1 - file);
    return true;
}

static void clear_object(accel_object *object)
{
    accel_object_parts_clear(&object->name);
    accel_deallocate(object->path);
}

void accel_object_list_clear(accel_object_list *list)
{
    for (size_t i = 0; i < list->count; ++i)
        clear_object(&list->items[i]);
    accel_deallocate(list->items);
    accel_text_clear(&list->searched);
    memset(list, 0, sizeof(*list));
}

uint32_t accel_object_rank(const accel_device *device, const char *target, const char *format, char *reason,
                           size_t reason_size)
{
    reason[0] = '\0';
    if (device->backend == NULL) {
        snprintf(reason, reason_size, "the host is memory only and runs no kernels");
        return 0;
    }
    return device->backend->device_vtable.target_rank(device->impl, target, format, reason, reason_size);
}

uint32_t accel_object_rank_image(const accel_device *device, const accel_image *image, char *reason, size_t reason_size)
{
    uint32_t rank = accel_object_rank(device, image->target, image->format, reason, reason_size);

    if (rank == 0 || device->backend->device_vtable.image_rank == NULL)
        return rank;
    return device->backend->device_vtable.image_rank(device->impl, image, reason, reason_size);
}

/* The same of a file, whose bytes are read if the device asks for them. A file that cannot be read keeps the rank of its
 * name: loading it tells why. An error only if the process lacks memory or descriptors. */
static accel_status rank_file(const accel_device *device, const accel_object_parts *name, const char *path,
                              accel_object *object)
{
    accel_image image = {.struct_size = sizeof(image),
                         .library = name->library,
                         .target = name->target,
                         .format = name->format,
                         .path = path};
    accel_file file;

    object->rank = accel_object_rank(device, name->target, name->format, object->reason, sizeof(object->reason));
    if (object->rank == 0 || device->backend->device_vtable.image_rank == NULL)
        return ACCEL_OK;
    accel_status status = accel_image_read(path, name->format, &file);
    if (status != ACCEL_OK)
        return accel_file_is_short(status) ? status : ACCEL_OK;
    image.data = file.data;
    image.size = file.size;
    object->rank = accel_object_rank_image(device, &image, object->reason, sizeof(object->reason));
    accel_file_close(&file);
    return ACCEL_OK;
}

const char *accel_object_wanted_target(const accel_device *device, char target[64])
{
    const char *targets = device->properties.targets;
    size_t length = strcspn(targets, " ");

    if (length == 0 || length >= 64)
        return device->properties.architecture;
    memcpy(target, targets, length);
    target[length] = '\0';
    return target;
}

/* Takes over the name's parts. */
static accel_status append(accel_object_list *list, const accel_device *device, const char *directory, size_t place,
                           const char *file, accel_object_parts *name)
{
    accel_object *object;

    if (list->count == list->capacity) {
        size_t capacity = list->capacity != 0 ? 2 * list->capacity : 16;
        accel_object *grown = accel_reallocate(list->items, capacity * sizeof(*grown));
        if (grown == NULL)
            return ACCEL_OUT_OF_MEMORY;
        list->items = grown;
        list->capacity = capacity;
    }
    object = &list->items[list->count];
    memset(object, 0, sizeof(*object));
    object->path = accel_text_format("%s/%s", directory, file);
    if (object->path == NULL)
        return ACCEL_OUT_OF_MEMORY;
    object->directory = place;
    accel_status status = rank_file(device, name, object->path, object);
    object->name = *name;
    memset(name, 0, sizeof(*name));
    ++list->count;
    return status;
}

static accel_status search_directory(const accel_device *device, const char *library, const char *path, size_t place,
                                     accel_object_list *list)
{
    DIR *directory;
    struct dirent *entry;
    accel_status status = accel_directory_open(path, &directory);

    int absent = errno;
    if (status != ACCEL_OK)
        return status;
    accel_text_add(&list->searched, place != 0 ? ", %s" : "%s", path);
    if (directory == NULL) {
        accel_text_add(&list->searched, " (%s)", strerror(absent));
        return ACCEL_OK;
    }
    while ((status = accel_directory_next(path, directory, &entry)) == ACCEL_OK && entry != NULL) {
        accel_object_parts name;
        if (accel_object_parts_parse(entry->d_name, &name, &status) &&
            (library == NULL || strcmp(name.library, library) == 0))
            status = append(list, device, path, place, entry->d_name, &name);
        accel_object_parts_clear(&name);
        if (status != ACCEL_OK)
            break;
    }
    closedir(directory);
    return status;
}

static int by_preference(const void *left, const void *right)
{
    const accel_object *a = left, *b = right;
    int order = strcmp(a->name.library, b->name.library);

    if (order != 0)
        return order;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (a->directory != b->directory)
        return a->directory < b->directory ? -1 : 1;
    return strcmp(a->path, b->path);
}

accel_status accel_object_search(char *const directories[], const accel_device *device, const char *library,
                                 accel_object_list *list)
{
    for (size_t i = 0; directories[i] != NULL; ++i) {
        accel_status status = search_directory(device, library, directories[i], i, list);
        if (status != ACCEL_OK)
            return status;
    }
    if (list->count > 1)
        qsort(list->items, list->count, sizeof(*list->items), by_preference);
    return ACCEL_OK;
}

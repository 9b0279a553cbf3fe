/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"

#include <stdlib.h>
#include <string.h>

typedef struct info_visit {
    info_inventory *inventory;
    size_t device;
} info_visit;

static char *copy_text(info_inventory *self, const char *text)
{
    char *copy = strdup(text != NULL ? text : "");
    if (copy == NULL)
        self->out_of_memory = true;
    return copy;
}

/* One more zeroed element behind `count`, or NULL. */
static void *grow(info_inventory *self, void **items, size_t count, size_t size)
{
    char *larger = realloc(*items, (count + 1) * size);
    if (larger == NULL) {
        self->out_of_memory = true;
        return NULL;
    }
    *items = larger;
    return memset(larger + count * size, 0, size);
}

static void copy_kernels(info_inventory *self, info_object *object, const accel_object_properties *seen)
{
    if (seen->kernels == NULL)
        return;
    object->kernels = calloc(seen->kernel_count + 1, sizeof *object->kernels);
    if (object->kernels == NULL) {
        self->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < seen->kernel_count; ++i) {
        object->kernels[i] = copy_text(self, seen->kernels[i]);
        ++object->kernel_count;
    }
}

static info_object *find_or_add(info_inventory *self, const accel_object_properties *seen)
{
    for (size_t i = 0; i < self->count; ++i) {
        if (strcmp(self->objects[i].path, seen->path) == 0)
            return &self->objects[i];
    }
    void *objects = self->objects;
    info_object *added = grow(self, &objects, self->count, sizeof *added);
    self->objects = objects;
    if (added == NULL)
        return NULL;
    ++self->count;
    added->library = copy_text(self, seen->library);
    added->path = copy_text(self, seen->path);
    added->target = copy_text(self, seen->target);
    added->format = copy_text(self, seen->format);
    copy_kernels(self, added, seen);
    return self->out_of_memory ? NULL : added;
}

static bool on_object(void *user, const accel_object_properties *seen)
{
    info_visit *visit = user;
    info_inventory *self = visit->inventory;
    info_object *object = find_or_add(self, seen);
    if (object == NULL)
        return false;
    void *verdicts = object->verdicts;
    info_verdict *added = grow(self, &verdicts, object->verdict_count, sizeof *added);
    object->verdicts = verdicts;
    if (added == NULL)
        return false;
    ++object->verdict_count;
    added->device = visit->device;
    added->chosen = seen->chosen != 0;
    added->reason = copy_text(self, seen->reason);
    return !self->out_of_memory;
}

static accel_status ask(accel_device *device, const char *library, info_visit *visit)
{
    accel_status status = accel_device_visit_objects(device, library, on_object, visit);
    if (status == ACCEL_OK && library == NULL) /* libaccel's own, which lie beside the plugins */
        status = accel_device_visit_objects(device, "accel-algorithms", on_object, visit);
    return status == ACCEL_OK && visit->inventory->out_of_memory ? ACCEL_OUT_OF_MEMORY : status;
}

accel_status inventory_fill(info_inventory *self, accel_instance *instance, const char *library)
{
    size_t count = accel_instance_device_count(instance);
    info_visit visit = {self, 0};
    accel_status status = count == 0 ? ask(accel_instance_host(instance), library, &visit) : ACCEL_OK;
    for (; visit.device < count && status == ACCEL_OK; ++visit.device)
        status = ask(accel_instance_device(instance, visit.device), library, &visit);
    return status;
}

void inventory_clear(info_inventory *self)
{
    for (size_t i = 0; i < self->count; ++i) {
        info_object *object = &self->objects[i];
        for (size_t k = 0; k < object->kernel_count; ++k)
            free(object->kernels[k]);
        for (size_t k = 0; k < object->verdict_count; ++k)
            free(object->verdicts[k].reason);
        free(object->kernels);
        free(object->verdicts);
        free(object->library);
        free(object->path);
        free(object->target);
        free(object->format);
    }
    free(self->objects);
    *self = (info_inventory){0};
}

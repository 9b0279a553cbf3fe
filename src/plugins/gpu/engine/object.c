/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/object.h"
#include "plugins/gpu/engine/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Two sums that differ in their factors: 128 bits tell the objects of a process apart. */
static void digest(const unsigned char *data, size_t size, uint64_t sums[2])
{
    sums[0] = 0xcbf29ce484222325u;
    sums[1] = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < size; ++i) {
        sums[0] = (sums[0] ^ data[i]) * 0x100000001b3u;
        sums[1] = (sums[1] + data[i]) * 0xd6e8feb86659fd93u;
        sums[1] ^= sums[1] >> 29;
    }
}

static gpu_identity identify(const accel_image *image)
{
    gpu_identity identity = {.size = image->size};
    struct stat file;

    digest(image->data, image->size, identity.digest);
    if (image->path != NULL && stat(image->path, &file) == 0) {
        identity.device = file.st_dev;
        identity.inode = file.st_ino;
        identity.changed = file.st_ctim;
    }
    return identity;
}

static bool is_same(const gpu_identity *a, const gpu_identity *b)
{
    return a->size == b->size && a->digest[0] == b->digest[0] && a->digest[1] == b->digest[1] &&
           a->device == b->device && a->inode == b->inode && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

/* One that no module has any more, but that was kept because its code ran. Modules that live together have globals of
 * their own. */
static gpu_object *find(accel_impl_device *device, const gpu_identity *identity)
{
    gpu_object *object = device->objects;

    while (object != NULL && (object->modules != 0 || !is_same(&object->identity, identity)))
        object = object->next;
    return object;
}

/* "\"blas1\" for sm_90 (/opt/k/blas1.sm_90.cubin): ..." */
static accel_status refused(accel_impl_device *device, const accel_image *image, gpu_result result, const char *log)
{
    const gpu_driver *driver = device->driver;
    char words[256] = "";
    accel_status status;
    uint32_t class = gpu_error_class_of(driver, result, &status);

    if (class == GPU_CLASS_FAULT || class == GPU_CLASS_LOST)
        return gpu_device_failed(device, "loading a kernel object", result);
    if (driver->explain_refusal != NULL)
        driver->explain_refusal(result, image, words, sizeof(words));
    if (words[0] == '\0')
        snprintf(words, sizeof(words), "make it again with accelcc --targets=%s", image->target);
    return gpu_host()->error(status != ACCEL_OK ? status : ACCEL_DRIVER,
                             "\"%s\": the object of library \"%s\" for %s (%s) was refused: %s (%d), %s%s%s%s%s",
                             device->label, image->library, image->target,
                             image->path != NULL ? image->path : "a bundle", driver->error_name(result), result,
                             driver->error_text(result), words[0] != '\0' ? "; " : "", words,
                             log[0] != '\0' ? "; the driver's log: " : "", log);
}

accel_status gpu_object_load(accel_impl_device *device, const accel_image *image, gpu_object **found)
{
    char log[1024] = "";
    gpu_identity identity = identify(image);
    gpu_object *object = find(device, &identity);

    if (object != NULL) {
        ++object->modules;
        *found = object;
        return ACCEL_OK;
    }
    object = calloc(1, sizeof(*object));
    char *text = malloc(image->size + 1); /* drivers want an end behind PTX */
    accel_status status = ACCEL_OK;
    if (object == NULL || text == NULL) {
        status = gpu_host()->error(ACCEL_OUT_OF_MEMORY, "library \"%s\": no memory for %zu bytes", image->library,
                                   image->size);
        goto done;
    }
    memcpy(text, image->data, image->size);
    text[image->size] = '\0';
    gpu_result result = device->driver->code_load(&object->code, text, log, sizeof(log));
    if (result != 0) {
        status = refused(device, image, result, log);
        goto done;
    }
    object->device = device;
    object->identity = identity;
    object->warp_size = device->driver->image_warp_size != NULL ? device->driver->image_warp_size(image) : 0;
    object->modules = 1;
    object->next = device->objects;
    device->objects = object;
    *found = object;
    object = NULL;
done:
    free(text);
    free(object);
    return status;
}

static void discard(gpu_object *object)
{
    for (accel_impl_kernel *kernel = object->kernels, *next; kernel != NULL; kernel = next) {
        next = kernel->next;
        free(kernel);
    }
    free(object);
}

/* A driver may wait for the device when it unloads; an object that nobody uses is kept for then, too. */
void gpu_object_release(accel_impl_device *device, gpu_object *object)
{
    gpu_object **link = &device->objects;
    gpu_scope scope;

    if (--object->modules != 0 || atomic_load_explicit(&object->used, memory_order_relaxed) != 0 ||
        !gpu_device_is_quiet(device) || gpu_scope_enter(&scope, device, "unloading") != ACCEL_OK)
        return;
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    device->driver->code_unload(object->code);
    gpu_scope_leave(&scope, device);
    discard(object);
}

static void end(accel_impl_device *device, bool unload)
{
    for (gpu_object *object = device->objects, *next; object != NULL; object = next) {
        next = object->next;
        if (unload)
            device->driver->code_unload(object->code);
        discard(object);
    }
    device->objects = NULL;
}

void gpu_objects_end(accel_impl_device *device)
{
    end(device, true);
}

void gpu_objects_forget(accel_impl_device *device)
{
    end(device, false);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/module.h"

#include "object/shortage.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Objects are only ever put in at the front, with release: a reader needs no lock, and a fork at any moment leaves a
 * whole list. Two threads that load the same object at once may list it twice, which does no harm. */
static _Atomic(cpu_object *) objects;

/* FNV-1a, twice with different beginnings: tells bundles apart, defends against nobody. */
static void digest(const unsigned char *bytes, size_t size, uint64_t result[2])
{
    uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < size; ++i) {
        a = (a ^ bytes[i]) * 0x100000001b3u;
        b = (b ^ bytes[i]) * 0x100000001b3u + (a >> 47);
    }
    result[0] = a;
    result[1] = b;
}

static bool same(const cpu_object_identity *a, const cpu_object_identity *b)
{
    if (a->is_file != b->is_file || a->size != b->size)
        return false;
    if (a->is_file)
        return a->device == b->device && a->inode == b->inode && a->changed.tv_sec == b->changed.tv_sec &&
               a->changed.tv_nsec == b->changed.tv_nsec;
    return a->digest[0] == b->digest[0] && a->digest[1] == b->digest[1];
}

static cpu_object *find(const cpu_object_identity *identity)
{
    cpu_object *object = atomic_load_explicit(&objects, memory_order_acquire);
    while (object != NULL && !same(&object->identity, identity))
        object = object->next;
    return object;
}

/* The loader takes a name that it has seen for the same object without looking again. Descriptors' numbers return, so
 * each use of one gets a spelling of its own: the bits of a serial number as "//" and "/./". */
static void *open_descriptor(int fd)
{
    static _Atomic uint32_t serials;
    char path[160] = "/proc/self/fd";
    size_t length = strlen(path);
    for (uint32_t serial = atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1; serial != 0; serial >>= 1)
        length += (size_t)snprintf(path + length, sizeof(path) - length, "%s", (serial & 1) != 0 ? "/." : "/");
    snprintf(path + length, sizeof(path) - length, "/%d", fd);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size != 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static void *open_bytes_in(int fd, const accel_image *image)
{
    if (fd < 0)
        return NULL;
    void *handle = write_all(fd, image->data, image->size) ? open_descriptor(fd) : NULL;
    close(fd);
    return handle;
}

/* Where memory may not be executed as a file (vm.memfd_noexec), a temporary file serves. */
static void *open_bytes(const accel_image *image)
{
    void *handle = open_bytes_in(memfd_create(image->library, MFD_CLOEXEC), image);
    if (handle != NULL)
        return handle;
    char path[] = "/tmp/accel-object-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    handle = open_bytes_in(fd, image);
    unlink(path);
    return handle;
}

/* The file itself, so that debuggers and profilers find it; the checked bytes if it has been replaced since core read
 * it, or if the loader would take an older file of the same name for it. */
static void *open_file(const accel_image *image)
{
    void *loaded = dlopen(image->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (loaded == NULL)
        return dlopen(image->path, RTLD_NOW | RTLD_LOCAL);
    dlclose(loaded);
    return open_bytes(image);
}

static cpu_object_identity identify(const accel_image *image)
{
    cpu_object_identity identity = {.size = image->size};
    struct stat file;
    if (image->path != NULL && strchr(image->path, '/') != NULL && stat(image->path, &file) == 0 &&
        (size_t)file.st_size == image->size) {
        identity.is_file = true;
        identity.device = file.st_dev;
        identity.inode = file.st_ino;
        identity.changed = file.st_mtim;
    } else {
        digest(image->data, image->size, identity.digest);
    }
    return identity;
}

/* The object's dynamic section tells it from its dependencies. */
static const void *section_of(void *handle)
{
    struct link_map *map;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_ld : NULL;
}

accel_status cpu_object_load(const accel_image *image, cpu_object **made)
{
    cpu_object_identity identity = identify(image);
    cpu_object *object = find(&identity);
    if (object != NULL) {
        *made = object;
        return ACCEL_OK;
    }
    object = calloc(1, sizeof(*object));
    if (object == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "library \"%s\": no memory for its record", image->library);
    object->identity = identity;
    object->handle = identity.is_file ? open_file(image) : open_bytes(image);
    if (object->handle == NULL) {
        int number = errno;
        const char *reason = dlerror();
        if (reason != NULL)
            number = shortage_in(reason);
        else
            reason = strerror(number);
        accel_status status = shortage_status(number);
        free(object);
        return cpu_host()->error(status != ACCEL_OK ? status : ACCEL_INCOMPATIBLE,
                                 "library \"%s\": %s cannot be loaded: %s%s%s", image->library,
                                 image->path != NULL ? image->path : "its embedded object", reason,
                                 status != ACCEL_OK ? "; " : "", status != ACCEL_OK ? shortage_remedy(number) : "");
    }
    object->dynamic = section_of(object->handle);
    object->next = atomic_load_explicit(&objects, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&objects, &object->next, object, memory_order_release,
                                                  memory_order_relaxed))
        ;
    *made = object;
    return ACCEL_OK;
}

/* dlsym also finds what the object's own dependencies define: the symbol must belong to the object. */
void *cpu_object_data(const cpu_object *object, const char *name, size_t *size)
{
    void *address = dlsym(object->handle, name);
    Dl_info info;
    struct link_map *map = NULL;
    ElfW(Sym) *symbol = NULL;
    if (address == NULL || dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map->l_ld != object->dynamic)
        return NULL;
    if (dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL || info.dli_saddr != address)
        return NULL;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
        return NULL;
    *size = symbol->st_size;
    return address;
}

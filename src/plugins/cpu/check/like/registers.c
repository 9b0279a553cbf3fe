/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/like/registers.h"
#include "object/cubin.h"
#include "object/metadata.h"
#include "plugins/cpu/engine/host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_PREFIX "accel_kernel_"

/* Of one kernel of a loaded object. */
typedef struct record {
    struct record *next;
    const void *object; /* where that lies */
    char *name, *target;
    check_registers registers;
} record;

static record *records;

/* What is read at the moment. */
typedef struct reading {
    const void *object;
    const char *target;
} reading;

static record *find(const void *object, const char *name, const char *target)
{
    record *found = records;
    while (found != NULL &&
           (found->object != object || strcmp(found->name, name) != 0 || strcmp(found->target, target) != 0))
        found = found->next;
    return found;
}

/* Without memory the kernel's registers stay unknown. */
static void keep(const reading *self, const char *name, size_t length, check_registers registers)
{
    const size_t prefix = strlen(ENTRY_PREFIX);
    if (length <= prefix || memcmp(name, ENTRY_PREFIX, prefix) != 0)
        return;
    record *made = calloc(1, sizeof(*made));
    char *kernel = strndup(name + prefix, length - prefix), *target = strdup(self->target);
    record *known = made != NULL && kernel != NULL && target != NULL ? find(self->object, kernel, target) : NULL;
    if (made == NULL || kernel == NULL || target == NULL || known != NULL) {
        if (known != NULL)
            known->registers = registers;
        free(made);
        free(kernel);
        free(target);
        return;
    }
    *made = (record){records, self->object, kernel, target, registers};
    records = made;
}

static void keep_nvidia(void *user, const char *name, uint32_t registers)
{
    keep(user, name, strlen(name), (check_registers){.each = registers});
}

static void keep_amd(void *user, const metadata_kernel *kernel)
{
    keep(user, kernel->name, kernel->name_length, (check_registers){kernel->vector_registers, kernel->lanes});
}

static bool read_bytes(reading *self, const char *format, const void *data, size_t size)
{
    char target[METADATA_TARGET_SIZE];
    if (strcmp(format, "cubin") == 0)
        return cubin_read(data, size, keep_nvidia, self);
    return metadata_read(data, size, target, keep_amd, self);
}

static bool read_file(reading *self, const char *format, const char *path)
{
    struct stat file;
    bool whole = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &file) == 0 && file.st_size > 0) {
        void *data = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            whole = read_bytes(self, format, data, (size_t)file.st_size);
            munmap(data, (size_t)file.st_size);
        }
    }
    close(fd);
    return whole;
}

/* "gfx90a:xnack-" is an object for gfx90a. */
static bool is_for(const accel_image *image, const char *target)
{
    const size_t length = strlen(target);
    return (strcmp(image->format, "cubin") == 0 || strcmp(image->format, "hsaco") == 0) &&
           strncmp(image->target, target, length) == 0 &&
           (image->target[length] == '\0' || image->target[length] == ':');
}

void check_registers_object(const accel_image *image, void *handle, const char *target)
{
    struct link_map *map = NULL;
    const accel_image *found = NULL;
    for (size_t i = 0; i < image->sibling_count && found == NULL; ++i)
        if (is_for(&image->siblings[i], target))
            found = &image->siblings[i];
    if (found == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == NULL)
        return;
    reading self = {(const void *)map->l_addr, target};
    if (found->data != NULL ? read_bytes(&self, found->format, found->data, found->size)
                            : read_file(&self, found->format, found->path))
        return;
    cpu_host()->log(ACCEL_LOG_WARNING,
                    "library \"%s\": its object for %s cannot be read, so cpu-check does not know its registers: %s",
                    image->library, target, found->path != NULL ? found->path : "embedded");
}

bool check_registers_of(const accel_descriptor *kernel, const char *target, check_registers *registers)
{
    Dl_info info;
    if (dladdr(kernel, &info) == 0)
        return false;
    const record *found = find(info.dli_fbase, kernel->name, target);
    if (found != NULL)
        *registers = found->registers;
    return found != NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/light/kernels.h"
#include "plugins/cpu/check/light/poison.h"
#include "plugins/cpu/check/report/array_name.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/shared/privates.h"
#include "plugins/cpu/check/surroundings.h"

#include <accel/kernel/cpu/check_table.h>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct array {
    size_t offset, size; /* in the object's thread-local data */
    bool kept;           /* no shared array: a variable outside kernels, which blocks do not forget */
    bool light;          /* of the light version of the kernels */
    bool open;           /* the launch has touched it */
    struct array *next;  /* of those that it has touched */
    char name[48];
} array;

/* What kernels may only read. */
typedef struct constants {
    size_t begin, end; /* from the object's base on */
    bool read_only;
} constants;

enum { CONSTANTS = 8 };

typedef struct object {
    struct object *next;
    void *handle;
    const char *base;  /* where the loader has put it */
    size_t size;       /* from there on */
    char file[64];     /* for embedded objects: their bytes, in memory */
    size_t tls_module; /* 0: it has no thread-local data */
    size_t tls_size;
    array *arrays;
    size_t array_count;
    bool light;            /* has light versions of kernels */
    unsigned char *poison; /* while light versions run: for each 8 bytes of thread-local data. NULL: not made yet */
    constants constants[CONSTANTS];
    size_t constant_count;
} object;

static object *objects;
static struct {
    object *current;
    const char *tls; /* of this thread */
    array *open;     /* what a block has touched is undefined again for the next one */
    const char *dynamic;
    size_t dynamic_bytes;
} block;

static const char *tls_of(const object *self)
{
    extern void *__tls_get_addr(size_t *);
    size_t index[2] = {self->tls_module, 0};
    return self->tls_module != 0 ? __tls_get_addr(index) : NULL;
}

static void add_constants(object *self, size_t begin, size_t size, bool read_only)
{
    if (self->constant_count < CONSTANTS && size != 0)
        self->constants[self->constant_count++] = (constants){begin, begin + size, read_only};
}

/* The section that ACCEL_CONSTANT names, and what is mapped without the right to write it, or loses that right. */
static void read_constants(object *self, const accel_image *image)
{
    const unsigned char *data = image->data;
    const Elf64_Ehdr *header = image->data;
    const Elf64_Shdr *sections = (const void *)(data + header->e_shoff);
    const Elf64_Phdr *parts = (const void *)(data + header->e_phoff);
    const char *names =
        header->e_shstrndx < header->e_shnum ? (const char *)data + sections[header->e_shstrndx].sh_offset : NULL;
    for (size_t i = 0; names != NULL && i < header->e_shnum; ++i)
        if (strcmp(names + sections[i].sh_name, "accel_constants") == 0)
            add_constants(self, sections[i].sh_addr, sections[i].sh_size, false);
    for (size_t i = 0; i < header->e_phnum; ++i)
        if (parts[i].p_type == PT_LOAD && parts[i].p_vaddr + parts[i].p_memsz > self->size)
            self->size = parts[i].p_vaddr + parts[i].p_memsz;
    for (size_t i = 0; i < header->e_phnum; ++i)
        if (parts[i].p_type == PT_GNU_RELRO || (parts[i].p_type == PT_LOAD && (parts[i].p_flags & PF_W) == 0))
            add_constants(self, parts[i].p_vaddr, parts[i].p_memsz, true);
}

/* The thread-local symbols of the table that the dynamic loader does not read. Core has checked that the bytes are those
 * that accelcc made. */
static bool read_arrays(object *self, const accel_image *image)
{
    const unsigned char *data = image->data;
    const Elf64_Ehdr *header = image->data;
    const Elf64_Shdr *sections = (const void *)(data + header->e_shoff);
    for (size_t i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
            continue;
        const Elf64_Sym *symbols = (const void *)(data + sections[i].sh_offset);
        const char *names = (const char *)data + sections[sections[i].sh_link].sh_offset;
        size_t count = sections[i].sh_size / sizeof(*symbols);
        self->arrays = calloc(count != 0 ? count : 1, sizeof(*self->arrays));
        if (self->arrays == NULL)
            return false;
        for (size_t k = 0; k < count; ++k) {
            const char *name = names + symbols[k].st_name;
            const bool light = strncmp(name, ACCEL_LIGHT_PREFIX, strlen(ACCEL_LIGHT_PREFIX)) == 0;
            name += light ? strlen(ACCEL_LIGHT_PREFIX) : 0;
            if (ELF64_ST_TYPE(symbols[k].st_info) != STT_TLS || strstr(name, "accel_check_gap_") != NULL)
                continue;
            array *made = &self->arrays[self->array_count++];
            made->offset = symbols[k].st_value;
            made->size = symbols[k].st_size;
            made->light = light;
            made->kept = !check_array_name(name, made->name, sizeof(made->name));
        }
    }
    const Elf64_Phdr *parts = (const void *)(data + header->e_phoff);
    for (size_t i = 0; i < header->e_phnum; ++i)
        if (parts[i].p_type == PT_TLS)
            self->tls_size = parts[i].p_memsz;
    return true;
}

/* Kernels that the object has twice: their descriptors are symbols of the same table. The loader knows the first ones. */
static bool read_kernels(object *self, const accel_image *image, void *handle)
{
    static const char prefix[] = ACCEL_LIGHT_PREFIX ACCEL_DESCRIPTOR_PREFIX;
    const unsigned char *data = image->data;
    const Elf64_Ehdr *header = image->data;
    const Elf64_Shdr *sections = (const void *)(data + header->e_shoff);
    bool good = true;
    for (size_t i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
            continue;
        const Elf64_Sym *symbols = (const void *)(data + sections[i].sh_offset);
        const char *names = (const char *)data + sections[sections[i].sh_link].sh_offset;
        for (size_t k = 0; good && k < sections[i].sh_size / sizeof(*symbols); ++k) {
            const char *name = names + symbols[k].st_name;
            if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
                continue;
            const accel_descriptor *kernel = dlsym(handle, name + strlen(ACCEL_LIGHT_PREFIX));
            self->light = true;
            good = kernel == NULL || check_kernels_add(kernel, (const void *)(self->base + symbols[k].st_value));
        }
    }
    return good;
}

/* So that the lines of an embedded object can be read. */
static void keep_bytes(object *self, const accel_image *image)
{
    int fd = memfd_create(image->library, MFD_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, image->data, image->size) == (ssize_t)image->size)
        snprintf(self->file, sizeof(self->file), "/proc/%d/fd/%d", (int)getpid(), fd);
    else
        close(fd);
}

bool check_shared_object(const accel_image *image, void *handle, bool *light)
{
    struct link_map *map = NULL;
    for (object *old = objects; old != NULL; old = old->next)
        if (old->handle == handle) {
            *light = old->light;
            return true;
        }
    object *made = calloc(1, sizeof(*made));
    if (made == NULL || !read_arrays(made, image)) {
        free(made);
        return false;
    }
    read_constants(made, image);
    made->handle = handle;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != NULL)
        made->base = (const char *)map->l_addr;
    if (made->base == NULL || !read_kernels(made, image, handle)) {
        free(made->arrays);
        free(made);
        return false;
    }
#if defined(__GLIBC__)
    if (dlinfo(handle, RTLD_DI_TLS_MODID, &made->tls_module) != 0)
        made->tls_module = 0;
#endif
    if (image->path == NULL || access(image->path, R_OK) != 0)
        keep_bytes(made, image);
    made->next = objects;
    objects = made;
    *light = made->light;
    return true;
}

static object *object_of(const void *place)
{
    Dl_info info;
    if (place == NULL || dladdr(place, &info) == 0)
        return NULL;
    object *found = objects;
    while (found != NULL && found->base != (const char *)info.dli_fbase)
        found = found->next;
    return found;
}

const char *check_shared_file(const void *place)
{
    const object *found = object_of(place);
    return found != NULL && found->file[0] != '\0' ? found->file : NULL;
}

/* Bytes of a variable, beside others in the same 8. */
static void open_bytes(unsigned char *poison, size_t offset, size_t size)
{
    for (size_t at = offset / CHECK_POISON_GRAIN; at * CHECK_POISON_GRAIN < offset + size; ++at) {
        const size_t open = offset + size - at * CHECK_POISON_GRAIN;
        if (open >= CHECK_POISON_GRAIN)
            poison[at] = 0;
        else if (poison[at] == CHECK_POISON || (poison[at] != 0 && poison[at] < open))
            poison[at] = (unsigned char)open;
    }
}

/* NULL if memory is short. */
static const unsigned char *poison_of(object *self)
{
    const size_t bytes = self->tls_size / CHECK_POISON_GRAIN + 1;
    if (self->poison != NULL || (self->poison = malloc(bytes)) == NULL)
        return self->poison;
    memset(self->poison, CHECK_POISON, bytes);
    for (size_t i = 0; i < self->array_count; ++i)
        if (self->arrays[i].light || self->arrays[i].kept)
            open_bytes(self->poison, self->arrays[i].offset, self->arrays[i].size);
    return self->poison;
}

void check_shared_poison(bool begin)
{
    object *self = block.current;
    unsigned char *bytes = block.tls != NULL ? check_poison_bytes(block.tls) : NULL;
    const unsigned char *poison = bytes != NULL ? poison_of(self) : NULL;
    if (poison == NULL || (uintptr_t)block.tls % CHECK_POISON_GRAIN != 0)
        return;
    if (begin)
        memcpy(bytes, poison, self->tls_size / CHECK_POISON_GRAIN);
    else
        memset(bytes, 0, self->tls_size / CHECK_POISON_GRAIN);
}

static void open_array(const array *self)
{
    check_shadow_add(block.tls + self->offset, self->size, self->kept);
}

bool check_shared_open(const void *p)
{
    const char *at = p;
    if (block.tls == NULL || at < block.tls || at >= block.tls + block.current->tls_size)
        return false;
    const size_t offset = (size_t)(at - block.tls);
    for (size_t i = 0; i < block.current->array_count; ++i) {
        array *found = &block.current->arrays[i];
        if (found->light || found->open || offset < found->offset || offset - found->offset >= found->size)
            continue;
        found->open = true;
        found->next = block.open;
        block.open = found;
        open_array(found);
        return true;
    }
    return false;
}

static void close_arrays(void)
{
    for (array *a = block.open; a != NULL; a = a->next) {
        check_shadow_remove(block.tls + a->offset, a->size);
        a->open = false;
    }
    block.open = NULL;
}

void check_shared_launch(size_t dynamic_bytes)
{
    block.dynamic_bytes = dynamic_bytes;
}

static bool is_used(const char *begin, size_t size)
{
    for (size_t at = 0; at < size; at += 4) {
        const check_cell *cell = check_cell_of((uintptr_t)begin + at);
        if (cell != NULL && (cell->write & CHECK_WRITTEN) != 0)
            return true;
    }
    return false;
}

size_t check_shared_used(void)
{
    size_t bytes = 0;
    for (size_t i = 0; block.tls != NULL && i < block.current->array_count; ++i) {
        const array *a = &block.current->arrays[i];
        if (!a->kept && !a->light && is_used(block.tls + a->offset, a->size))
            bytes += a->size;
    }
    return bytes;
}

void check_shared_end(void)
{
    check_privates_forget();
    if (block.dynamic != NULL)
        check_shadow_remove(block.dynamic, block.dynamic_bytes);
    close_arrays();
    block.current = NULL;
    block.tls = block.dynamic = NULL;
}

static void find_object(const void *place)
{
    static const void *last_place;
    if (block.current != NULL && last_place == place)
        return;
    close_arrays();
    block.current = object_of(place);
    block.tls = block.current != NULL ? tls_of(block.current) : NULL;
    last_place = place;
}

void check_shared_light(const void *dynamic, const void *place)
{
    if (block.current != NULL)
        return;
    find_object(place);
    block.dynamic = block.dynamic_bytes != 0 ? dynamic : NULL;
}

void check_shared_block(const accel_launch_context *launch, const void *place)
{
    check_privates_forget();
    find_object(place);
    for (const array *a = block.open; a != NULL; a = a->next)
        open_array(a);
    if (block.dynamic_bytes != 0) {
        block.dynamic = launch->shared;
        check_shadow_add(block.dynamic, block.dynamic_bytes, false);
    }
}

bool check_shared_is_stray(const void *p)
{
    const char *at = p;
    bool used;
    if (check_privates_have(p, &used) && !used)
        return true;
    if (block.tls != NULL && block.current != NULL && at >= block.tls && at < block.tls + block.current->tls_size)
        return true;
    const char *end = block.dynamic != NULL ? block.dynamic + block.dynamic_bytes : NULL;
    return end != NULL && at >= end && at < end + CHECK_SHARED_GAP;
}

bool check_shared_is_constant(const void *p, bool *crashes)
{
    const object *self = block.current;
    for (size_t i = 0; self != NULL && i < self->constant_count; ++i) {
        const constants *part = &self->constants[i];
        if ((const char *)p >= self->base + part->begin && (const char *)p < self->base + part->end) {
            *crashes = part->read_only;
            return true;
        }
    }
    return false;
}

bool check_shared_is_of_object(const void *p, const void *place)
{
    const object *self = block.current != NULL ? block.current : object_of(place); /* patterns tell of no blocks */
    return self == NULL || ((const char *)p >= self->base && (const char *)p < self->base + self->size);
}

static bool describe_constant(const void *p, char *text, size_t size)
{
    Dl_info info;
    bool crashes;
    if (!check_shared_is_constant(p, &crashes))
        return false;
    if (!crashes && dladdr(p, &info) != 0 && info.dli_sname != NULL)
        snprintf(text, size, "at byte %zu of constant %.200s", (size_t)((const char *)p - (const char *)info.dli_saddr),
                 info.dli_sname);
    else
        snprintf(text, size, "in read-only data of the kernel's object");
    return true;
}

bool check_shared_describe(const void *p, bool light, char *text, size_t size)
{
    const char *at = p;
    if (describe_constant(p, text, size))
        return true;
    const array *nearest = NULL;
    bool used;
    if (check_privates_have(p, &used)) {
        snprintf(text, size, "in an array of private values%s", used ? "" : ", at an index that is no thread's");
        return true;
    }
    if (block.dynamic != NULL && at >= block.dynamic && at < block.dynamic + block.dynamic_bytes + CHECK_SHARED_GAP) {
        if (at < block.dynamic + block.dynamic_bytes)
            snprintf(text, size, "at byte %zu of the launch's %zu bytes of shared memory", (size_t)(at - block.dynamic),
                     block.dynamic_bytes);
        else
            snprintf(text, size, "%zu bytes behind the end of the launch's %zu bytes of shared memory",
                     (size_t)(at - block.dynamic) - block.dynamic_bytes, block.dynamic_bytes);
        return true;
    }
    if (block.tls == NULL || block.current == NULL || at < block.tls || at >= block.tls + block.current->tls_size)
        return false;
    size_t offset = (size_t)(at - block.tls), distance = SIZE_MAX;
    for (size_t i = 0; i < block.current->array_count; ++i) {
        const array *a = &block.current->arrays[i];
        size_t away = offset < a->offset             ? a->offset - offset
                      : offset < a->offset + a->size ? 0
                                                     : offset - a->offset - a->size + 1;
        if (away < distance && a->light == light) {
            distance = away;
            nearest = a;
        }
    }
    if (nearest == NULL)
        return false;
    if (offset < nearest->offset)
        snprintf(text, size, "%zu bytes before shared array %s (%zu bytes)", distance, nearest->name, nearest->size);
    else if (distance != 0)
        snprintf(text, size, "%zu bytes behind the end of shared array %s (%zu bytes)", distance - 1, nearest->name,
                 nearest->size);
    else
        snprintf(text, size, "at byte %zu of shared array %s (%zu bytes)", offset - nearest->offset, nearest->name,
                 nearest->size);
    return true;
}

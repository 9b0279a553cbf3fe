/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include "block.h"
#include "object.h"

#include <accel/object.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A kernel's function is reached by the one behind it: entry.h. */
#define CALL_PREFIX "gpusim_call_" ACCEL_ENTRY_PREFIX

/* dlopen knows files by name and inode, so each loading is a file of its own. */
static bool open_host(gpusim_image *image, size_t size, char *reason, size_t reason_size)
{
    char path[64];
    const char *rest = image->host;

    image->file = memfd_create("gpusim-kernels", MFD_CLOEXEC);
    while (image->file >= 0 && size > 0) {
        ssize_t written = write(image->file, rest, size);
        if (written < 0)
            break;
        rest += written;
        size -= (size_t)written;
    }
    if (image->file < 0 || size > 0) {
        snprintf(reason, reason_size, "memfd: %s", strerror(errno));
        return false;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", image->file);
    image->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (image->handle == NULL)
        snprintf(reason, reason_size, "%s", dlerror());
    return image->handle != NULL;
}

static void *address_of(const gpusim_image *image, const Elf64_Sym *symbol)
{
    return symbol != NULL ? image->base + symbol->st_value : NULL;
}

static bool add_kernel(gpusim_image *image, const char *name, const accel_descriptor *descriptor)
{
    gpusim_kernel *kernel = &image->kernels[image->kernel_count];
    char symbol[256];
    snprintf(symbol, sizeof(symbol), CALL_PREFIX "%s", name);
    void *call = address_of(image, gpusim_symbols_find(&image->symbols, symbol, STT_FUNC));
    kernel->symbol = strdup(symbol + strlen("gpusim_call_"));
    if (call == NULL || kernel->symbol == NULL)
        return false;
    ++image->kernel_count;
    memcpy(&kernel->call, &call, sizeof(call));
    memcpy(kernel->block, descriptor->block, sizeof(kernel->block));
    kernel->image = image;
    uint32_t shared = gpusim_symbols_shared(&image->symbols, name, &kernel->shared_begin, &kernel->shared_end);
    uint32_t threads = descriptor->block[0] * descriptor->block[1] * descriptor->block[2];
    uint32_t align = (uint32_t) _Alignof(accel_grid), offset = (descriptor->args_size + align - 1) / align * align;
    kernel->properties = (gpusim_kernel_properties){.symbol = kernel->symbol,
                                                    .parameter_offset = {0, offset},
                                                    .parameter_size = {descriptor->args_size, descriptor->grid_size},
                                                    .parameter_bytes = offset + descriptor->grid_size,
                                                    .static_shared_bytes = shared,
                                                    .max_threads = threads != 0 ? threads : ACCEL_MAX_BLOCK_THREADS,
                                                    .registers = 32,
                                                    .local_bytes = 48};
    return true;
}

static bool find_kernels(gpusim_image *image, char *reason, size_t reason_size)
{
    const gpusim_symbols *symbols = &image->symbols;
    const Elf64_Sym *dynamic = gpusim_symbols_find(symbols, "accel_dynamic", STT_TLS);
    void *function = address_of(image, gpusim_symbols_find(symbols, "gpusim_dynamic", STT_FUNC));
    const gpusim_calls **device = address_of(image, gpusim_symbols_find(symbols, "gpusim_device", STT_OBJECT));
    image->kernels = calloc(symbols->dynamic_count, sizeof(*image->kernels));
    if (dynamic == NULL || function == NULL || device == NULL || image->kernels == NULL) {
        snprintf(reason, reason_size, "it was not compiled with cuda_words.h or hip_words.h");
        return false;
    }
    *device = &gpusim_lane_calls;
    memcpy(&image->dynamic, &function, sizeof(function));
    image->dynamic_offset = dynamic->st_value;
    for (size_t i = 0; i < symbols->dynamic_count; ++i) {
        const char *name = symbols->dynamic_names + symbols->dynamic[i].st_name;
        if (symbols->dynamic[i].st_shndx == SHN_UNDEF ||
            strncmp(name, ACCEL_DESCRIPTOR_PREFIX, strlen(ACCEL_DESCRIPTOR_PREFIX)) != 0)
            continue;
        const accel_descriptor *descriptor = address_of(image, &symbols->dynamic[i]);
        if (!add_kernel(image, name + strlen(ACCEL_DESCRIPTOR_PREFIX), descriptor)) {
            snprintf(reason, reason_size, "%s has no function", name);
            return false;
        }
    }
    return true;
}

/* The symbols of PTX are those of its functions and variables. */
static bool load_program(gpusim_image *image, const void *data, size_t size, char *reason, size_t reason_size)
{
    image->program = ptx_program_load(data, size, reason, reason_size);
    const size_t count = image->program != NULL ? image->program->function_count : 0;
    image->kernels = calloc(count + 1, sizeof(*image->kernels));
    if (image->program == NULL || image->kernels == NULL)
        return false;
    for (size_t i = 0; i < count; ++i) {
        const ptx_function *function = image->program->functions[i];
        gpusim_kernel *kernel = &image->kernels[image->kernel_count];
        if (!function->is_kernel)
            continue;
        kernel->image = image;
        kernel->symbol = strdup(function->name);
        kernel->function = function;
        kernel->properties = (gpusim_kernel_properties){
            .symbol = kernel->symbol,
            .parameter_bytes = function->parameter_bytes,
            .static_shared_bytes = function->shared_bytes,
            .max_threads = function->max_threads != 0 ? function->max_threads : ACCEL_MAX_BLOCK_THREADS,
            .registers = 32,
            .local_bytes = function->local_bytes};
        for (uint32_t k = 0; k < function->parameter_count && k < 2; ++k) {
            kernel->properties.parameter_offset[k] = function->parameters[k].offset;
            kernel->properties.parameter_size[k] = function->parameters[k].bytes;
        }
        ++image->kernel_count;
    }
    return true;
}

gpusim_image *gpusim_image_load(const void *data, size_t size, char *reason, size_t reason_size)
{
    size_t host_size = 0;
    struct link_map *map = NULL;
    gpusim_image *image = calloc(1, sizeof(*image));
    if (image == NULL) {
        snprintf(reason, reason_size, "no memory");
        return NULL;
    }
    image->file = -1;
    if (!gpusim_object_read(data, size, &image->object, reason, reason_size))
        goto failed;
    if (image->object.is_interpreted) {
        if (!load_program(image, data, size, reason, reason_size))
            goto failed;
        return image;
    }
    image->host = gpusim_object_unpack(data, size, &host_size, &image->object, reason, reason_size);
    if (image->host == NULL)
        goto failed;
    if (!gpusim_symbols_read(image->host, host_size, &image->symbols)) {
        snprintf(reason, reason_size, "the shared object in it is damaged");
        goto failed;
    }
    if (!open_host(image, host_size, reason, reason_size))
        goto failed;
    dlinfo(image->handle, RTLD_DI_LINKMAP, &map);
    image->base = (char *)(uintptr_t)map->l_addr; /* NOLINT(performance-no-int-to-ptr) */
    if (!find_kernels(image, reason, reason_size))
        goto failed;
    return image;

failed:
    gpusim_image_unload(image);
    return NULL;
}

gpusim_image *gpusim_image_open(const char *path, char *reason, size_t reason_size)
{
    gpusim_image *image = NULL;
    FILE *file = fopen(path, "rb");
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = size > 0 ? malloc((size_t)size) : NULL;
    if (data == NULL || fseek(file, 0, SEEK_SET) != 0 || fread(data, 1, (size_t)size, file) != (size_t)size)
        snprintf(reason, reason_size, "%s: %s", path, strerror(errno));
    else
        image = gpusim_image_load(data, (size_t)size, reason, reason_size);
    free(data);
    if (file != NULL)
        fclose(file);
    return image;
}

void gpusim_image_unload(gpusim_image *image)
{
    if (image == NULL)
        return;
    for (size_t i = 0; i < image->kernel_count; ++i)
        free(image->kernels[i].symbol);
    free(image->kernels);
    if (image->handle != NULL)
        dlclose(image->handle);
    if (image->file >= 0)
        close(image->file);
    ptx_program_unload(image->program);
    free(image->host);
    free(image);
}

typedef struct place {
    uintptr_t start;
    size_t size;
} place;

static int measure(struct dl_phdr_info *object, size_t size, void *user)
{
    place *found = user;
    (void)size;
    if (object->dlpi_addr != found->start)
        return 0;
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > found->size)
            found->size = segment->p_vaddr + segment->p_memsz;
    }
    return 1;
}

void gpusim_image_place(const gpusim_image *image, uintptr_t *start, size_t *size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (image->program != NULL) {
        *start = (uintptr_t)image->program->memory;
        *size = image->program->memory_bytes;
        return;
    }
    place found = {.start = (uintptr_t)image->base};
    dl_iterate_phdr(measure, &found);
    *start = found.start;
    *size = (found.size + page - 1) / page * page;
}

bool gpusim_image_global(const gpusim_image *image, const char *symbol, void **address, size_t *size)
{
    if (image->program != NULL) {
        const ptx_global *global = ptx_program_global(image->program, symbol);
        if (global != NULL) {
            *address = global->address;
            *size = global->bytes;
        }
        return global != NULL;
    }
    const Elf64_Sym *found = gpusim_symbols_find(&image->symbols, symbol, STT_OBJECT);
    if (found == NULL || strcmp(symbol, "gpusim_device") == 0)
        return false;
    *address = address_of(image, found);
    *size = found->st_size;
    return true;
}

gpusim_kernel *gpusim_image_kernel(gpusim_image *image, const char *symbol)
{
    for (size_t i = 0; i < image->kernel_count; ++i)
        if (strcmp(image->kernels[i].symbol, symbol) == 0)
            return &image->kernels[i];
    return NULL;
}

void gpusim_kernel_info(const gpusim_kernel *kernel, gpusim_kernel_properties *out)
{
    *out = kernel->properties;
}

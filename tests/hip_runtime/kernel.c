/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels without a processor that has AMD's instructions. The code object that the runtime has loaded tells a kernel's
 * name. The runtime's own kernels for copies and fills are known by it and done here. A kernel of libaccel is run in its
 * host form, as the simulated GPU does (tests/gpusim/kernel), from the object that HIP_STANDIN_KERNELS names.
 */
#include "grid.h"
#include "standin.h"

#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ names -- */

/* Of the kernel whose descriptor is at `object`; NULL: it is in no code object, as the kernels of libhsa-runtime64. The
 * loader keeps the file's first bytes, so its headers and dynamic symbols are in front of the descriptors. */
static const char *name_of(uint64_t object)
{
    const char *base = standin_allocation((void *)(uintptr_t)object);
    Elf64_Addr symbols = 0, strings = 0;
    const Elf64_Ehdr *header = (const void *)base;

    if (base == NULL || memcmp(base, ELFMAG, SELFMAG) != 0)
        return NULL;
    const Elf64_Phdr *segments = (const void *)(base + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i) {
        if (segments[i].p_type != PT_DYNAMIC)
            continue;
        for (const Elf64_Dyn *d = (const void *)(base + segments[i].p_vaddr); d->d_tag != DT_NULL; ++d) {
            symbols = d->d_tag == DT_SYMTAB ? d->d_un.d_ptr : symbols;
            strings = d->d_tag == DT_STRTAB ? d->d_un.d_ptr : strings;
        }
    }
    if (symbols == 0 || strings <= symbols)
        return NULL;
    const Elf64_Sym *end = (const void *)(base + strings);
    for (const Elf64_Sym *s = (const void *)(base + symbols); s + 1 <= end; ++s)
        if (s->st_shndx != SHN_UNDEF && base + s->st_value == (const char *)(uintptr_t)object)
            return base + strings + s->st_name;
    return NULL;
}

/* ----------------------------------------------------------------- the kernels of libhsa-runtime64 -- */

/* Ranges that follow one another, each from its source to its destination. */
static bool is_copy(const uint64_t *ranges, size_t count)
{
    for (size_t i = 2; i < count; i += 2)
        if (ranges[i] < ranges[i - 2] || ranges[i + 1] - ranges[i - 1] != ranges[i] - ranges[i - 2])
            return false;
    return ranges[count - 2] > ranges[0];
}

/* Copies in four phases or in two, and fills, which have their arguments alone to tell them apart. */
static void run_unnamed(const void *arguments)
{
    uint64_t words[10];
    uint32_t value;

    memcpy(words, arguments, sizeof words);
    if (is_copy(words, 10)) {
        memcpy((void *)(uintptr_t)words[1], (void *)(uintptr_t)words[0], words[8] - words[0]);
    } else if (is_copy(words, 6)) {
        memcpy((void *)(uintptr_t)words[1], (void *)(uintptr_t)words[0], words[4] - words[0]);
    } else {
        memcpy(&value, &words[3], sizeof value);
        for (uint64_t at = words[0]; at + sizeof value <= words[2]; at += sizeof value)
            memcpy((void *)(uintptr_t)at, &value, sizeof value);
    }
}

/* ------------------------------------------------------------------------ the kernels of libamdhip64 -- */

typedef struct copy_arguments {
    const char *src;
    char *dst;
    uint64_t src_offset, dst_offset, words; /* one word of 4 bytes more than there are, of which `rest` bytes count */
    uint32_t rest;
} copy_arguments;

static void copy(const void *arguments)
{
    const copy_arguments *a = arguments;
    memcpy(a->dst + a->dst_offset, a->src + a->src_offset, (a->words - 1) * 4 + a->rest);
}

typedef struct rectangle_arguments {
    const char *src;
    char *dst;
    uint64_t padding[2];
    uint64_t src_rectangle[4], dst_rectangle[4]; /* row pitch, plane pitch, offset; in units */
    uint64_t size[4];                            /* units, rows, planes, bytes of a unit */
} rectangle_arguments;

static void copy_rectangle(const void *arguments)
{
    const rectangle_arguments *a = arguments;
    uint64_t unit = a->size[3];

    for (uint64_t z = 0; z < a->size[2]; ++z) {
        for (uint64_t y = 0; y < a->size[1]; ++y) {
            uint64_t from = a->src_rectangle[2] + y * a->src_rectangle[0] + z * a->src_rectangle[1];
            uint64_t to = a->dst_rectangle[2] + y * a->dst_rectangle[0] + z * a->dst_rectangle[1];
            memcpy(a->dst + to * unit, a->src + from * unit, a->size[0] * unit);
        }
    }
}

typedef struct fill_arguments {
    char *memory[4]; /* as 1, 2, 4 and 8 bytes; three are NULL */
    const void *pattern;
    uint32_t pattern_units;
    uint64_t offset; /* in units */
    uint64_t count;  /* patterns; of rectangles: bytes of a row */
    uint64_t rows, pitch;
} fill_arguments;

static char *fill_begin(const fill_arguments *a, uint64_t *pattern_bytes)
{
    size_t kind = 0;
    while (kind < 3 && a->memory[kind] == NULL)
        ++kind;
    uint64_t unit = (uint64_t)1 << kind;
    *pattern_bytes = a->pattern_units * unit;
    return a->memory[kind] + a->offset * unit;
}

static void fill(const void *arguments)
{
    const fill_arguments *a = arguments;
    uint64_t bytes;
    char *begin = fill_begin(a, &bytes);

    for (uint64_t i = 0; i < a->count; ++i)
        memcpy(begin + i * bytes, a->pattern, bytes);
}

/* The runtime fills rectangles with bytes only. */
static void fill_rectangle(const void *arguments)
{
    const fill_arguments *a = arguments;
    uint64_t bytes;
    char *begin = fill_begin(a, &bytes);

    for (uint64_t y = 0; y < a->rows; ++y)
        for (uint64_t x = 0; x < a->count; x += bytes)
            memcpy(begin + y * a->pitch + x, a->pattern, bytes);
}

static const struct {
    const char *name;
    void (*run)(const void *arguments);
} own_kernels[] = {
    {"__amd_rocclr_copyBuffer.kd", copy},
    {"__amd_rocclr_copyBufferRect.kd", copy_rectangle},
    {"__amd_rocclr_copyBufferRectAligned.kd", copy_rectangle},
    {"__amd_rocclr_fillBufferAligned.kd", fill},
    {"__amd_rocclr_fillBufferAligned2D.kd", fill_rectangle},
};

/* ------------------------------------------------------------------------------ the kernels of libaccel -- */

static gpusim_image *image;

static void open_image(void)
{
    const char *path = getenv("HIP_STANDIN_KERNELS");
    char reason[256] = "";

    if (path == NULL)
        return;
    image = gpusim_image_open(path, reason, sizeof reason);
    if (image == NULL)
        fprintf(stderr, "stand-in: %s: %s\n", path, reason);
}

static bool run_on_host(const char *name, const standin_dispatch *d)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char symbol[256];
    uint32_t fixed_shared; /* the descriptor's first field */
    gpusim_kernel_properties properties;
    gpusim_fault fault;

    pthread_once(&once, open_image);
    snprintf(symbol, sizeof symbol, "%.*s", (int)(strlen(name) - strlen(".kd")), name);
    gpusim_kernel *kernel = image != NULL ? gpusim_image_kernel(image, symbol) : NULL;
    if (kernel == NULL)
        return false;
    gpusim_kernel_info(kernel, &properties);
    memcpy(&fixed_shared, (void *)(uintptr_t)d->object, sizeof fixed_shared);
    gpusim_launch launch = {.kernel = kernel,
                            .dynamic_shared = d->shared_bytes - fixed_shared,
                            .warp_size = 64,
                            .parameters = d->arguments,
                            .parameter_bytes = properties.parameter_bytes};
    for (int i = 0; i < 3; ++i) {
        launch.block[i] = d->block[i];
        launch.grid[i] = d->threads[i] / d->block[i];
    }
    if (gpusim_grid_run(&launch, &fault) != GPUSIM_GRID_OK)
        fprintf(stderr, "stand-in: %s: %s\n", symbol, fault.text);
    return true;
}

void standin_run(const standin_dispatch *dispatch)
{
    const char *name = name_of(dispatch->object);

    if (name == NULL) {
        run_unnamed(dispatch->arguments);
        return;
    }
    for (size_t i = 0; i < sizeof own_kernels / sizeof own_kernels[0]; ++i) {
        if (strcmp(name, own_kernels[i].name) == 0) {
            own_kernels[i].run(dispatch->arguments);
            return;
        }
    }
    if (!run_on_host(name, dispatch))
        fprintf(stderr, "stand-in: %s is not known\n", name);
}

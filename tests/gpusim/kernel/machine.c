/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MACHINE_CUDA = 190,
    MACHINE_AMDGPU = 224,
    ABI_CUDA = 51, /* as nvcc 11 and 12 write them */
    ABI_VERSION_CUDA = 7,
    ABI_AMDGPU_HSA = 64,
    ABI_VERSION_AMDGPU = 3, /* code object 5 */
    XNACK_SHIFT = 8,        /* two bits each: not supported, any, off, on */
    SRAMECC_SHIFT = 10,
#if defined(__x86_64__)
    MACHINE_HOST = EM_X86_64
#else
    MACHINE_HOST = EM_AARCH64
#endif
};

/* EF_AMDGPU_MACH of LLVM, and which features a processor can have on or off. */
static const struct processor {
    const char *name;
    uint32_t mach;
    bool sramecc, xnack;
} processors[] = {
    {"gfx900", 0x2c, false, true},   {"gfx906", 0x2f, true, true},    {"gfx908", 0x30, true, true},
    {"gfx90a", 0x3f, true, true},    {"gfx942", 0x4c, true, true},    {"gfx1030", 0x36, false, false},
    {"gfx1036", 0x45, false, false}, {"gfx1100", 0x41, false, false}, {"gfx9-generic", 0x51, false, true},
};

static const struct processor *processor_named(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); ++i)
        if (strlen(processors[i].name) == length && memcmp(processors[i].name, name, length) == 0)
            return &processors[i];
    return NULL;
}

/* 0: the processor has no such feature; 1: any; 2: off; 3: on. False if the target asks for what there is not. */
static bool setting_of(const char *target, const char *feature, bool there, uint32_t *setting)
{
    const char *at = strstr(target, feature);
    char sign = at != NULL ? at[strlen(feature)] : '\0';
    *setting = !there ? 0 : at == NULL ? 1 : sign == '-' ? 2 : 3;
    return at == NULL || (there && (sign == '-' || sign == '+'));
}

bool gpusim_machine_stamp(Elf64_Ehdr *header, const char *target)
{
    if (strncmp(target, "sm_", 3) == 0) {
        uint32_t sm = (uint32_t)strtoul(target + 3, NULL, 10);
        if (sm < 50 || sm > 255)
            return false;
        header->e_machine = MACHINE_CUDA;
        header->e_ident[EI_OSABI] = ABI_CUDA;
        header->e_ident[EI_ABIVERSION] = ABI_VERSION_CUDA;
        header->e_flags = sm << 16 | 0x500u | sm;
        return true;
    }
    const struct processor *processor = processor_named(target, strcspn(target, ":"));
    uint32_t xnack, sramecc;
    if (processor == NULL || !setting_of(target, "xnack", processor->xnack, &xnack) ||
        !setting_of(target, "sramecc", processor->sramecc, &sramecc))
        return false;
    header->e_machine = MACHINE_AMDGPU;
    header->e_ident[EI_OSABI] = ABI_AMDGPU_HSA;
    header->e_ident[EI_ABIVERSION] = ABI_VERSION_AMDGPU;
    header->e_flags = processor->mach | xnack << XNACK_SHIFT | sramecc << SRAMECC_SHIFT;
    return true;
}

/* FNV-1a. */
static bool sum_of(const void *data, size_t size, uint32_t *sum)
{
    const unsigned char *bytes = data;
    Elf64_Ehdr header;
    if (size < sizeof(header))
        return false;
    memcpy(&header, data, sizeof(header));
    size_t segments = (size_t)header.e_phnum * sizeof(Elf64_Phdr);
    if (header.e_phoff > size || segments > size - header.e_phoff)
        return false;
    *sum = 2166136261u;
    for (size_t i = EI_NIDENT; i < sizeof(header); ++i)
        *sum = (*sum ^ bytes[i]) * 16777619u;
    for (size_t i = 0; i < segments; ++i)
        *sum = (*sum ^ bytes[header.e_phoff + i]) * 16777619u;
    return true;
}

bool gpusim_machine_seal(void *data, size_t size)
{
    uint32_t sum;
    if (!sum_of(data, size, &sum))
        return false;
    memcpy((unsigned char *)data + EI_PAD, &sum, sizeof(sum));
    return true;
}

bool gpusim_machine_sealed(const void *data, size_t size)
{
    uint32_t sum;
    return sum_of(data, size, &sum) && memcmp((const unsigned char *)data + EI_PAD, &sum, sizeof(sum)) == 0;
}

bool gpusim_machine_read(const Elf64_Ehdr *header, gpusim_form *form, char target[64])
{
    static const char *const signs[] = {"", "", "-", "+"};

    if (header->e_machine == MACHINE_CUDA) {
        *form = GPUSIM_CUBIN;
        snprintf(target, 64, "sm_%u", header->e_flags & 0xffu);
        return true;
    }
    if (header->e_machine != MACHINE_AMDGPU)
        return false;
    for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); ++i) {
        uint32_t xnack = header->e_flags >> XNACK_SHIFT & 3, sramecc = header->e_flags >> SRAMECC_SHIFT & 3;
        if (processors[i].mach != (header->e_flags & 0xffu))
            continue;
        *form = GPUSIM_HSACO;
        snprintf(target, 64, "%s%s%s%s%s", processors[i].name, sramecc > 1 ? ":sramecc" : "", signs[sramecc],
                 xnack > 1 ? ":xnack" : "", signs[xnack]);
        return true;
    }
    return false;
}

void gpusim_machine_restore(Elf64_Ehdr *header)
{
    header->e_machine = MACHINE_HOST;
    header->e_ident[EI_OSABI] = ELFOSABI_NONE;
    header->e_ident[EI_ABIVERSION] = 0;
    header->e_flags = 0;
    memset(header->e_ident + EI_PAD, 0, EI_NIDENT - EI_PAD);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols.h"

#include <stdio.h>
#include <string.h>

static bool inside(const gpusim_symbols *symbols, const Elf64_Shdr *section)
{
    return section->sh_offset <= symbols->size && section->sh_size <= symbols->size - section->sh_offset;
}

static void read_table(gpusim_symbols *symbols, const Elf64_Shdr *sections, size_t count, const Elf64_Shdr *table)
{
    if (table->sh_link >= count || !inside(symbols, table) || !inside(symbols, &sections[table->sh_link]))
        return;

    const Elf64_Sym *entries = (const void *)(symbols->data + table->sh_offset);
    size_t symbol_count = table->sh_size / sizeof(*entries);
    const char *names = (const char *)symbols->data + sections[table->sh_link].sh_offset;
    if (table->sh_type == SHT_DYNSYM) {
        symbols->dynamic = entries;
        symbols->dynamic_count = symbol_count;
        symbols->dynamic_names = names;
    } else {
        symbols->all = entries;
        symbols->all_count = symbol_count;
        symbols->all_names = names;
    }
}

bool gpusim_symbols_read(const void *data, size_t size, gpusim_symbols *out)
{
    gpusim_symbols symbols = {.data = data, .size = size};
    const Elf64_Ehdr *header = data;
    if (size < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shoff > size ||
        (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) > size - header->e_shoff || header->e_phoff > size ||
        (uint64_t)header->e_phnum * sizeof(Elf64_Phdr) > size - header->e_phoff)
        return false;
    const Elf64_Shdr *sections = (const void *)(symbols.data + header->e_shoff);
    for (size_t i = 0; i < header->e_shnum; ++i)
        if (sections[i].sh_type == SHT_DYNSYM || sections[i].sh_type == SHT_SYMTAB)
            read_table(&symbols, sections, header->e_shnum, &sections[i]);
    *out = symbols;
    return symbols.dynamic != NULL;
}

const Elf64_Sym *gpusim_symbols_find(const gpusim_symbols *symbols, const char *name, unsigned type)
{
    for (size_t i = 0; i < symbols->dynamic_count; ++i) {
        const Elf64_Sym *symbol = &symbols->dynamic[i];
        if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == type &&
            strcmp(symbols->dynamic_names + symbol->st_name, name) == 0)
            return symbol;
    }
    return NULL;
}

/* A static variable of a function is called _ZZL, the function's name behind its length, its types, E and its own name. */
uint32_t gpusim_symbols_shared(const gpusim_symbols *symbols, const char *kernel, uint64_t *begin, uint64_t *end)
{
    char prefix[256];
    int length =
        snprintf(prefix, sizeof(prefix), "_ZZL%zuaccel_body_%s", strlen("accel_body_") + strlen(kernel), kernel);
    uint32_t bytes = 0;
    *begin = UINT64_MAX;
    *end = 0;
    for (size_t i = 0; i < symbols->all_count; ++i) {
        const Elf64_Sym *symbol = &symbols->all[i];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS && symbol->st_shndx != SHN_UNDEF &&
            strncmp(symbols->all_names + symbol->st_name, prefix, (size_t)length) == 0) {
            bytes += (uint32_t)(symbol->st_size + 15) & ~15u;
            *begin = symbol->st_value < *begin ? symbol->st_value : *begin;
            *end = symbol->st_value + symbol->st_size > *end ? symbol->st_value + symbol->st_size : *end;
        }
    }
    *begin = bytes != 0 ? *begin : *end;
    return bytes;
}

const void *gpusim_symbols_bytes(const gpusim_symbols *symbols, const Elf64_Sym *symbol)
{
    const Elf64_Ehdr *header = (const void *)symbols->data;
    const Elf64_Phdr *segments = (const void *)(symbols->data + header->e_phoff);
    for (size_t i = 0; i < header->e_phnum; ++i) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type == PT_LOAD && symbol->st_value >= segment->p_vaddr &&
            symbol->st_value + symbol->st_size <= segment->p_vaddr + segment->p_filesz)
            return symbols->data + segment->p_offset + (symbol->st_value - segment->p_vaddr);
    }
    return NULL;
}

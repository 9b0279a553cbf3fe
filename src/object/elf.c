/* SPDX-License-Identifier: Apache-2.0 */
#include "object/elf.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Structures are copied out of the image: it need not be aligned. All offsets and sizes come from the file and are
 * trusted only after inside() has seen them. */

static bool inside(const accel_elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->size && size <= elf->size - offset;
}

__attribute__((format(printf, 3, 4))) static bool refuse(char *reason, size_t reason_size, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(reason, reason_size, format, list);
    va_end(list);
    return false;
}

static Elf64_Shdr section_at(const accel_elf *elf, size_t index)
{
    Elf64_Shdr section;

    memcpy(&section, elf->data + elf->sections + index * sizeof(section), sizeof(section));
    return section;
}

static Elf64_Phdr segment_at(const accel_elf *elf, size_t index)
{
    Elf64_Phdr segment;

    memcpy(&segment, elf->data + elf->segments + index * sizeof(segment), sizeof(segment));
    return segment;
}

/* The file offset of `size` bytes that a loader would put at `address`. */
static bool segment_offset(const accel_elf *elf, uint64_t address, uint64_t size, size_t *offset)
{
    for (size_t i = 0; i < elf->segment_count; ++i) {
        Elf64_Phdr segment = segment_at(elf, i);
        uint64_t within = address - segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && within <= segment.p_filesz &&
            size <= segment.p_filesz - within) {
            *offset = (size_t)(segment.p_offset + within); /* segments lie in the file: check_segments */
            return true;
        }
    }
    return false;
}

static bool read_header(accel_elf *elf, char *reason, size_t reason_size)
{
    Elf64_Ehdr header;

    if (elf->size < SELFMAG || memcmp(elf->data, ELFMAG, SELFMAG) != 0)
        return refuse(reason, reason_size, "not an ELF file");
    if (elf->size < sizeof(header))
        return refuse(reason, reason_size, "truncated: %zu bytes are less than an ELF header", elf->size);
    memcpy(&header, elf->data, sizeof(header));
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(reason, reason_size, "not a 64-bit little-endian ELF file");
    if (header.e_ident[EI_VERSION] != EV_CURRENT)
        return refuse(reason, reason_size, "ELF version %u is unknown", header.e_ident[EI_VERSION]);
    elf->machine = header.e_machine;
    elf->type = header.e_type;
    if (header.e_phnum != 0) {
        if (header.e_phentsize != sizeof(Elf64_Phdr))
            return refuse(reason, reason_size, "program headers of %u bytes are unknown", header.e_phentsize);
        if (!inside(elf, header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr)))
            return refuse(reason, reason_size, "truncated: program headers lie beyond the file's %zu bytes", elf->size);
        elf->segments = (size_t)header.e_phoff;
        elf->segment_count = header.e_phnum;
    }
    if (header.e_shoff != 0 && header.e_shnum != 0) {
        if (header.e_shentsize != sizeof(Elf64_Shdr))
            return refuse(reason, reason_size, "section headers of %u bytes are unknown", header.e_shentsize);
        if (!inside(elf, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
            return refuse(reason, reason_size, "truncated: section headers lie beyond the file's %zu bytes", elf->size);
        elf->sections = (size_t)header.e_shoff;
        elf->section_count = header.e_shnum;
    }
    return true;
}

static bool check_segments(const accel_elf *elf, char *reason, size_t reason_size)
{
    for (size_t i = 0; i < elf->segment_count; ++i) {
        Elf64_Phdr segment = segment_at(elf, i);
        if ((segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC) &&
            !inside(elf, segment.p_offset, segment.p_filesz))
            return refuse(reason, reason_size, "truncated: segment %zu lies beyond the file's %zu bytes", i, elf->size);
    }
    return true;
}

static size_t later(const accel_elf *elf, size_t end, uint64_t offset, uint64_t size)
{
    return inside(elf, offset, size) && offset + size > end ? (size_t)(offset + size) : end;
}

size_t accel_elf_end(const accel_elf *elf)
{
    size_t end = later(elf, sizeof(Elf64_Ehdr), elf->segments, elf->segment_count * sizeof(Elf64_Phdr));
    end = later(elf, end, elf->sections, elf->section_count * sizeof(Elf64_Shdr));
    for (size_t i = 0; i < elf->segment_count; ++i) {
        const Elf64_Phdr segment = segment_at(elf, i);
        end = later(elf, end, segment.p_offset, segment.p_filesz);
    }
    for (size_t i = 0; i < elf->section_count; ++i) {
        const Elf64_Shdr section = section_at(elf, i);
        if (section.sh_type != SHT_NOBITS)
            end = later(elf, end, section.sh_offset, section.sh_size);
    }
    return end;
}

/* Symbols by the section header table. */
static bool find_section_symbols(accel_elf *elf, uint32_t type)
{
    for (size_t i = 0; i < elf->section_count; ++i) {
        Elf64_Shdr table = section_at(elf, i);
        if (table.sh_type != type || table.sh_link >= elf->section_count ||
            !inside(elf, table.sh_offset, table.sh_size))
            continue;
        Elf64_Shdr strings = section_at(elf, table.sh_link);
        if (strings.sh_type != SHT_STRTAB || !inside(elf, strings.sh_offset, strings.sh_size))
            continue;
        elf->symbols = (size_t)table.sh_offset;
        elf->symbol_count = (size_t)(table.sh_size / sizeof(Elf64_Sym));
        elf->strings = (size_t)strings.sh_offset;
        elf->strings_size = (size_t)strings.sh_size;
        return true;
    }
    return false;
}

/* DT_GNU_HASH knows the number of symbols only as the end of its last chain. */
static bool gnu_hash_count(const accel_elf *elf, uint64_t address, size_t *count)
{
    uint32_t header[4]; /* buckets, first hashed symbol, bloom words, bloom shift */
    size_t offset;

    if (!segment_offset(elf, address, sizeof(header), &offset))
        return false;
    memcpy(header, elf->data + offset, sizeof(header));

    uint64_t buckets = offset + sizeof(header) + (uint64_t)header[2] * 8;
    uint64_t chains = buckets + (uint64_t)header[0] * 4;
    uint32_t last = 0, word;

    if (!inside(elf, buckets, (uint64_t)header[0] * 4))
        return false;
    for (uint32_t i = 0; i < header[0]; ++i) {
        memcpy(&word, elf->data + buckets + (size_t)i * 4, 4);
        if (word > last)
            last = word;
    }
    if (last < header[1]) { /* no symbol is defined */
        *count = header[1];
        return true;
    }
    for (uint64_t i = last - header[1];; ++i) {
        if (!inside(elf, chains, (i + 1) * 4))
            return false;
        memcpy(&word, elf->data + chains + (size_t)i * 4, 4);
        if ((word & 1u) != 0) {
            *count = (size_t)(i + 1 + header[1]);
            return true;
        }
    }
}

static bool hash_count(const accel_elf *elf, uint64_t address, size_t *count)
{
    uint32_t header[2]; /* buckets, chains */
    size_t offset;

    if (!segment_offset(elf, address, sizeof(header), &offset))
        return false;
    memcpy(header, elf->data + offset, sizeof(header));
    *count = header[1];
    return true;
}

/* Symbols as the dynamic loader finds them. */
static bool find_dynamic_symbols(accel_elf *elf)
{
    uint64_t table = 0, strings = 0, strings_size = 0, hash = 0, gnu_hash = 0;
    size_t count = 0;

    for (size_t i = 0; i < elf->segment_count; ++i) {
        Elf64_Phdr segment = segment_at(elf, i);
        if (segment.p_type != PT_DYNAMIC)
            continue;
        for (size_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            memcpy(&entry, elf->data + segment.p_offset + at, sizeof(entry));
            if (entry.d_tag == DT_NULL)
                break;
            if (entry.d_tag == DT_SYMTAB)
                table = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_STRTAB)
                strings = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_STRSZ)
                strings_size = entry.d_un.d_val;
            else if (entry.d_tag == DT_HASH)
                hash = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_GNU_HASH)
                gnu_hash = entry.d_un.d_ptr;
        }
    }
    if (table == 0 || strings == 0 || strings_size == 0)
        return false;
    if (!(hash != 0 && hash_count(elf, hash, &count)) && !(gnu_hash != 0 && gnu_hash_count(elf, gnu_hash, &count)))
        return false;
    if (count > elf->size / sizeof(Elf64_Sym) ||
        !segment_offset(elf, table, count * sizeof(Elf64_Sym), &elf->symbols) ||
        !segment_offset(elf, strings, strings_size, &elf->strings))
        return false;
    elf->symbol_count = count;
    elf->strings_size = (size_t)strings_size;
    return true;
}

bool accel_elf_open(const void *data, size_t size, accel_elf *out, char *reason, size_t reason_size)
{
    accel_elf elf = {.data = data, .size = size};

    if (!read_header(&elf, reason, reason_size) || !check_segments(&elf, reason, reason_size))
        return false;
    if (!find_dynamic_symbols(&elf) && !find_section_symbols(&elf, SHT_DYNSYM))
        (void)find_section_symbols(&elf,
                                   SHT_SYMTAB); /* without symbols nothing will be found in it, which is no fault */
    *out = elf;
    return true;
}

const char *accel_elf_machine_name(uint16_t machine, char buffer[24])
{
    switch (machine) {
    case EM_X86_64:
        return "x86-64";
    case EM_AARCH64:
        return "aarch64";
    case ACCEL_ELF_AMDGPU:
        return "amdgpu";
    case ACCEL_ELF_CUDA:
        return "cuda";
    default:
        snprintf(buffer, 24, "machine %u", machine);
        return buffer;
    }
}

uint16_t accel_elf_native_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#elif defined(__riscv)
    return EM_RISCV;
#elif defined(__powerpc64__)
    return EM_PPC64;
#elif defined(__loongarch__)
    return 258; /* EM_LOONGARCH */
#else
#error "libaccel does not know this machine's ELF number: add it here"
#endif
}

/* The name and entry of a defined symbol, or NULL. */
static const char *symbol_at(const accel_elf *elf, size_t index, Elf64_Sym *symbol)
{
    memcpy(symbol, elf->data + elf->symbols + index * sizeof(*symbol), sizeof(*symbol));
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_name >= elf->strings_size)
        return NULL;

    const char *name = (const char *)elf->data + elf->strings + symbol->st_name;

    return memchr(name, '\0', elf->strings_size - symbol->st_name) != NULL ? name : NULL;
}

/* Where the symbol's bytes lie in the file. Only what a loader maps is found by address; in other files (cubins among
 * them, whose sections have no addresses) values count from the symbol's section. */
static bool symbol_offset(const accel_elf *elf, const Elf64_Sym *symbol, size_t *offset)
{
    if (elf->type == ET_DYN && segment_offset(elf, symbol->st_value, symbol->st_size, offset))
        return true;
    if (symbol->st_shndx >= elf->section_count)
        return false;

    Elf64_Shdr section = section_at(elf, symbol->st_shndx);
    uint64_t within = elf->type == ET_REL ? symbol->st_value : symbol->st_value - section.sh_addr;

    if (section.sh_type == SHT_NOBITS || within > section.sh_size || symbol->st_size > section.sh_size - within ||
        !inside(elf, section.sh_offset, section.sh_size))
        return false;
    *offset = (size_t)(section.sh_offset + within);
    return true;
}

const void *accel_elf_symbol(const accel_elf *elf, const char *name, size_t size, size_t *symbol_size)
{
    for (size_t i = 0; i < elf->symbol_count; ++i) {
        Elf64_Sym symbol;
        const char *found = symbol_at(elf, i, &symbol);
        size_t offset;

        if (found == NULL || strcmp(found, name) != 0 || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT ||
            symbol.st_size < size)
            continue;
        if (symbol_offset(elf, &symbol, &offset)) {
            *symbol_size = (size_t)symbol.st_size;
            return elf->data + offset;
        }
    }
    return NULL;
}

const char *accel_elf_symbol_name(const accel_elf *elf, size_t index)
{
    Elf64_Sym symbol;

    return index < elf->symbol_count ? symbol_at(elf, index, &symbol) : NULL;
}

const void *accel_elf_section(const accel_elf *elf, const char *name, size_t *size)
{
    const size_t length = strlen(name) + 1;
    Elf64_Ehdr header;

    memcpy(&header, elf->data, sizeof(header));
    if (header.e_shstrndx >= elf->section_count)
        return NULL;

    Elf64_Shdr names = section_at(elf, header.e_shstrndx);

    if (names.sh_type != SHT_STRTAB || !inside(elf, names.sh_offset, names.sh_size))
        return NULL;
    for (size_t i = 0; i < elf->section_count; ++i) {
        Elf64_Shdr section = section_at(elf, i);
        if (section.sh_name >= names.sh_size || length > names.sh_size - section.sh_name ||
            memcmp(elf->data + names.sh_offset + section.sh_name, name, length) != 0 || section.sh_type == SHT_NOBITS ||
            !inside(elf, section.sh_offset, section.sh_size))
            continue;
        *size = (size_t)section.sh_size;
        return elf->data + section.sh_offset;
    }
    return NULL;
}

void accel_elf_visit(const accel_elf *elf, const char *prefix, accel_elf_visitor visit, void *user)
{
    size_t length = strlen(prefix);

    for (size_t i = 0; i < elf->symbol_count; ++i) {
        Elf64_Sym symbol;
        const char *found = symbol_at(elf, i, &symbol);
        size_t offset;

        if (found == NULL || strncmp(found, prefix, length) != 0)
            continue;
        bool is_data = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol_offset(elf, &symbol, &offset);
        visit(user, found + length, is_data ? elf->data + offset : NULL, (size_t)symbol.st_size);
    }
}

/* The same in one segment of notes. */
static const void *find_note(const unsigned char *at, size_t left, const char *owner, uint32_t type, size_t *size)
{
    const size_t owner_size = strlen(owner) + 1;
    Elf64_Nhdr header;

    while (left >= sizeof(header)) {
        memcpy(&header, at, sizeof(header));
        size_t name = ((size_t)header.n_namesz + 3) / 4 * 4, content = ((size_t)header.n_descsz + 3) / 4 * 4;
        at += sizeof(header);
        left -= sizeof(header);
        if (name > left || header.n_descsz > left - name)
            return NULL;
        if (header.n_type == type && header.n_namesz == owner_size && memcmp(at, owner, owner_size) == 0) {
            *size = header.n_descsz;
            return at + name;
        }
        if (content > left - name)
            return NULL;
        at += name + content;
        left -= name + content;
    }
    return NULL;
}

const void *accel_elf_note(const accel_elf *elf, const char *owner, uint32_t type, size_t *size)
{
    const void *note = NULL;

    for (size_t i = 0; i < elf->segment_count && note == NULL; ++i) {
        Elf64_Phdr segment = segment_at(elf, i);
        if (segment.p_type == PT_NOTE && inside(elf, segment.p_offset, segment.p_filesz))
            note = find_note(elf->data + segment.p_offset, (size_t)segment.p_filesz, owner, type, size);
    }
    return note;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "object/elf_file.h"

#include "object/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 16384 };

/* The bytes that are there, at most `size`. */
static size_t read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got = pread(file, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

bool elf_file_has(int file, size_t offset, size_t size, const char *text)
{
    char piece[PIECE];
    size_t length = strlen(text), kept = 0;

    while (size != 0) {
        size_t room = PIECE - kept, wanted = size < room ? size : room;
        size_t got = read_at(file, piece + kept, wanted, offset);
        if (memmem(piece, kept + got, text, length) != NULL)
            return true;
        if (got < wanted)
            return false;
        offset += got;
        size -= got;
        got += kept;
        kept = length - 1 < got ? length - 1 : got; /* the text may begin in one piece and end in the next */
        memmove(piece, piece + got - kept, kept);
    }
    return false;
}

static bool inside(size_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

static bool read_section(int file, const Elf64_Ehdr *header, size_t index, Elf64_Shdr *section)
{
    return read_at(file, section, sizeof(*section), header->e_shoff + index * sizeof(*section)) == sizeof(*section);
}

/* Symbols for the dynamic loader, if there are any, count alone, as for accel_elf_open. */
static bool is_dynamic(int file, const Elf64_Ehdr *header)
{
    Elf64_Shdr section;

    for (size_t i = 0; i < header->e_shnum; ++i) {
        if (read_section(file, header, i, &section) && section.sh_type == SHT_DYNSYM)
            return true;
    }
    return false;
}

/* Is the name in a string table? Tables that do not lie in the file are none. */
static bool has_name(int file, size_t size, const Elf64_Ehdr *header, const char *name)
{
    bool loaded = is_dynamic(file, header);
    Elf64_Shdr section;

    for (size_t i = 0; i < header->e_shnum; ++i) {
        if (read_section(file, header, i, &section) && section.sh_type == SHT_STRTAB &&
            (!loaded || (section.sh_flags & SHF_ALLOC) != 0) && inside(size, section.sh_offset, section.sh_size) &&
            elf_file_has(file, (size_t)section.sh_offset, (size_t)section.sh_size, name))
            return true;
    }
    return false;
}

bool elf_file_may_name(int file, size_t size, const char *name, char *reason, size_t reason_size)
{
    Elf64_Ehdr header;
    size_t got = read_at(file, &header, sizeof(header), 0);

    if (got < SELFMAG || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        snprintf(reason, reason_size, "not an ELF file");
        return false;
    }
    if (got < sizeof(header) || header.e_shoff == 0 || header.e_shnum == 0 ||
        header.e_shentsize != sizeof(Elf64_Shdr) ||
        !inside(size, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
        return true; /* accel_elf_open says what is wrong */
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        snprintf(reason, reason_size, "not a 64-bit little-endian ELF file");
        return false;
    }
    if (has_name(file, size, &header, name))
        return true;
    snprintf(reason, reason_size, "no symbol in it is called %s*", name);
    return false;
}

/* To its place in the data. */
static bool read_range(int file, unsigned char *data, size_t size, uint64_t offset, uint64_t length)
{
    return inside(size, offset, length) && read_at(file, data + offset, (size_t)length, offset) == length;
}

static bool leads_to_symbols(const Elf64_Shdr *section)
{
    switch (section->sh_type) {
    case SHT_DYNSYM:
    case SHT_DYNAMIC:
    case SHT_HASH:
    case SHT_GNU_HASH:
        return true;
    case SHT_STRTAB:
        return (section->sh_flags & SHF_ALLOC) != 0;
    default:
        return false;
    }
}

static bool read_tables(int file, unsigned char *data, size_t size)
{
    Elf64_Ehdr header;
    bool has_symbols = false;

    if (!read_range(file, data, size, 0, sizeof(header)))
        return false;
    memcpy(&header, data, sizeof(header));
    if (header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_phentsize != sizeof(Elf64_Phdr) ||
        !read_range(file, data, size, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)) ||
        !read_range(file, data, size, header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr)))
        return false;
    for (size_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr section;
        memcpy(&section, data + header.e_shoff + i * sizeof(section), sizeof(section));
        has_symbols = has_symbols || section.sh_type == SHT_DYNSYM;
        if (leads_to_symbols(&section) && !read_range(file, data, size, section.sh_offset, section.sh_size))
            return false;
    }
    return has_symbols;
}

bool elf_file_read_symbol(int file, unsigned char *data, size_t size, const char *name)
{
    char reason[128];
    size_t length = 0;
    accel_elf elf;

    if (!read_tables(file, data, size) || !accel_elf_open(data, size, &elf, reason, sizeof(reason)))
        return false;
    const unsigned char *bytes = accel_elf_symbol(&elf, name, 1, &length);
    return bytes != NULL && read_range(file, data, size, (uint64_t)(bytes - data), length);
}

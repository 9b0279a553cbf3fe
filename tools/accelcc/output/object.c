/* SPDX-License-Identifier: Apache-2.0 */
#include "output/object.h"

#include "object/seal.h"
#include "base/arena.h"
#include "base/message.h"

#include <accel/object.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const unsigned char *object_read(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        message_error("\"%s\" cannot be read: %s", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    size_t expected = (size_t)status.st_size;
    unsigned char *data = arena_alloc(expected);
    size_t got = fread(data, 1, expected, file);
    fclose(file);
    if (got != expected) {
        message_error("\"%s\" cannot be read: %zu of %zu bytes", path, got, expected);
        return NULL;
    }
    *size = got;
    return data;
}

static bool fits(size_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

/* Counts the defined symbols of one symbol table that are descriptors. */
static size_t count_in(const unsigned char *data, size_t size, const Elf64_Shdr *symbols, const Elf64_Shdr *strings)
{
    const size_t prefix = strlen(ACCEL_DESCRIPTOR_PREFIX);
    size_t count = 0;
    if (!fits(size, symbols->sh_offset, symbols->sh_size) || !fits(size, strings->sh_offset, strings->sh_size))
        return 0;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, data + symbols->sh_offset + at, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < strings->sh_size &&
            strings->sh_size - symbol.st_name > prefix &&
            memcmp(data + strings->sh_offset + symbol.st_name, ACCEL_DESCRIPTOR_PREFIX, prefix) == 0)
            ++count;
    }
    return count;
}

/* `type` of the table: SHT_DYNSYM, or SHT_SYMTAB for cubins, which have no other. */
static size_t count_descriptors(const unsigned char *data, size_t size, const Elf64_Ehdr *header, uint32_t type)
{
    if (header->e_shentsize != sizeof(Elf64_Shdr) ||
        !fits(size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return 0;
    size_t count = 0;
    for (size_t i = 0; i < header->e_shnum; ++i) {
        Elf64_Shdr section, strings;
        memcpy(&section, data + header->e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != type || section.sh_link >= header->e_shnum)
            continue;
        memcpy(&strings, data + header->e_shoff + section.sh_link * sizeof strings, sizeof strings);
        count += count_in(data, size, &section, &strings);
    }
    return count;
}

bool object_check(const accelcc_job *job, const char *path)
{
    size_t size = 0;
    Elf64_Ehdr header;
    const unsigned char *data = object_read(path, &size);
    if (data == NULL)
        return false;
    if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64) {
        message_error("%s made no 64-bit ELF object for %s; look at the -m flags", job->compiler->command.items[0],
                      job->name);
        return false;
    }
    memcpy(&header, data, sizeof header);
    if (header.e_machine != job->target->architecture->elf_machine || header.e_type != ET_DYN) {
        message_error("%s made an object for ELF machine %u (type %u), but %s is machine %u; look at the -m flags",
                      job->compiler->command.items[0], header.e_machine, header.e_type, job->name,
                      job->target->architecture->elf_machine);
        return false;
    }
    if (count_descriptors(data, size, &header, SHT_DYNSYM) == 0) {
        object_no_kernels(job);
        return false;
    }
    return true;
}

bool object_seal(const char *path)
{
    size_t size = 0;
    unsigned char seal[SEAL_SIZE];
    const unsigned char *data = object_read(path, &size);
    if (data == NULL)
        return false;
    seal_make(data, size, seal);
    FILE *file = fopen(path, "ab");
    bool good = file != NULL && fwrite(seal, 1, sizeof seal, file) == sizeof seal;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (!good)
        message_error("\"%s\" cannot be written: %s", path, strerror(errno));
    return good;
}

void object_no_kernels(const accelcc_job *job)
{
    message_error("no kernels in %s: nothing exports a symbol \"" ACCEL_DESCRIPTOR_PREFIX
                  "NAME\"; define one with ACCEL_KERNEL",
                  list_join(&job->options->sources, ", "));
}

bool object_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool object_check_gpu(const accelcc_job *job, const char *path)
{
    size_t size = 0;
    Elf64_Ehdr header;
    const unsigned char *data = object_read(path, &size);
    if (data == NULL)
        return false;
    if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64) {
        message_error("%s made no 64-bit ELF object for %s", job->compiler->command.items[0], job->name);
        return false;
    }
    memcpy(&header, data, sizeof header);
    if (count_descriptors(data, size, &header, SHT_DYNSYM) + count_descriptors(data, size, &header, SHT_SYMTAB) != 0)
        return true;
    object_no_kernels(job);
    return false;
}

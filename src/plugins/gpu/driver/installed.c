/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/installed.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct mapping {
    const unsigned char *data;
    size_t size;
} mapping;

static bool map(const char *path, mapping *out)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *data = MAP_FAILED;

    if (file < 0)
        return false;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        return false;
    *out = (mapping){data, (size_t)about.st_size};
    return true;
}

static void unmap(const mapping *m)
{
    union {
        const void *is;
        void *wanted;
    } data = {m->data};

    munmap(data.wanted, m->size);
}

static bool find_in_environment(const char *name, char *path, size_t size)
{
    const char *directory = secure_getenv("LD_LIBRARY_PATH");

    while (directory != NULL && *directory != '\0') {
        size_t length = strcspn(directory, ":;");
        int written = snprintf(path, size, "%.*s/%s", (int)length, directory, name);
        if (length > 0 && written > 0 && (size_t)written < size && access(path, R_OK) == 0)
            return true;
        directory += length + (directory[length] != '\0');
    }
    return false;
}

/* The cache has each library's name and path as strings, which end with a zero. The path's end is searched for: "/NAME". */
static bool find_in_cache(const char *root, const char *name, char *path, size_t size)
{
    char cache[PATH_MAX], wanted[256];
    mapping m;
    bool found = false;
    int written = snprintf(cache, sizeof(cache), "%s/etc/ld.so.cache", root);
    int length = snprintf(wanted, sizeof(wanted), "/%s", name);

    if (written < 0 || (size_t)written >= sizeof(cache) || length < 0 || (size_t)length >= sizeof(wanted) ||
        !map(cache, &m))
        return false;
    const unsigned char *at = m.data, *end = m.data + m.size;
    while (!found && (at = memmem(at, (size_t)(end - at), wanted, (size_t)length + 1)) != NULL) {
        const unsigned char *begin = at, *behind = at + length;
        while (begin > m.data && begin[-1] != '\0')
            --begin;
        written = snprintf(path, size, "%.*s", (int)(behind - begin), (const char *)begin);
        found = *begin == '/' && written > 0 && (size_t)written < size && access(path, R_OK) == 0;
        at = behind;
    }
    unmap(&m);
    return found;
}

bool gpu_installed_find(const char *root, const char *name, char *path, size_t size)
{
    if (strchr(name, '/') != NULL) {
        int written = snprintf(path, size, "%s", name);
        return written > 0 && (size_t)written < size && access(path, R_OK) == 0;
    }
    return find_in_environment(name, path, size) || find_in_cache(root, name, path, size);
}

static bool within(const mapping *m, uint64_t offset, uint64_t size)
{
    return offset <= m->size && size <= m->size - offset;
}

static bool read_header(const mapping *m, Elf64_Ehdr *header)
{
    if (!within(m, 0, sizeof(*header)))
        return false;
    memcpy(header, m->data, sizeof(*header));
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_phentsize == sizeof(Elf64_Phdr) &&
           within(m, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr));
}

static Elf64_Phdr segment_at(const mapping *m, const Elf64_Ehdr *header, unsigned index)
{
    Elf64_Phdr segment;

    memcpy(&segment, m->data + header->e_phoff + index * sizeof(segment), sizeof(segment));
    return segment;
}

/* Where an address of the loaded library is in its file; 0 if nowhere. */
static uint64_t offset_of(const mapping *m, const Elf64_Ehdr *header, uint64_t address)
{
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        Elf64_Phdr segment = segment_at(m, header, i);
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
            return segment.p_offset + (address - segment.p_vaddr);
    }
    return 0;
}

/* The strings that DT_NEEDED's values count from; 0: none. */
static uint64_t find_strings(const mapping *m, const Elf64_Ehdr *header, const Elf64_Phdr *dynamic)
{
    Elf64_Dyn entry;

    for (uint64_t at = 0; at + sizeof(entry) <= dynamic->p_filesz; at += sizeof(entry)) {
        memcpy(&entry, m->data + dynamic->p_offset + at, sizeof(entry));
        if (entry.d_tag == DT_STRTAB)
            return offset_of(m, header, entry.d_un.d_ptr);
    }
    return 0;
}

static bool dynamic_needs(const mapping *m, const Elf64_Ehdr *header, const Elf64_Phdr *dynamic, const char *needed)
{
    uint64_t strings = find_strings(m, header, dynamic), length = strlen(needed);
    Elf64_Dyn entry;

    for (uint64_t at = 0; strings != 0 && strings <= m->size && at + sizeof(entry) <= dynamic->p_filesz;
         at += sizeof(entry)) {
        memcpy(&entry, m->data + dynamic->p_offset + at, sizeof(entry));
        if (entry.d_tag == DT_NEEDED && entry.d_un.d_val <= m->size && within(m, strings + entry.d_un.d_val, length) &&
            memcmp(m->data + strings + entry.d_un.d_val, needed, length) == 0)
            return true;
    }
    return false;
}

bool gpu_installed_needs(const char *path, const char *needed)
{
    mapping m;
    Elf64_Ehdr header;
    bool found = false;

    if (!map(path, &m))
        return false;
    for (unsigned i = 0; read_header(&m, &header) && i < header.e_phnum && !found; ++i) {
        Elf64_Phdr segment = segment_at(&m, &header, i);
        found = segment.p_type == PT_DYNAMIC && within(&m, segment.p_offset, segment.p_filesz) &&
                dynamic_needs(&m, &header, &segment, needed);
    }
    unmap(&m);
    return found;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "output/symbols.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"
#include "output/object.h"

#include <accel/kernel/cpu/check_table.h>
#include <accel/object.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct object {
    const char *path;
    unsigned char *data;
    size_t size;
    Elf64_Shdr *strings; /* of the symbols' names */
    Elf64_Sym *symbols;
    size_t count;
    bool *signatures; /* for each symbol: does it name a group, of which the linker keeps one? */
} object;

static const char *name_of(const object *self, const Elf64_Sym *symbol)
{
    return (const char *)self->data + self->strings->sh_offset + symbol->st_name;
}

static void note_signatures(object *self, const Elf64_Shdr *sections, size_t count)
{
    self->signatures = arena_alloc(self->count * sizeof(bool) + 1);
    for (size_t i = 0; i < count; ++i)
        if (sections[i].sh_type == SHT_GROUP && sections[i].sh_info < self->count)
            self->signatures[sections[i].sh_info] = true;
}

/* What a compiler has just made, so it is whole. */
static bool open_object(const char *path, object *self)
{
    const unsigned char *bytes = object_read(path, &self->size);
    if (bytes == NULL)
        return false;
    self->path = path;
    self->data = arena_alloc(self->size + 1);
    memcpy(self->data, bytes, self->size);
    Elf64_Ehdr *header = (void *)self->data;
    const bool known = self->size > sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                       header->e_ident[EI_CLASS] == ELFCLASS64;
    Elf64_Shdr *sections = known ? (void *)(self->data + header->e_shoff) : NULL;
    for (size_t i = 0; known && i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        self->strings = &sections[sections[i].sh_link];
        self->symbols = (void *)(self->data + sections[i].sh_offset);
        self->count = sections[i].sh_size / sizeof *self->symbols;
        note_signatures(self, sections, header->e_shnum);
        return true;
    }
    message_error("\"%s\" is no ELF object with a table of symbols; name gcc or clang with --cc", path);
    return false;
}

static bool is_data(const Elf64_Sym *symbol)
{
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return type == STT_OBJECT || type == STT_TLS || type == STT_COMMON;
}

static bool is_local(const Elf64_Sym *symbol)
{
    return ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
}

/* Is it defined here, and twice in the library? */
static bool is_own(const object *self, size_t at)
{
    const Elf64_Sym *symbol = &self->symbols[at];
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    const char *name = name_of(self, symbol);
    if (type == STT_SECTION || type == STT_FILE || *name == '\0')
        return false;
    if (is_local(symbol))
        return type == STT_TLS || (self->signatures[at] && !is_data(symbol));
    if (symbol->st_shndx == SHN_UNDEF)
        return false;
    return !is_data(symbol) || strncmp(name, ACCEL_DESCRIPTOR_PREFIX, strlen(ACCEL_DESCRIPTOR_PREFIX)) == 0;
}

static void add_functions(const object *self, list *functions)
{
    for (size_t i = 0; i < self->count; ++i)
        if (!is_local(&self->symbols[i]) && is_own(self, i))
            list_add(functions, name_of(self, &self->symbols[i]));
}

/* Changes the table of symbols; the names, in a longer table, come at the end of the file. */
static bool write_object(object *self, const list *functions)
{
    const size_t begin = self->strings->sh_offset, length = self->strings->sh_size;
    list names = {0};
    size_t end = length;
    FILE *file = fopen(self->path, "wb");
    for (size_t i = 0; i < self->count; ++i) {
        Elf64_Sym *symbol = &self->symbols[i];
        const char *name = name_of(self, symbol);
        if (is_own(self, i) || (symbol->st_shndx == SHN_UNDEF && list_contains(functions, name))) {
            list_add(&names, name);
            symbol->st_name = (Elf64_Word)end;
            end += strlen(ACCEL_LIGHT_PREFIX) + strlen(name) + 1;
            if (!is_local(symbol))
                symbol->st_other = (unsigned char)((symbol->st_other & ~3u) | STV_HIDDEN);
        } else if (is_data(symbol) && symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_COMMON &&
                   ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL) {
            symbol->st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol->st_info));
        }
    }
    self->strings->sh_offset = self->size;
    self->strings->sh_size = end;
    bool good = file != NULL && fwrite(self->data, 1, self->size, file) == self->size &&
                fwrite(self->data + begin, 1, length, file) == length;
    for (size_t i = 0; good && i < names.count; ++i)
        good = fprintf(file, ACCEL_LIGHT_PREFIX "%s", names.items[i]) > 0 && fputc('\0', file) == 0;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (!good)
        message_error("\"%s\" cannot be written: %s", self->path, strerror(errno));
    return good;
}

bool symbols_make_light(const list *objects)
{
    object *opened = arena_alloc(objects->count * sizeof *opened + 1);
    list functions = {0};
    for (size_t i = 0; i < objects->count; ++i) {
        if (!open_object(workspace_path(objects->items[i]), &opened[i]))
            return false;
        add_functions(&opened[i], &functions);
    }
    for (size_t i = 0; i < objects->count; ++i)
        if (!write_object(&opened[i], &functions))
            return false;
    return true;
}

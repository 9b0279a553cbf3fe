/* SPDX-License-Identifier: Apache-2.0 */
#include "symbol.h"
#include "settings.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct symbol_table {
    Elf64_Sym *symbols;
    const char *names;
    const uint32_t *hash; /* DT_GNU_HASH */
} symbol_table;

/* What the address belongs to, and its tables. */
static int find_table(struct dl_phdr_info *info, size_t size, void *user)
{
    symbol_table *table = user;
    const Elf64_Dyn *dynamic = NULL;
    bool here = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)start; /* NOLINT(performance-no-int-to-ptr) */
        here = here || (segment->p_type == PT_LOAD && (uintptr_t)&find_table - start < segment->p_memsz);
    }
    if (!here || dynamic == NULL)
        return 0;
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
        void *value = (void *)dynamic->d_un.d_ptr; /* NOLINT(performance-no-int-to-ptr) */
        if (dynamic->d_tag == DT_SYMTAB)
            table->symbols = value;
        else if (dynamic->d_tag == DT_STRTAB)
            table->names = value;
        else if (dynamic->d_tag == DT_GNU_HASH)
            table->hash = value;
    }
    return 1;
}

/* The symbols with a definition, by the chains of the GNU hash table. */
static size_t count_of(const uint32_t *hash)
{
    uint32_t buckets = hash[0], first = hash[1], last = 0;
    const uint32_t *bucket = hash + 4 + 2 * hash[2], *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; ++i)
        if (bucket[i] > last)
            last = bucket[i];
    while (last >= first && (chain[last - first] & 1) == 0)
        ++last;
    return last + 1;
}

static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

bool sim_symbol_is_missing(const char *exported)
{
    return sim_symbol_version(exported) > sim_settings_version() || is_listed(getenv("GPUSIM_MISSING"), exported);
}

bool sim_symbol_is_newer(const char *name)
{
    return is_listed(getenv("GPUSIM_NEWER"), name);
}

__attribute__((constructor)) static void remove_symbols(void)
{
    symbol_table table = {0};
    if (dl_iterate_phdr(find_table, &table) == 0 || table.hash == NULL)
        return;
    size_t count = count_of(table.hash), page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)table.symbols & ~(page - 1), end = (uintptr_t)(table.symbols + count);
    if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) != 0) /* NOLINT(performance-no-int-to-ptr) */
        return;
    for (size_t i = 0; i < count; ++i)
        if (table.symbols[i].st_name != 0 && table.symbols[i].st_value != 0 &&
            sim_symbol_is_missing(table.names + table.symbols[i].st_name))
            table.symbols[i].st_value = 0;
    mprotect((void *)start, end - start, PROT_READ); /* NOLINT(performance-no-int-to-ptr) */
}

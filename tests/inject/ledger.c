/* SPDX-License-Identifier: Apache-2.0 */
#include "ledger.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LIBRARIES = 16, MOST_ENTRIES = 1 << 14 };

/* Code of libaccel, its plugins and what they share. Written under the lock; the count is published last. */
static struct {
    char name[64];
    uintptr_t base, begin, end;
} libraries[MOST_LIBRARIES];
static _Atomic size_t library_count;

static struct {
    const void *memory; /* NULL: never used; &removed: used again */
    inject_site site;
} entries[MOST_ENTRIES];
static const char removed;
static unsigned long entry_count;                        /* of those in use */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all of these */

static int add_library(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash != NULL ? slash + 1 : info->dlpi_name;
    size_t count = library_count;
    (void)size, (void)user;
    if (strncmp(name, "libaccel", 8) != 0 || count == MOST_LIBRARIES)
        return 0;
    for (size_t i = 0; i < count; ++i)
        if (libraries[i].base == info->dlpi_addr)
            return 0;
    libraries[count].base = info->dlpi_addr;
    libraries[count].begin = UINTPTR_MAX;
    for (size_t i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0)
            continue;
        libraries[count].begin = begin;
        libraries[count].end = end;
    }
    snprintf(libraries[count].name, sizeof(libraries[count].name), "%s", name);
    library_count = count + 1;
    return 0;
}

void inject_sites_read(void)
{
    pthread_mutex_lock(&lock);
    dl_iterate_phdr(add_library, NULL);
    pthread_mutex_unlock(&lock);
}

inject_site inject_site_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    size_t count = library_count;
    for (size_t i = 0; i < count; ++i)
        if (at >= libraries[i].begin && at < libraries[i].end)
            return (inject_site){libraries[i].name, at - libraries[i].base};
    return (inject_site){0};
}

static size_t place_of(const void *memory)
{
    return (size_t)(((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u >> 50) % MOST_ENTRIES;
}

void inject_ledger_add(const void *memory, inject_site site)
{
    if (memory == NULL || site.library == NULL)
        return;
    pthread_mutex_lock(&lock);
    size_t place = place_of(memory);
    for (size_t i = 0; i < MOST_ENTRIES; ++i, place = (place + 1) % MOST_ENTRIES) {
        if (entries[place].memory != NULL && entries[place].memory != &removed)
            continue;
        entries[place].memory = memory;
        entries[place].site = site;
        ++entry_count;
        break;
    }
    pthread_mutex_unlock(&lock);
}

void inject_ledger_remove(const void *memory)
{
    if (memory == NULL || library_count == 0)
        return;
    pthread_mutex_lock(&lock);
    size_t place = place_of(memory);
    for (size_t i = 0; i < MOST_ENTRIES && entries[place].memory != NULL; ++i, place = (place + 1) % MOST_ENTRIES) {
        if (entries[place].memory != memory)
            continue;
        entries[place].memory = &removed;
        --entry_count;
        break;
    }
    pthread_mutex_unlock(&lock);
}

unsigned long inject_ledger_count(void)
{
    pthread_mutex_lock(&lock);
    unsigned long count = entry_count;
    pthread_mutex_unlock(&lock);
    return count;
}

void inject_ledger_print(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MOST_ENTRIES; ++i)
        if (entries[i].memory != NULL && entries[i].memory != &removed)
            printf("live %s+%#lx\n", entries[i].site.library, (unsigned long)entries[i].site.offset);
    pthread_mutex_unlock(&lock);
}

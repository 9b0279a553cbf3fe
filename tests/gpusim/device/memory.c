/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"
#include "../engine/address.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool device_memory_adopt(uint64_t address, uint64_t size, int file)
{
    void *wanted = (void *)address; /* NOLINT(performance-no-int-to-ptr) */
    void *got = mmap(wanted, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
    return got == wanted || (got == MAP_FAILED && errno == EEXIST);
}

bool device_memory_protect(uint64_t address, uint64_t size, bool usable)
{
    return mprotect((void *)address, size, usable ? PROT_READ | PROT_WRITE : PROT_NONE) ==
           0; /* NOLINT(performance-no-int-to-ptr) */
}

typedef struct mapping {
    uint64_t start, end, offset;
    int protection;
    bool is_ours;
} mapping;

static bool find_mapping(uintptr_t address, mapping *out)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
        char access[8];
        unsigned long start, end, offset;
        if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, access, &offset) != 4 || address < start || address >= end)
            continue;
        *out = (mapping){start, end, offset, (access[0] == 'r' ? PROT_READ : 0) | (access[1] == 'w' ? PROT_WRITE : 0),
                         strstr(line, "/memfd:gpusim-device ") != NULL};
        found = access[2] != 'x';
    }
    if (maps != NULL)
        fclose(maps);
    return found;
}

/* Where the next pages go, behind all that is allocated. */
static uint64_t next_offset = SIM_SPAN;

bool device_memory_move(uintptr_t address, uint64_t *start, uint64_t *size, uint64_t *offset)
{
    mapping there;
    if (!find_mapping(address, &there))
        return false;
    *start = there.start;
    *size = there.end - there.start;
    *offset = there.offset;
    if (there.is_ours)
        return true;
    void *pages = (void *)there.start; /* NOLINT(performance-no-int-to-ptr) */
    *offset = next_offset;
    if (*offset + *size > SIM_SPAN + SIM_GLOBALS_SPAN ||
        pwrite(WIRE_MEMORY, pages, *size, (off_t)*offset) != (ssize_t)*size ||
        mmap(pages, *size, there.protection, MAP_SHARED | MAP_FIXED, WIRE_MEMORY, (off_t)*offset) != pages)
        return false;
    next_offset += *size;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cpu_file_line(const char *path, char *line, size_t size)
{
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, (int)size, file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

uint64_t cpu_file_number(const char *path, uint64_t missing)
{
    char line[64], *end;
    cpu_file_line(path, line, sizeof(line));
    unsigned long long number = strtoull(line, &end, 10);
    if (end == line)
        return missing;
    switch (*end) {
    case 'G':
        number <<= 10; /* fall through */
    case 'M':
        number <<= 10; /* fall through */
    case 'K':
        number <<= 10;
        break;
    default:
        break;
    }
    return number;
}

bool cpu_file_entry(const char *path, const char *name, char *value, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    char line[512];
    bool found = false;
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, name, strlen(name)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = true;
    }
    fclose(file);
    return found;
}

unsigned cpu_mask_first(const uint8_t mask[CPU_MASK_BYTES])
{
    unsigned cpu = 0;
    while (cpu < CPU_MASK_BITS - 1 && !cpu_mask_has(mask, cpu))
        ++cpu;
    return cpu;
}

uint32_t cpu_mask_count(const uint8_t mask[CPU_MASK_BYTES])
{
    uint32_t count = 0;
    for (size_t i = 0; i < CPU_MASK_BYTES; ++i)
        count += (uint32_t)__builtin_popcount(mask[i]);
    return count;
}

bool cpu_mask_keep(uint8_t mask[CPU_MASK_BYTES], const uint8_t left[CPU_MASK_BYTES])
{
    bool some = false, all = true;
    for (size_t i = 0; i < CPU_MASK_BYTES; ++i) {
        some = some || (mask[i] & left[i]) != 0;
        all = all && (mask[i] & ~left[i]) == 0;
    }
    if (!some || all)
        return false;
    for (size_t i = 0; i < CPU_MASK_BYTES; ++i)
        mask[i] &= left[i];
    return true;
}

void cpu_mask_add_list(uint8_t mask[CPU_MASK_BYTES], const char *list)
{
    while (*list >= '0' && *list <= '9') {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long cpu = first; cpu <= last && cpu < CPU_MASK_BITS; ++cpu)
            cpu_mask_add(mask, cpu);
        list = *end == ',' ? end + 1 : end;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/system_file.h"
#include "plugins/cpu/machine/futex.h"

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
    return end != line ? number : missing;
}

bool cpu_file_entry(const char *path, const char *name, const char *separators, char *value, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    char line[512];
    bool found = false;
    size_t length = strlen(name);
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, name, length) != 0 || line[length] == '\0' || strchr(separators, line[length]) == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(value, size, "%s", line + length + strspn(line + length, separators));
        found = true;
    }
    fclose(file);
    return found;
}

void cpu_recent_get(cpu_recent *recent, void *fact, void *value, size_t size, void (*read)(void *fact))
{
    if (!cpu_lock_try(&recent->lock)) {
        read(value);
        return;
    }
    uint64_t now = cpu_clock_ns();
    if (now >= recent->until) {
        read(fact);
        recent->until = now + CPU_RECENT_NS;
    }
    memcpy(value, fact, size);
    cpu_lock_release(&recent->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/mask.h"

#include <stdlib.h>

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

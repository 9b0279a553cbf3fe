/* SPDX-License-Identifier: Apache-2.0 */
/* Small files in which the system tells about itself, and sets of CPUs as it writes them. */
#ifndef ACCEL_CPU_SYSTEM_FILE_H
#define ACCEL_CPU_SYSTEM_FILE_H

#include "plugins/cpu/engine/process.h"

#include <stdbool.h>

enum { CPU_MASK_BITS = CPU_MASK_BYTES * 8, CPU_PATH = 512, CPU_LINE_TEXT = 4096 };

/* The first line of a file, without its end; "" if it cannot be read. Returns `line`. */
const char *cpu_file_line(const char *path, char *line, size_t size);
/* A number with an optional K, M or G behind it; `missing` if there is none. */
uint64_t cpu_file_number(const char *path, uint64_t missing);
/* "name : value" in a file of such lines, from the first line whose name begins so. */
bool cpu_file_entry(const char *path, const char *name, char *value, size_t size);

static inline bool cpu_mask_has(const uint8_t mask[CPU_MASK_BYTES], size_t cpu)
{
    return cpu < CPU_MASK_BITS && (mask[cpu / 8] >> (cpu % 8) & 1) != 0;
}

static inline void cpu_mask_add(uint8_t mask[CPU_MASK_BYTES], size_t cpu)
{
    mask[cpu / 8] = (uint8_t)(mask[cpu / 8] | 1u << (cpu % 8));
}

/* The least of them; the last bit there is if there are none. */
unsigned cpu_mask_first(const uint8_t mask[CPU_MASK_BYTES]);
CPU_EXPORT uint32_t cpu_mask_count(const uint8_t mask[CPU_MASK_BYTES]);
/* Takes away what is not among `left`, unless nothing would stay. True: the mask has changed. */
bool cpu_mask_keep(uint8_t mask[CPU_MASK_BYTES], const uint8_t left[CPU_MASK_BYTES]);
/* Adds the CPUs of a list such as "0-3,8"; what follows something that is no list is left out. */
void cpu_mask_add_list(uint8_t mask[CPU_MASK_BYTES], const char *list);

#endif

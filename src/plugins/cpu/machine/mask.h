/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of CPUs, as sched_setaffinity takes them: bit i is the CPU that the system calls i. */
#ifndef ACCEL_CPU_MASK_H
#define ACCEL_CPU_MASK_H

#include "plugins/cpu/engine/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_MASK_BYTES = 1024, CPU_MASK_BITS = CPU_MASK_BYTES * 8 };

static inline bool cpu_mask_has(const uint8_t mask[CPU_MASK_BYTES], size_t cpu)
{
    return cpu < CPU_MASK_BITS && (mask[cpu / 8] >> (cpu % 8) & 1) != 0;
}

static inline void cpu_mask_add(uint8_t mask[CPU_MASK_BYTES], size_t cpu)
{
    mask[cpu / 8] = (uint8_t)(mask[cpu / 8] | 1u << (cpu % 8));
}

/* The lowest CPU of the mask; CPU_MASK_BITS - 1 if it is empty. */
unsigned cpu_mask_first(const uint8_t mask[CPU_MASK_BYTES]);
CPU_EXPORT uint32_t cpu_mask_count(const uint8_t mask[CPU_MASK_BYTES]);
/* Removes what is not in `left`, unless that would remove every CPU. Returns whether the mask changed. */
bool cpu_mask_keep(uint8_t mask[CPU_MASK_BYTES], const uint8_t left[CPU_MASK_BYTES]);
/* Adds the CPUs of a list such as "0-3,8". Reading stops at the first character that does not belong to a list. */
void cpu_mask_add_list(uint8_t mask[CPU_MASK_BYTES], const char *list);

#endif

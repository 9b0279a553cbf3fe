/* SPDX-License-Identifier: Apache-2.0 */
/* How well a CPU runs kernel objects of a target. */
#ifndef ACCEL_CPU_TARGET_H
#define ACCEL_CPU_TARGET_H

#include "plugins/cpu/engine/isa.h"

/* 0 not at all; else 1 to 4, more is better. `reason` says why, in either case. `level` is the machine's usable level,
 * `words` tell whether it is the processor or the system that lacks a higher one. */
uint32_t cpu_target_rank(uint32_t level, const cpu_isa_words *words, const char *target, const char *format,
                         char *reason, size_t reason_size);

#endif

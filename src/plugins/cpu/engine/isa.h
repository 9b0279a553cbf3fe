/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel targets this machine runs: the processor must have the instructions, and the system must save the
 * registers. */
#ifndef ACCEL_CPU_ISA_H
#define ACCEL_CPU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What CPUID and XGETBV say; all 0 where they do not exist. */
typedef struct cpu_isa_words {
    uint32_t leaf1_ecx;        /* CPUID 1 */
    uint32_t leaf7_ebx;        /* CPUID 7.0 */
    uint32_t leaf80000001_ecx; /* CPUID 0x80000001 */
    uint32_t xcr0;             /* registers that the system saves; 0 without OSXSAVE */
    bool is_amd;               /* CPUID 0: the vendor */
} cpu_isa_words;

/* This machine's, which are asked for once: a virtual machine's host answers each CPUID, in up to 12 us. Static storage. */
const cpu_isa_words *cpu_isa_native(void);
/* Highest x86-64 level, 1 to 4; 0 on other machines' words is never asked. */
uint32_t cpu_isa_level(const cpu_isa_words *);
/* As above, without regard to what the system saves. */
uint32_t cpu_isa_level_of_processor(const cpu_isa_words *);

/* Levels of this machine: 1 to 4 on x86-64; 1 on aarch64; 0 elsewhere. */
uint32_t cpu_isa_native_level(void);

/* "x86-64-v3" for level 3; "aarch64" or "" for the others' levels. Static storage. */
const char *cpu_isa_name(uint32_t level);

/* 0 not at all; else 1 to 4, more is better. `reason` says why, in either case. `level` is the machine's usable level,
 * `words` tell whether it is the processor or the system that lacks a higher one. */
uint32_t cpu_target_rank(uint32_t level, const cpu_isa_words *words, const char *target, const char *format,
                         char *reason, size_t reason_size);

#endif

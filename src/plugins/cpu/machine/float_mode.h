/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a thread rounds, and whether it takes denormal numbers for zeros. A program that gcc linked with -ffast-math does so in
 * its first thread, and threads inherit it. Kernels whose bits are the same everywhere round to nearest and keep denormals, whichever
 * thread runs them.
 */
#ifndef ACCEL_CPU_FLOAT_MODE_H
#define ACCEL_CPU_FLOAT_MODE_H

#include <stdint.h>

/* Of the calling thread: all bits of the register, and those that count here. 0 of these is what kernels have. What traps stays the
 * program's. */
#if defined(__x86_64__)
typedef uint32_t cpu_float_mode;
#define CPU_FLOAT_MODE_MASK 0xe040u /* MXCSR: flush to zero, rounding, denormals are zeros */
static inline cpu_float_mode cpu_float_mode_now(void)
{
    return __builtin_ia32_stmxcsr();
}
static inline void cpu_float_mode_set(cpu_float_mode mode)
{
    __builtin_ia32_ldmxcsr(mode);
}
#elif defined(__aarch64__)
typedef uint64_t cpu_float_mode;
#define CPU_FLOAT_MODE_MASK 0x3c80000u /* FPCR: default NaN, flush to zero, rounding, flush to zero of halves */
static inline cpu_float_mode cpu_float_mode_now(void)
{
    cpu_float_mode mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static inline void cpu_float_mode_set(cpu_float_mode mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}
#else
typedef uint32_t cpu_float_mode;
#define CPU_FLOAT_MODE_MASK 0u
static inline cpu_float_mode cpu_float_mode_now(void)
{
    return 0;
}
static inline void cpu_float_mode_set(cpu_float_mode mode)
{
    (void)mode;
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/clock.h - a counter of each target.
 */
#ifndef ACCEL_KERNEL_CLOCK_H
#define ACCEL_KERNEL_CLOCK_H

#if defined(__HIP__)

/* RDNA 3 has a message instead of the instruction, and clang 15 no name for it. */
ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core)
{
#if defined(__GFX11__) || defined(__GFX12__) || defined(__gfx1100__) || defined(__gfx1101__) ||                        \
    defined(__gfx1102__) || defined(__gfx1103__)
    uint64_t ticks;
    __asm__ volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)\n\ts_waitcnt lgkmcnt(0)"
                     : "=s"(ticks)
                     :
                     : "memory");
    return ticks;
#else
    return __builtin_amdgcn_s_memtime();
#endif
}

#elif defined(__CUDACC__)

ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core)
{
    return static_cast<uint64_t>(clock64());
}

#elif defined(__CUDA__)

ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core)
{
    return static_cast<uint64_t>(__nvvm_read_ptx_sreg_clock64());
}

#elif defined(__x86_64__)

ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core core)
{
    uint32_t low, high;
    (void)core;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core core)
{
    uint64_t ticks;
    (void)core;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

#else

#include <time.h>

ACCEL_INLINE_ uint64_t accel_core_clock(const accel_core core)
{
    struct timespec now;
    (void)core;
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif

#endif

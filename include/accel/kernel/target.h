/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/target.h - picks the compiler's side, and bridges C and C++.
 */
#ifndef ACCEL_KERNEL_TARGET_H
#define ACCEL_KERNEL_TARGET_H

#if defined(__CUDACC__) || defined(__CUDA__)
#include <accel/kernel/gpu/cuda.h>
#elif defined(__HIP__)
#include <accel/kernel/gpu/hip.h>
#else
#include <accel/kernel/cpu/cpu.h>
#include <accel/kernel/cpu/entry.h>
#endif

/* What accel/kernel/debug.h and print.h add to the flags of the kernels behind them. */
#define ACCEL_DEBUG_FLAGS_ 0u
#define ACCEL_PRINT_FLAGS_ 0u
#define ACCEL_ROUNDING_FLAGS_ 0u

/* The descriptor's flags, a constant expression: ACCEL_KERNEL_NO_ARGS for accel_no_args. */
#if defined(__cplusplus)
constexpr uint32_t accel_args_flags(const void *)
{
    return 0;
}
constexpr uint32_t accel_args_flags(const accel_no_args *)
{
    return ACCEL_KERNEL_NO_ARGS;
}
#define ACCEL_ARGS_FLAGS_(args_type)                                                                                   \
    (accel_args_flags(static_cast<const args_type *>(nullptr)) | ACCEL_DEBUG_FLAGS_ | ACCEL_PRINT_FLAGS_ |             \
     ACCEL_ROUNDING_FLAGS_)
#define ACCEL_ALIGNOF_(T) alignof(T)
#define ACCEL_STATIC_ASSERT_(condition, text) static_assert(condition, text)
#else
#define ACCEL_ARGS_FLAGS_(args_type)                                                                                   \
    (_Generic((args_type *)0, accel_no_args *                                                                          \
              : ACCEL_KERNEL_NO_ARGS, default : 0u) |                                                                  \
     ACCEL_DEBUG_FLAGS_ | ACCEL_PRINT_FLAGS_ | ACCEL_ROUNDING_FLAGS_)
#define ACCEL_ALIGNOF_(T) _Alignof(T)
#define ACCEL_STATIC_ASSERT_(condition, text) _Static_assert(condition, text)
#endif

#endif

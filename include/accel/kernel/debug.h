/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/debug.h - what a kernel says about its own errors.
 *
 *     #include <accel/kernel/debug.h>
 *
 *     ACCEL_KERNEL(scatter, scatter_args, args)
 *     {
 *         ACCEL_FOR_EACH(acc, i, args.n) {
 *             ACCEL_ASSERT(acc, args.to[i] < args.m);
 *             args.y[args.to[i]] = args.x[i];
 *         }
 *     }
 *
 * ACCEL_ASSERT(acc, condition): a thread for which the condition is false ends there, and the launch fails with
 * ACCEL_KERNEL_FAULT. The text names the kernel, file, line, condition, block and thread of a thread that failed (semantics
 * K17). Device and queue can be used afterwards; what the launch wrote is undefined. On AMD GPUs the other threads of its
 * wavefront end, too. It stands in both forms of kernel, inside and outside regions, and in functions that get `acc`. It must
 * not stand inside ACCEL_ATOMIC_UPDATE or _MODIFY: others would wait for the lock for ever.
 *
 * The kernels of a source that includes this file are called in another way, which costs some nanoseconds for each launch and
 * keeps loops with assertions from being vectorised. With -DACCEL_NDEBUG the file changes nothing: a condition is compiled,
 * but not evaluated, and the object is the same as without the assertion.
 */
#ifndef ACCEL_KERNEL_DEBUG_H
#define ACCEL_KERNEL_DEBUG_H

#include <accel/kernel.h>

#if defined(ACCEL_NDEBUG)

#define ACCEL_ASSERT(acc, ...) ((void)sizeof((acc).core), (void)sizeof((__VA_ARGS__) ? 1 : 0))

#elif defined(ACCEL_LINT) || defined(ACCEL_LINT_TEXT)

#define ACCEL_ASSERT(acc, ...) ((void)(acc).core, (void)((__VA_ARGS__) ? 1 : 0))

#else

#undef ACCEL_DEBUG_FLAGS_
#define ACCEL_DEBUG_FLAGS_ ACCEL_KERNEL_ASSERTS
#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/debug.h>
#else
#include <accel/kernel/cpu/debug.h>
#endif

#endif

#endif

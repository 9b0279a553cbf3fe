/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/rounding.h - how kernels round. On CPUs the threads of a program may round upwards, or take denormal numbers for
 * zeros, as the first thread of a program does that gcc linked with -ffast-math; a kernel that such a thread runs does so, too.
 *
 *     #include <accel/kernel/rounding.h>
 *
 * Kernels of a source that includes this round to nearest and keep denormal numbers, whichever thread runs them, as GPUs
 * do. Reductions and scans (accel/kernel/pattern.h) and libaccel's own algorithms do so in any case. The thread has its own way
 * again afterwards. It costs some nanoseconds of a launch.
 */
#ifndef ACCEL_KERNEL_ROUNDING_H
#define ACCEL_KERNEL_ROUNDING_H

#include <accel/kernel.h>

#undef ACCEL_ROUNDING_FLAGS_
#define ACCEL_ROUNDING_FLAGS_ ACCEL_KERNEL_ROUNDS

#endif

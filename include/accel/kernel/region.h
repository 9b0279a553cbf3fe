/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/region.h - picks the target's regions.
 */
#ifndef ACCEL_KERNEL_REGION_H
#define ACCEL_KERNEL_REGION_H

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/region.h>
#else
#include <accel/kernel/cpu/region.h>
#endif

#endif

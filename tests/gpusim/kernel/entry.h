/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel.h as shipped, and behind each kernel's function another one through which the runner calls it: C has no
 * way to call a function whose parameters are structs of unknown types.
 */
#ifndef GPUSIM_ENTRY_H
#define GPUSIM_ENTRY_H

#include <accel/kernel.h>

/* As in accel/kernel/gpu/entry.h, with gpusim_call_accel_kernel_NAME(arguments, grid) behind accel_kernel_NAME. */
#undef ACCEL_DEFINE_
#define ACCEL_DEFINE_(form, handle, body, descriptor, entry, args_type, args, bx, by, bz, qualifiers)                  \
    ACCEL_BODY_(body, handle, args_type, args);                                                                        \
    extern "C" qualifiers void entry(ACCEL_PARAMETER_ args_type accel_args, ACCEL_PARAMETER_ accel_grid accel_places)  \
    {                                                                                                                  \
        body({accel_gpu_core(ACCEL_GRID_(args_type, accel_places), bx, by, bz), {}}, accel_args, nullptr);             \
    }                                                                                                                  \
    extern "C" void gpusim_call_##entry(const void *gpusim_arguments, const void *gpusim_grid)                         \
    {                                                                                                                  \
        entry(*static_cast<const args_type *>(gpusim_arguments), *static_cast<const accel_grid *>(gpusim_grid));       \
    }                                                                                                                  \
    ACCEL_DESCRIPTOR_(descriptor, form, args_type, bx, by, bz)                                                         \
    ACCEL_BODY_(body, handle, args_type, args)

#undef ACCEL_PATTERN_ENTRY_
#define ACCEL_PATTERN_ENTRY_(entry, all_type, body, threads)                                                           \
    extern "C" ACCEL_ENTRY_FIXED_(threads) void entry(ACCEL_PARAMETER_ all_type accel_all,                             \
                                                      ACCEL_PARAMETER_ accel_grid accel_places)                        \
    {                                                                                                                  \
        body({accel_gpu_core(ACCEL_GRID_(all_type, accel_places), threads, 1, 1), {}}, accel_all);                     \
    }                                                                                                                  \
    extern "C" void gpusim_call_##entry(const void *gpusim_arguments, const void *gpusim_grid)                         \
    {                                                                                                                  \
        entry(*static_cast<const all_type *>(gpusim_arguments), *static_cast<const accel_grid *>(gpusim_grid));        \
    }

#endif

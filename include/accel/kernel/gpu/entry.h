/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/entry.h - what a kernel definition expands to for CUDA and HIP.
 *
 * ACCEL_KERNEL(axpy, axpy_args, args) { ... } becomes
 *
 *     static void accel_body_axpy(const accel_block_handle acc, const axpy_args &args, capacity);   // inlined
 *     extern "C" __global__ void accel_kernel_axpy(const __grid_constant__ axpy_args args,
 *                                                  const __grid_constant__ accel_grid grid)
 *     {
 *         accel_body_axpy(handle of grid, args, nullptr);
 *     }
 *     extern "C" __device__ const accel_descriptor accel_descriptor_axpy = { ..., nullptr, nullptr, nullptr };
 *     static void accel_body_axpy(const accel_block_handle acc, const axpy_args &args, capacity)
 *     { ... }
 *
 * With fixed extents the block's extents in the handle are constants, and the function carries launch bounds.
 */
#ifndef ACCEL_KERNEL_GPU_ENTRY_H
#define ACCEL_KERNEL_GPU_ENTRY_H

#define ACCEL_BODY_(body, handle, args_type, args)                                                                     \
    ACCEL_BODY_INLINE_ void body(const handle acc __attribute__((unused)),                                             \
                                 const args_type &args __attribute__((unused)),                                        \
                                 const char(*accel_private_only_in_kernel_bodies)[1] __attribute__((unused)))

#define ACCEL_DESCRIPTOR_(descriptor, form, args_type, bx, by, bz)                                                     \
    static_assert(sizeof(args_type) <= ACCEL_MAX_ARGS_SIZE, "the argument struct is too large");                       \
    static_assert((bx) * (by) * (bz) <= ACCEL_MAX_BLOCK_THREADS, "the block is too large");                            \
    extern "C" {                                                                                                       \
    extern ACCEL_DEVICE_ const accel_descriptor descriptor;                                                            \
    }                                                                                                                  \
    ACCEL_DEVICE_ __attribute__((used))                                                                                \
    const accel_descriptor descriptor = {ACCEL_OBJECT_MAGIC,                                                           \
                                         ACCEL_OBJECT_ABI,                                                             \
                                         static_cast<uint32_t>(sizeof(accel_descriptor)),                              \
                                         form,                                                                         \
                                         ACCEL_ARGS_FLAGS_(args_type),                                                 \
                                         static_cast<uint32_t>(sizeof(args_type)),                                     \
                                         static_cast<uint32_t>(alignof(args_type)),                                    \
                                         {bx, by, bz},                                                                 \
                                         0,                                                                            \
                                         static_cast<uint32_t>(sizeof(accel_grid)),                                    \
                                         nullptr,                                                                      \
                                         nullptr,                                                                      \
                                         nullptr};

/* x, y, z are the extents fixed at compile time, or 0. */
ACCEL_INLINE_ accel_core accel_gpu_core(const accel_grid *grid, size_t x, size_t y, size_t z)
{
    accel_core core = {grid, ACCEL_GPU_BLOCK_EXTENT_(grid)};
    if (x != 0)
        core.block_extent = {x, y, z};
    return core;
}

#define ACCEL_DEFINE_(form, handle, body, descriptor, entry, args_type, args, bx, by, bz, qualifiers)                  \
    ACCEL_BODY_(body, handle, args_type, args);                                                                        \
    extern "C" qualifiers void entry(ACCEL_PARAMETER_ args_type accel_args, ACCEL_PARAMETER_ accel_grid accel_places)  \
    {                                                                                                                  \
        body({accel_gpu_core(ACCEL_GRID_(args_type, accel_places), bx, by, bz), {}}, accel_args, nullptr);             \
    }                                                                                                                  \
    ACCEL_DESCRIPTOR_(descriptor, form, args_type, bx, by, bz)                                                         \
    ACCEL_BODY_(body, handle, args_type, args)

/* The function of a pattern, whose body is another function. */
#define ACCEL_PATTERN_ENTRY_(entry, all_type, body, threads)                                                           \
    extern "C" ACCEL_ENTRY_FIXED_(threads) void entry(ACCEL_PARAMETER_ all_type accel_all,                             \
                                                      ACCEL_PARAMETER_ accel_grid accel_places)                        \
    {                                                                                                                  \
        body({accel_gpu_core(ACCEL_GRID_(all_type, accel_places), threads, 1, 1), {}}, accel_all);                     \
    }

#define ACCEL_DEFINE_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)         \
    ACCEL_DEFINE_(ACCEL_FORM_BLOCK, accel_block_handle, body, descriptor, entry, args_type, args, bx, by, bz,          \
                  ACCEL_ENTRY_##block(capacity))
#define ACCEL_DEFINE_THREAD_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)  \
    ACCEL_DEFINE_(ACCEL_FORM_THREAD, accel_thread_handle, body, descriptor, entry, args_type, args, bx, by, bz,        \
                  ACCEL_ENTRY_##block(capacity))
#define ACCEL_DEFINE_NOSYNC_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)  \
    ACCEL_DEFINE_(ACCEL_FORM_THREAD_NOSYNC, accel_thread_handle, body, descriptor, entry, args_type, args, bx, by, bz, \
                  ACCEL_ENTRY_##block(capacity))

#endif

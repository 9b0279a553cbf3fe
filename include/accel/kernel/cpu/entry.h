/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/entry.h - what a kernel definition expands to for host compilers.
 *
 * ACCEL_KERNEL(axpy, axpy_args, args) { ... } becomes
 *
 *     static inline void accel_body_axpy(const accel_block_handle acc, const axpy_args args, capacity);
 *     static void accel_run_axpy(const accel_launch_context *launch, const void *args, size_t first, size_t count)
 *     {
 *         accel_cpu_prepare();
 *         const axpy_args copy = *(const axpy_args *)args;       // a local: no store can change it
 *         accel_block_handle acc = accel_cpu_block(launch, first);
 *         for (; count != 0; count--) {
 *             accel_body_axpy(acc, copy, NULL);                  // inlined
 *             accel_cpu_next(&acc.core);
 *         }
 *     }
 *     const accel_descriptor accel_descriptor_axpy = { ..., "axpy", accel_run_axpy, NULL };
 *     static inline void accel_body_axpy(const accel_block_handle acc, const axpy_args args, capacity)
 *     { ... }
 *
 * `flatten` inlines every function that the body calls and whose source is visible. A call with `acc` in a loop over
 * regions costs half of the speed, and compilers leave some. Recursion and function pointers stay calls.
 *
 * With fixed extents the wrapper sets acc.core.block_extent to them. Thread kernels have a wrapper for one thread.
 * Those that never synchronise have one with loops over blocks and threads.
 */
#ifndef ACCEL_KERNEL_CPU_ENTRY_H
#define ACCEL_KERNEL_CPU_ENTRY_H

/* The body sees the arguments as a constant object; in C++ without another copy. */
#if defined(__cplusplus)
#define ACCEL_BODY_ARGS_(args_type, args) const args_type &args __attribute__((unused))
#define ACCEL_EXTERN_ extern "C"
#else
#define ACCEL_BODY_ARGS_(args_type, args) const args_type args __attribute__((unused))
#define ACCEL_EXTERN_ extern
#endif

/* Without optimisation it is a function of its own, and a debugger finds its arguments: of an inlined one gcc 12 tells a
 * wrong place. */
#if defined(__OPTIMIZE__)
#define ACCEL_BODY_ATTRIBUTES_ __attribute__((always_inline, flatten))
#else
#define ACCEL_BODY_ATTRIBUTES_
#endif

/* The hidden third parameter carries in its type how many private values a block needs. */
#define ACCEL_BODY_(body, handle, args_type, args, capacity)                                                           \
    static inline ACCEL_BODY_ATTRIBUTES_ void body(                                                                    \
        const handle acc __attribute__((unused)), ACCEL_BODY_ARGS_(args_type, args),                                   \
        const char(*accel_private_only_in_kernel_bodies)[capacity] __attribute__((unused)))

#define ACCEL_DESCRIPTOR_(descriptor, form, args_type, bx, by, bz, name, run_blocks, run_thread)                       \
    ACCEL_STATIC_ASSERT_(sizeof(args_type) <= ACCEL_MAX_ARGS_SIZE, "the argument struct is too large");                \
    ACCEL_STATIC_ASSERT_((bx) * (by) * (bz) <= ACCEL_MAX_BLOCK_THREADS, "the block is too large");                     \
    ACCEL_EXTERN_ __attribute__((visibility("default"))) const accel_descriptor descriptor;                            \
    const accel_descriptor descriptor = {ACCEL_OBJECT_MAGIC,                                                           \
                                         ACCEL_OBJECT_ABI,                                                             \
                                         (uint32_t)sizeof(accel_descriptor),                                           \
                                         form,                                                                         \
                                         ACCEL_ARGS_FLAGS_(args_type),                                                 \
                                         (uint32_t)sizeof(args_type),                                                  \
                                         (uint32_t)ACCEL_ALIGNOF_(args_type),                                          \
                                         {bx, by, bz},                                                                 \
                                         0,                                                                            \
                                         (uint32_t)sizeof(accel_grid),                                                 \
                                         name,                                                                         \
                                         run_blocks,                                                                   \
                                         run_thread};

/* ---------------------------------------------------------------------------------- launch to handle -- */

ACCEL_INLINE_ accel_index accel_cpu_index(const size_t v[3])
{
    const accel_index index = {v[0], v[1], v[2]};
    return index;
}

ACCEL_INLINE_ accel_core accel_cpu_core(const accel_launch_context *launch)
{
    accel_core core;
    const accel_index origin = {0, 0, 0};
    const accel_index one = {1, 1, 1};
    core.block_index = origin;
    core.grid_extent = accel_cpu_index(launch->grid_extent);
    core.block_extent = accel_cpu_index(launch->block_extent);
    core.elem_extent = accel_cpu_index(launch->elem_extent);
    core.part = origin;
    core.parts = one;
    core.block = 0;
    core.blocks = core.grid_extent.x * core.grid_extent.y * core.grid_extent.z;
    core.launch = launch;
    return core;
}

#if defined(ACCEL_OBSERVED_)
ACCEL_INLINE_ void accel_cpu_check_block(const accel_core *core, size_t threads, uint32_t form)
{
    accel_check_block(core->launch, core->block,
                      form == ACCEL_FORM_BLOCK ? threads : core->parts.x * core->parts.y * core->parts.z, form);
}
#endif

/* Moves to linear block `first`; divides only if that is not the first one. */
ACCEL_INLINE_ void accel_cpu_seek(accel_core *core, size_t first)
{
    if (first == 0)
        return;
    core->block = first;
    core->block_index.x = first % core->grid_extent.x;
    first /= core->grid_extent.x;
    core->block_index.y = first % core->grid_extent.y;
    core->block_index.z = first / core->grid_extent.y;
}

ACCEL_INLINE_ void accel_cpu_next(accel_core *core)
{
    core->block++;
    if (++core->block_index.x == core->grid_extent.x) {
        core->block_index.x = 0;
        if (++core->block_index.y == core->grid_extent.y) {
            core->block_index.y = 0;
            core->block_index.z++;
        }
    }
}

ACCEL_INLINE_ void accel_cpu_fix_block(accel_core *core, size_t x, size_t y, size_t z)
{
    if (x != 0) {
        core->block_extent.x = x;
        core->block_extent.y = y;
        core->block_extent.z = z;
    }
}

/* The handle at linear block `first`; x, y, z are the extents fixed at compile time, or 0. */
ACCEL_INLINE_ accel_block_handle accel_cpu_block(const accel_launch_context *launch, size_t first, size_t x, size_t y,
                                                 size_t z)
{
    accel_block_handle acc;
    acc.core = accel_cpu_core(launch);
    accel_cpu_fix_block(&acc.core, x, y, z);
    accel_cpu_seek(&acc.core, first);
    acc.block_kernels_only = acc.core.block_extent.x * acc.core.block_extent.y * acc.core.block_extent.z;
    return acc;
}

/* The handle of the first thread of linear block `first`, for kernels that never synchronise. */
ACCEL_INLINE_ accel_thread_handle accel_cpu_nosync(const accel_launch_context *launch, size_t first, size_t x, size_t y,
                                                   size_t z)
{
    accel_thread_handle acc;
    acc.core = accel_cpu_core(launch);
    accel_cpu_fix_block(&acc.core, x, y, z);
    accel_cpu_seek(&acc.core, first);
    acc.core.parts = acc.core.block_extent;
    acc.thread_kernels_only = NULL;
    return acc;
}

ACCEL_INLINE_ accel_thread_handle accel_cpu_thread(const accel_thread_context *thread, size_t x, size_t y, size_t z)
{
    accel_thread_handle acc;
    acc.core = accel_cpu_core(thread->launch);
    accel_cpu_fix_block(&acc.core, x, y, z);
    acc.core.block_index = accel_cpu_index(thread->block_index);
    acc.core.block =
        (acc.core.block_index.z * acc.core.grid_extent.y + acc.core.block_index.y) * acc.core.grid_extent.x +
        acc.core.block_index.x;
    acc.core.part = accel_cpu_index(thread->thread_index);
    acc.core.parts = acc.core.block_extent;
    acc.thread_kernels_only = thread;
    return acc;
}

/* -------------------------------------------------------------------------------------- definitions -- */

/* Parameters: the name as text; the names made from it; the argument struct; the block, ANY_ or FIXED_; its extents or
 * 0; its largest number of threads. `entry` and `block` are for GPUs. */
#define ACCEL_DEFINE_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)         \
    ACCEL_BODY_(body, accel_block_handle, args_type, args, capacity);                                                  \
    static __attribute__((flatten)) void run(const accel_launch_context *accel_launch, const void *accel_args,         \
                                             size_t accel_first, size_t accel_count)                                   \
    {                                                                                                                  \
        accel_cpu_prepare();                                                                                           \
        const args_type accel_copy = *(const args_type *)accel_args;                                                   \
        accel_block_handle accel_acc = accel_cpu_block(accel_launch, accel_first, bx, by, bz);                         \
        for (; accel_count != 0; accel_count--) {                                                                      \
            ACCEL_CHECK_(accel_cpu_check_block(&accel_acc.core, accel_acc.block_kernels_only, ACCEL_FORM_BLOCK));      \
            body(accel_acc, accel_copy, NULL);                                                                         \
            accel_cpu_next(&accel_acc.core);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_DESCRIPTOR_(descriptor, ACCEL_FORM_BLOCK, args_type, bx, by, bz, name, run, NULL)                            \
    ACCEL_BODY_(body, accel_block_handle, args_type, args, capacity)

#define ACCEL_DEFINE_THREAD_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)  \
    ACCEL_BODY_(body, accel_thread_handle, args_type, args, 1);                                                        \
    static __attribute__((flatten)) void run(const accel_thread_context *accel_thread, const void *accel_args)         \
    {                                                                                                                  \
        accel_cpu_prepare();                                                                                           \
        ACCEL_CHECK_(accel_check_thread(accel_thread));                                                                \
        const args_type accel_copy = *(const args_type *)accel_args;                                                   \
        body(accel_cpu_thread(accel_thread, bx, by, bz), accel_copy, NULL);                                            \
    }                                                                                                                  \
    ACCEL_DESCRIPTOR_(descriptor, ACCEL_FORM_THREAD, args_type, bx, by, bz, name, accel_cpu_ready, run)                \
    ACCEL_BODY_(body, accel_thread_handle, args_type, args, 1)

/* All threads of a block. In the observed version of objects for target `check` one loop of them is a region of its own. */
#if defined(ACCEL_OBSERVED_)
ACCEL_INLINE_ accel_thread_handle accel_cpu_nosync_thread(accel_thread_handle block, size_t t)
{
    block.core.part.x = t % block.core.parts.x;
    block.core.part.y = t / block.core.parts.x % block.core.parts.y;
    block.core.part.z = t / block.core.parts.x / block.core.parts.y;
    return block;
}
#define ACCEL_CPU_NOSYNC_(body, block, copy)                                                                           \
    {                                                                                                                  \
        const size_t accel_threads = block.core.parts.x * block.core.parts.y * block.core.parts.z;                     \
        accel_cpu_check_block(&block.core, 0, ACCEL_FORM_THREAD_NOSYNC);                                               \
        ACCEL_OUTLINED_                                                                                                \
        for (size_t ACCEL_TURN_FIRST_(accel_t, accel_threads);                                                         \
             accel_check_part(ACCEL_TURN_AT_(accel_t) < accel_threads, accel_t);                                       \
             ACCEL_TURN_NEXT_(accel_t, accel_threads))                                                                 \
            body(accel_cpu_nosync_thread(block, accel_t), copy, NULL);                                                 \
    }
#else
/* The loop over x is the one that vectorises. */
#define ACCEL_CPU_NOSYNC_(body, block, copy)                                                                           \
    for (size_t accel_tz = 0; accel_tz < block.core.parts.z; accel_tz++)                                               \
        for (size_t accel_ty = 0; accel_ty < block.core.parts.y; accel_ty++)                                           \
            ACCEL_INDEPENDENT_                                                                                         \
    for (size_t accel_tx = 0; accel_tx < block.core.parts.x; accel_tx++) {                                             \
        accel_thread_handle accel_acc = block;                                                                         \
        accel_acc.core.part.x = accel_tx;                                                                              \
        accel_acc.core.part.y = accel_ty;                                                                              \
        accel_acc.core.part.z = accel_tz;                                                                              \
        body(accel_acc, copy, NULL);                                                                                   \
    }
#endif

#define ACCEL_DEFINE_NOSYNC_KERNEL_(name, body, run, descriptor, entry, args_type, args, block, bx, by, bz, capacity)  \
    ACCEL_BODY_(body, accel_thread_handle, args_type, args, 1);                                                        \
    static __attribute__((flatten)) void run(const accel_launch_context *accel_launch, const void *accel_args,         \
                                             size_t accel_first, size_t accel_count)                                   \
    {                                                                                                                  \
        accel_cpu_prepare();                                                                                           \
        const args_type accel_copy = *(const args_type *)accel_args;                                                   \
        accel_thread_handle accel_block = accel_cpu_nosync(accel_launch, accel_first, bx, by, bz);                     \
        for (; accel_count != 0; accel_count--) {                                                                      \
            ACCEL_CPU_NOSYNC_(body, accel_block, accel_copy)                                                           \
            accel_cpu_next(&accel_block.core);                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    ACCEL_DESCRIPTOR_(descriptor, ACCEL_FORM_THREAD_NOSYNC, args_type, bx, by, bz, name, run, NULL)                    \
    ACCEL_BODY_(body, accel_thread_handle, args_type, args, 1)

#endif

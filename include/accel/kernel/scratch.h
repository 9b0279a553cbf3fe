/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/scratch.h - memory of a block and of each of its threads, whose size the host chose (accel/scratch.h).
 *
 *     #include <accel/kernel.h>
 *     #include <accel/kernel/scratch.h>
 *
 * `scratch` is an accel_scratch_view of the kernel's arguments. Level 0 is the dynamic shared memory of the block: fast, and
 * as small as a launch's shared_bytes may be. Level 1 is memory of the device. The memory is aligned to 16 bytes and starts
 * undefined in each block.
 *
 *     void *accel_scratch_block(acc, scratch, level)         block_bytes, the same for all threads of the block
 *     void *accel_scratch_thread(acc, scratch, level, t)     thread_bytes of thread t, where t counts x fastest
 *     void *accel_scratch_own(acc, scratch, level)           those of the calling thread; thread kernels only
 *
 * In a block kernel t is the index of a region, and memory of threads keeps its contents from region to region.
 */
#ifndef ACCEL_KERNEL_SCRATCH_H
#define ACCEL_KERNEL_SCRATCH_H

#include <accel/kernel.h>
#include <accel/scratch.h>

#define accel_scratch_block(acc, scratch, level) accel_core_scratch((acc).core, (scratch), (level), 0)
#define accel_scratch_thread(acc, scratch, level, t)                                                                   \
    accel_core_scratch((acc).core, (scratch), (level), accel_scratch_place((scratch), (level), (t)))
#define accel_scratch_own(acc, scratch, level)                                                                         \
    accel_scratch_thread(acc, scratch, level, accel_scratch_index((acc).core, (acc).thread_kernels_only))

#if defined(__cplusplus)
#define ACCEL_SCRATCH_VIEW_ const accel_scratch_view &
#else
#define ACCEL_SCRATCH_VIEW_ const accel_scratch_view
#endif

/* The block and the thread in it. What tells the forms of kernels apart is evaluated, and nothing else. */
#if defined(ACCEL_KERNEL_CPU_H)
ACCEL_INLINE_ size_t accel_scratch_block_index(const accel_core core)
{
    return core.block;
}
ACCEL_INLINE_ size_t accel_scratch_index(const accel_core core, const accel_thread_context *thread)
{
    (void)thread;
    return (core.part.z * core.parts.y + core.part.y) * core.parts.x + core.part.x;
}
#else
ACCEL_INLINE_ size_t accel_scratch_block_index(const accel_core core)
{
    const accel_index block = accel_core_block_index(core), grid = accel_core_grid_extent(core);
    return (block.z * grid.y + block.y) * grid.x + block.x;
}
ACCEL_INLINE_ size_t accel_scratch_index(const accel_core core, const accel_only_here)
{
    return accel_gpu_thread_linear(core);
}
#endif

ACCEL_INLINE_ void *accel_core_scratch(const accel_core core, ACCEL_SCRATCH_VIEW_ scratch, int level, size_t place)
{
    unsigned char *const memory =
        level == 0 ? (unsigned char *)accel_core_shared_dynamic(core) : (unsigned char *)scratch.memory;
    if (memory == NULL) /* nothing was wished for */
        return NULL;
    return memory + (level == 0 ? 0 : accel_scratch_block_index(core) * scratch.stride) + place;
}

ACCEL_INLINE_ size_t accel_scratch_place(ACCEL_SCRATCH_VIEW_ scratch, int level, size_t t)
{
    return (size_t)(scratch.block_bytes[level] + t * scratch.thread_bytes[level]);
}

#endif

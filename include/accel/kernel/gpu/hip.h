/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/hip.h - the primitives that differ on AMD GPUs, from clang's builtins and headers, without
 * hip_runtime.h. What CUDA and HIP share is in gpu/gpu.h.
 */
#ifndef ACCEL_KERNEL_HIP_H
#define ACCEL_KERNEL_HIP_H

/* clang's own header has mathematics by the C names. What it includes comes first, because it must not see three names:
 * pow is in clang_pow.h, and min and max, which are double there for any two types, are in mathematics.h. */
#include <cmath>
#include <cstdlib>
#include <limits>
#include <math.h>
#include <new>
#define pow accel_clang_pow
#define min accel_clang_min
#define max accel_clang_max
namespace std
{
int min(int, int); /* for host functions of that header */
int max(int, int);
} // namespace std
/* It includes <algorithm> and <complex>, of which it uses nothing, and which take longer to read than all else together. */
#if !defined(_GLIBCXX_ALGORITHM) && !defined(_GLIBCXX_COMPLEX)
#define _GLIBCXX_ALGORITHM 1
#define _GLIBCXX_COMPLEX 1
#include <__clang_hip_runtime_wrapper.h>
#undef _GLIBCXX_ALGORITHM
#undef _GLIBCXX_COMPLEX
#else
#include <__clang_hip_runtime_wrapper.h>
#endif
#undef pow
#undef min
#undef max
#include <accel/kernel/clang_pow.h>

#define ACCEL_DEVICE_ __attribute__((device))
#define ACCEL_FN static inline __attribute__((device, unused))
#define ACCEL_METHOD inline __attribute__((device, unused))
#define ACCEL_INLINE_ static inline __attribute__((device, always_inline, unused))
#define ACCEL_BODY_INLINE_ static inline __attribute__((device, always_inline))
#define ACCEL_PARAMETER_ const
/* Where the kernel's parameters are: the address of a by-value parameter would be a copy of it in scratch memory. */
#define ACCEL_GRID_(args_type, grid)                                                                                   \
    ((void)(grid),                                                                                                     \
     accel_hip_grid((sizeof(args_type) + alignof(accel_grid) - 1) / alignof(accel_grid) * alignof(accel_grid)))
#define ACCEL_ENTRY_ANY_(threads) __attribute__((global, amdgpu_flat_work_group_size(1, threads)))
#define ACCEL_ENTRY_FIXED_(threads) __attribute__((global, amdgpu_flat_work_group_size(threads, threads)))
#define ACCEL_SHARED_STORAGE_ __attribute__((shared))
#define ACCEL_CONSTANT_STORAGE_ __attribute__((constant))

/* Words that may overlay objects of any type. */
typedef unsigned int __attribute__((may_alias)) accel_u32;
typedef unsigned long long __attribute__((may_alias)) accel_u64;

ACCEL_INLINE_ const accel_grid *accel_hip_grid(size_t offset)
{
    return (const accel_grid *)((const char __attribute__((address_space(4))) *)__builtin_amdgcn_kernarg_segment_ptr() +
                                offset);
}

/* --------------------------------------------------------------------------------------------- indices -- */

ACCEL_INLINE_ uint32_t accel_gpu_block_x()
{
    return __builtin_amdgcn_workgroup_id_x();
}
ACCEL_INLINE_ uint32_t accel_gpu_block_y()
{
    return __builtin_amdgcn_workgroup_id_y();
}
ACCEL_INLINE_ uint32_t accel_gpu_block_z()
{
    return __builtin_amdgcn_workgroup_id_z();
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_x()
{
    return __builtin_amdgcn_workitem_id_x();
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_y()
{
    return __builtin_amdgcn_workitem_id_y();
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_z()
{
    return __builtin_amdgcn_workitem_id_z();
}
/* From the grid parameter, whose place does not depend on the code-object version. */
#define ACCEL_GPU_BLOCK_EXTENT_(grid) ACCEL_GPU_FOLD_((grid)->threads)
#define ACCEL_GPU_GRID_EXTENT_(grid) ACCEL_GPU_FOLD_((grid)->blocks)

/* ---------------------------------------------------------------------------------- barriers and fences -- */

ACCEL_INLINE_ void accel_gpu_barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
ACCEL_INLINE_ void accel_gpu_fence_block()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
ACCEL_INLINE_ void accel_gpu_fence_device()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
ACCEL_INLINE_ void accel_gpu_fence_system()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

/* ----------------------------------------------------------------------------------------------- warps -- */

ACCEL_INLINE_ uint32_t accel_gpu_warp_size()
{
#if defined(__AMDGCN_WAVEFRONT_SIZE)
    return __AMDGCN_WAVEFRONT_SIZE;
#else
    return __builtin_amdgcn_wavefrontsize();
#endif
}
ACCEL_INLINE_ uint32_t accel_gpu_lane()
{
    const uint32_t low = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
    return accel_gpu_warp_size() == 32 ? low : __builtin_amdgcn_mbcnt_hi(~0u, low);
}
ACCEL_INLINE_ uint64_t accel_gpu_ballot(bool predicate)
{
    return __builtin_amdgcn_uicmp(predicate ? 1u : 0u, 0u, 33); /* 33: not equal; inactive lanes give 0 */
}
ACCEL_INLINE_ bool accel_gpu_any(bool predicate)
{
    return accel_gpu_ballot(predicate) != 0;
}
ACCEL_INLINE_ bool accel_gpu_all(bool predicate)
{
    return accel_gpu_ballot(!predicate) == 0;
}
ACCEL_INLINE_ uint64_t accel_gpu_ballot_of(uint64_t lanes, bool predicate)
{
    return accel_gpu_ballot(predicate) & lanes;
}
ACCEL_INLINE_ uint32_t accel_gpu_active()
{
    return 0; /* lanes of a wavefront never part on their own */
}
ACCEL_INLINE_ uint32_t accel_gpu_read_lane(uint32_t, uint32_t word, uint32_t lane)
{
    return static_cast<uint32_t>(__builtin_amdgcn_ds_bpermute(static_cast<int>(lane << 2), static_cast<int>(word)));
}

/* --------------------------------------------------------------------------------------------- atomics -- */

#define ACCEL_HIP_ATOMIC_(name, builtin, T)                                                                            \
    ACCEL_INLINE_ T accel_word_##name(T *p, T v)                                                                       \
    {                                                                                                                  \
        return __hip_atomic_##builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                               \
    }
#define ACCEL_HIP_ATOMICS_(T)                                                                                          \
    ACCEL_HIP_ATOMIC_(exch, exchange, T)                                                                               \
    ACCEL_HIP_ATOMIC_(add, fetch_add, T)                                                                               \
    ACCEL_HIP_ATOMIC_(and, fetch_and, T)                                                                               \
    ACCEL_HIP_ATOMIC_(or, fetch_or, T)                                                                                 \
    ACCEL_HIP_ATOMIC_(xor, fetch_xor, T)                                                                               \
    ACCEL_INLINE_ T accel_word_load(T *p)                                                                              \
    {                                                                                                                  \
        return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                       \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_word_cas(T *p, T expected, T desired)                                                        \
    {                                                                                                                  \
        __hip_atomic_compare_exchange_strong(p, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED,                \
                                             __HIP_MEMORY_SCOPE_AGENT);                                                \
        return expected;                                                                                               \
    }
ACCEL_HIP_ATOMICS_(accel_u32)
ACCEL_HIP_ATOMICS_(accel_u64)
#define ACCEL_HIP_MINMAX_(T)                                                                                           \
    ACCEL_HIP_ATOMIC_(min, fetch_min, T)                                                                               \
    ACCEL_HIP_ATOMIC_(max, fetch_max, T)
ACCEL_HIP_MINMAX_(int)
ACCEL_HIP_MINMAX_(unsigned int)
ACCEL_HIP_MINMAX_(long long)
ACCEL_HIP_MINMAX_(unsigned long long)
ACCEL_HIP_ATOMIC_(add, fetch_add, float)
ACCEL_HIP_ATOMIC_(add, fetch_add, double)

/* Locks lie in global memory, for which there are instructions of their own. */
typedef __attribute__((address_space(1))) accel_u32 accel_hip_lock;
ACCEL_INLINE_ uint32_t accel_gpu_lock_take(accel_u32 *lock)
{
    accel_u32 expected = 0;
    __hip_atomic_compare_exchange_strong((accel_hip_lock *)lock, &expected, 1u, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __HIP_MEMORY_SCOPE_AGENT);
    return expected;
}
ACCEL_INLINE_ void accel_gpu_lock_give(accel_u32 *lock)
{
    __hip_atomic_exchange((accel_hip_lock *)lock, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#include <accel/kernel/gpu/gpu.h>

/* ------------------------------------------------------------------------------------ counting barriers -- */

/* Per warp by ballot, over the block by shared memory. Every warp zeroes the counter, as any may have returned. */
ACCEL_INLINE_ int accel_gpu_barrier_count(int predicate)
{
    ACCEL_SHARED_STORAGE_ static accel_u32 count;
    const uint64_t votes = accel_gpu_ballot(predicate != 0);
    const bool speaker = accel_gpu_first_lane();
    if (speaker)
        accel_word_exch(&count, 0u);
    accel_gpu_barrier();
    if (speaker)
        accel_word_add(&count, static_cast<accel_u32>(__builtin_popcountll(votes)));
    accel_gpu_barrier();
    const int result = static_cast<int>(accel_word_load(&count));
    accel_gpu_barrier();
    return result;
}
ACCEL_INLINE_ int accel_gpu_barrier_or(int predicate)
{
    return accel_gpu_barrier_count(predicate) != 0;
}
ACCEL_INLINE_ int accel_gpu_barrier_and(int predicate)
{
    return accel_gpu_barrier_count(predicate == 0) == 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/cuda.h - the primitives that differ in CUDA. What CUDA and HIP share is in gpu/gpu.h.
 */
#ifndef ACCEL_KERNEL_CUDA_H
#define ACCEL_KERNEL_CUDA_H

#if !defined(__CUDACC__)
#include <accel/kernel/gpu/cuda_clang.h>
#define ACCEL_PARAMETER_ const
#else
#define ACCEL_PARAMETER_ const __grid_constant__
#endif

#define ACCEL_DEVICE_ __device__
#define ACCEL_FN static inline __device__ __attribute__((unused))
#define ACCEL_METHOD inline __device__ __attribute__((unused))
#define ACCEL_INLINE_ static __forceinline__ __device__ __attribute__((unused))
#define ACCEL_BODY_INLINE_ static __forceinline__ __device__
#define ACCEL_GRID_(args_type, grid) (&(grid))
#define ACCEL_ENTRY_ANY_(threads) __global__
#define ACCEL_ENTRY_FIXED_(threads) __global__ __launch_bounds__(threads)
#define ACCEL_SHARED_STORAGE_ __shared__
#define ACCEL_CONSTANT_STORAGE_ __constant__

typedef unsigned int accel_u32;
typedef unsigned long long accel_u64;

/* --------------------------------------------------------------------------------------------- indices -- */

ACCEL_INLINE_ uint32_t accel_gpu_block_x()
{
    return blockIdx.x;
}
ACCEL_INLINE_ uint32_t accel_gpu_block_y()
{
    return blockIdx.y;
}
ACCEL_INLINE_ uint32_t accel_gpu_block_z()
{
    return blockIdx.z;
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_x()
{
    return threadIdx.x;
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_y()
{
    return threadIdx.y;
}
ACCEL_INLINE_ uint32_t accel_gpu_thread_z()
{
    return threadIdx.z;
}
#define ACCEL_GPU_BLOCK_EXTENT_(grid)                                                                                  \
    {                                                                                                                  \
        blockDim.x, blockDim.y, blockDim.z                                                                             \
    }
#define ACCEL_GPU_GRID_EXTENT_(grid)                                                                                   \
    {                                                                                                                  \
        gridDim.x, gridDim.y, gridDim.z                                                                                \
    }

/* ---------------------------------------------------------------------------------- barriers and fences -- */

/* clang believes that barriers and fences leave shared variables alone whose address nobody takes, and moves loads of them to
 * the other side. */
#if defined(__clang__)
#define ACCEL_GPU_NOTHING_MOVES_() __asm__ volatile("" ::: "memory")
#else
#define ACCEL_GPU_NOTHING_MOVES_() ((void)0)
#endif

ACCEL_INLINE_ void accel_gpu_barrier()
{
    ACCEL_GPU_NOTHING_MOVES_();
    __syncthreads();
    ACCEL_GPU_NOTHING_MOVES_();
}
ACCEL_INLINE_ int accel_gpu_barrier_count(int predicate)
{
    ACCEL_GPU_NOTHING_MOVES_();
    const int count = __syncthreads_count(predicate);
    ACCEL_GPU_NOTHING_MOVES_();
    return count;
}
ACCEL_INLINE_ int accel_gpu_barrier_and(int predicate)
{
    ACCEL_GPU_NOTHING_MOVES_();
    const int all = __syncthreads_and(predicate);
    ACCEL_GPU_NOTHING_MOVES_();
    return all != 0;
}
ACCEL_INLINE_ int accel_gpu_barrier_or(int predicate)
{
    ACCEL_GPU_NOTHING_MOVES_();
    const int any = __syncthreads_or(predicate);
    ACCEL_GPU_NOTHING_MOVES_();
    return any != 0;
}
ACCEL_INLINE_ void accel_gpu_fence_block()
{
    ACCEL_GPU_NOTHING_MOVES_();
    __threadfence_block();
    ACCEL_GPU_NOTHING_MOVES_();
}
ACCEL_INLINE_ void accel_gpu_fence_device()
{
    ACCEL_GPU_NOTHING_MOVES_();
    __threadfence();
    ACCEL_GPU_NOTHING_MOVES_();
}
ACCEL_INLINE_ void accel_gpu_fence_system()
{
    ACCEL_GPU_NOTHING_MOVES_();
    __threadfence_system();
    ACCEL_GPU_NOTHING_MOVES_();
}

/* ----------------------------------------------------------------------------------------------- warps -- */

ACCEL_INLINE_ uint32_t accel_gpu_warp_size()
{
    return 32;
}
ACCEL_INLINE_ uint32_t accel_gpu_lane()
{
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
ACCEL_INLINE_ uint64_t accel_gpu_ballot(bool predicate)
{
    return __ballot_sync(__activemask(), predicate);
}
ACCEL_INLINE_ bool accel_gpu_any(bool predicate)
{
    return __any_sync(__activemask(), predicate) != 0;
}
ACCEL_INLINE_ bool accel_gpu_all(bool predicate)
{
    return __all_sync(__activemask(), predicate) != 0;
}
/* Waits for those lanes. */
ACCEL_INLINE_ uint64_t accel_gpu_ballot_of(uint64_t lanes, bool predicate)
{
    return __ballot_sync(static_cast<unsigned>(lanes), predicate);
}
ACCEL_INLINE_ uint32_t accel_gpu_active()
{
    return __activemask();
}
ACCEL_INLINE_ uint32_t accel_gpu_read_lane(uint32_t active, uint32_t word, uint32_t lane)
{
    return __shfl_sync(active, word, static_cast<int>(lane));
}

/* --------------------------------------------------------------------------------------------- atomics -- */

ACCEL_INLINE_ accel_u32 accel_word_load(accel_u32 *p)
{
    return *static_cast<volatile accel_u32 *>(p);
}
ACCEL_INLINE_ accel_u64 accel_word_load(accel_u64 *p)
{
    return *static_cast<volatile accel_u64 *>(p);
}
ACCEL_INLINE_ accel_u32 accel_word_cas(accel_u32 *p, accel_u32 e, accel_u32 d)
{
    return atomicCAS(p, e, d);
}
ACCEL_INLINE_ accel_u64 accel_word_cas(accel_u64 *p, accel_u64 e, accel_u64 d)
{
    return atomicCAS(p, e, d);
}
ACCEL_INLINE_ accel_u32 accel_word_exch(accel_u32 *p, accel_u32 v)
{
    return atomicExch(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_exch(accel_u64 *p, accel_u64 v)
{
    return atomicExch(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_add(accel_u32 *p, accel_u32 v)
{
    return atomicAdd(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_add(accel_u64 *p, accel_u64 v)
{
    return atomicAdd(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_and(accel_u32 *p, accel_u32 v)
{
    return atomicAnd(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_and(accel_u64 *p, accel_u64 v)
{
    return atomicAnd(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_or(accel_u32 *p, accel_u32 v)
{
    return atomicOr(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_or(accel_u64 *p, accel_u64 v)
{
    return atomicOr(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_xor(accel_u32 *p, accel_u32 v)
{
    return atomicXor(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_xor(accel_u64 *p, accel_u64 v)
{
    return atomicXor(p, v);
}
ACCEL_INLINE_ int accel_word_min(int *p, int v)
{
    return atomicMin(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_min(accel_u32 *p, accel_u32 v)
{
    return atomicMin(p, v);
}
ACCEL_INLINE_ long long accel_word_min(long long *p, long long v)
{
    return atomicMin(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_min(accel_u64 *p, accel_u64 v)
{
    return atomicMin(p, v);
}
ACCEL_INLINE_ int accel_word_max(int *p, int v)
{
    return atomicMax(p, v);
}
ACCEL_INLINE_ accel_u32 accel_word_max(accel_u32 *p, accel_u32 v)
{
    return atomicMax(p, v);
}
ACCEL_INLINE_ long long accel_word_max(long long *p, long long v)
{
    return atomicMax(p, v);
}
ACCEL_INLINE_ accel_u64 accel_word_max(accel_u64 *p, accel_u64 v)
{
    return atomicMax(p, v);
}
ACCEL_INLINE_ float accel_word_add(float *p, float v)
{
    return atomicAdd(p, v);
}
ACCEL_INLINE_ double accel_word_add(double *p, double v)
{
    return atomicAdd(p, v);
}

/* Returns 0 if the lock was free. */
ACCEL_INLINE_ accel_u32 accel_gpu_lock_take(accel_u32 *lock)
{
    return accel_word_cas(lock, 0u, 1u);
}
ACCEL_INLINE_ void accel_gpu_lock_give(accel_u32 *lock)
{
    accel_word_exch(lock, 0u);
}

#include <accel/kernel/gpu/gpu.h>

#endif

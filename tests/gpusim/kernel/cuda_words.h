/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of CUDA C++ that accel/kernel/gpu/cuda.h uses, for g++ -D__CUDACC__ -include cuda_words.h.
 */
#ifndef GPUSIM_CUDA_WORDS_H
#define GPUSIM_CUDA_WORDS_H

#include "words.h"

#include <cmath>
#include <cstdlib>

#define __device__
#define __global__
#define __constant__
#define __shared__ thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __launch_bounds__(threads)

#define threadIdx (gpusim_here()->thread)
#define blockIdx (gpusim_here()->block)
#define blockDim (gpusim_here()->block_extent)
#define gridDim (gpusim_here()->grid_extent)

GPUSIM_INLINE void __syncthreads()
{
    (void)gpusim_device->barrier(GPUSIM_SYNC_PLAIN, 0);
}
GPUSIM_INLINE int __syncthreads_count(int predicate)
{
    return gpusim_device->barrier(GPUSIM_SYNC_COUNT, predicate);
}
GPUSIM_INLINE int __syncthreads_and(int predicate)
{
    return gpusim_device->barrier(GPUSIM_SYNC_AND, predicate);
}
GPUSIM_INLINE int __syncthreads_or(int predicate)
{
    return gpusim_device->barrier(GPUSIM_SYNC_OR, predicate);
}
GPUSIM_INLINE void __threadfence_block()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
GPUSIM_INLINE void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
GPUSIM_INLINE void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Two instructions are asked for by name: asm("mov.u32 %0, %%laneid;" : "=r"(lane)), and __asm__("exit;"). */
#define asm(...) lane = gpusim_here()->lane
#define __asm__(...) gpusim_device->exit()

GPUSIM_INLINE long long clock64()
{
    return gpusim_clock();
}
GPUSIM_INLINE unsigned __activemask()
{
    return static_cast<unsigned>(gpusim_device->meet(GPUSIM_MEET_ACTIVE, 0, 0, 0));
}
GPUSIM_INLINE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return static_cast<unsigned>(gpusim_device->meet(GPUSIM_MEET_BALLOT, mask, predicate != 0, 0));
}
GPUSIM_INLINE int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
GPUSIM_INLINE int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate == 0) == 0;
}
GPUSIM_INLINE unsigned __shfl_sync(unsigned mask, unsigned value, int lane)
{
    return static_cast<unsigned>(
        gpusim_device->meet(GPUSIM_MEET_SHUFFLE, mask, value, static_cast<uint32_t>(lane) % 32u));
}

#define atomicCAS gpusim_cas
#define atomicExch gpusim_exch
#define atomicAdd gpusim_add
#define atomicAnd gpusim_and
#define atomicOr gpusim_or
#define atomicXor gpusim_xor
#define atomicMin gpusim_min
#define atomicMax gpusim_max

#include "entry.h"

#endif

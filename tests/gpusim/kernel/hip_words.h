/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of clang for AMD GPUs that accel/kernel/gpu/hip.h uses, for g++ -D__HIP__ -include hip_words.h.
 */
#ifndef GPUSIM_HIP_WORDS_H
#define GPUSIM_HIP_WORDS_H

#include "words.h"

/* __attribute__((shared)) is a thread_local variable; all others stay, and g++ ignores those that it does not know.
 * GPUSIM_IS_shared has two arguments, any other GPUSIM_IS_... is one. */
#define __attribute__(list) GPUSIM_ATTRIBUTE list
#define GPUSIM_ATTRIBUTE(...) GPUSIM_CHOOSE(GPUSIM_NAME(__VA_ARGS__), __attribute((__VA_ARGS__)), )
#define GPUSIM_NAME(first, ...) GPUSIM_IS_##first
#define GPUSIM_IS_shared , thread_local
#define GPUSIM_CHOOSE(...) GPUSIM_SECOND(__VA_ARGS__)
#define GPUSIM_SECOND(first, second, ...) second

#define __HIP_MEMORY_SCOPE_AGENT 4

#define __builtin_amdgcn_workitem_id_x() (gpusim_here()->thread.x)
#define __builtin_amdgcn_workitem_id_y() (gpusim_here()->thread.y)
#define __builtin_amdgcn_workitem_id_z() (gpusim_here()->thread.z)
#define __builtin_amdgcn_workgroup_id_x() (gpusim_here()->block.x)
#define __builtin_amdgcn_workgroup_id_y() (gpusim_here()->block.y)
#define __builtin_amdgcn_workgroup_id_z() (gpusim_here()->block.z)
#define __builtin_amdgcn_kernarg_segment_ptr() (gpusim_here()->parameters)
#define __builtin_amdgcn_wavefrontsize() (gpusim_here()->warp_size)

#define __builtin_amdgcn_fence(order, scope) __atomic_thread_fence(order)
#define __builtin_amdgcn_s_memtime() static_cast<uint64_t>(gpusim_clock())
#define __builtin_amdgcn_endpgm() gpusim_device->exit() /* of the lane alone */
#define __builtin_amdgcn_s_barrier() ((void)gpusim_device->barrier(GPUSIM_SYNC_PLAIN, 0))

/* Bits of mask below this lane, among the lower and the upper 32 lanes. */
GPUSIM_INLINE uint32_t gpusim_bits_below(uint32_t mask, uint32_t lane)
{
    return static_cast<uint32_t>(__builtin_popcount(lane < 32 ? mask & ((1u << lane) - 1) : mask));
}
#define __builtin_amdgcn_mbcnt_lo(mask, sum) ((sum) + gpusim_bits_below((mask), gpusim_here()->lane))
#define __builtin_amdgcn_mbcnt_hi(mask, sum)                                                                           \
    ((sum) + (gpusim_here()->lane < 32 ? 0 : gpusim_bits_below((mask), gpusim_here()->lane - 32)))

/* 33: not equal. */
#define __builtin_amdgcn_uicmp(a, b, comparison)                                                                       \
    gpusim_device->meet(GPUSIM_MEET_BALLOT, 0, (comparison) == 33 && (a) != (b), 0)
#define __builtin_amdgcn_ds_bpermute(address, value)                                                                   \
    static_cast<int>(gpusim_device->meet(GPUSIM_MEET_SHUFFLE, 0, static_cast<uint32_t>(value),                         \
                                         (static_cast<uint32_t>(address) >> 2) % gpusim_here()->warp_size))

#define __hip_atomic_load(p, order, scope) __atomic_load_n((p), (order))
#define __hip_atomic_exchange(p, v, order, scope) gpusim_exch((p), (v))
#define __hip_atomic_fetch_add(p, v, order, scope) gpusim_add((p), (v))
#define __hip_atomic_fetch_and(p, v, order, scope) gpusim_and((p), (v))
#define __hip_atomic_fetch_or(p, v, order, scope) gpusim_or((p), (v))
#define __hip_atomic_fetch_xor(p, v, order, scope) gpusim_xor((p), (v))
#define __hip_atomic_fetch_min(p, v, order, scope) gpusim_min((p), (v))
#define __hip_atomic_fetch_max(p, v, order, scope) gpusim_max((p), (v))
#define __hip_atomic_compare_exchange_strong(p, expected, desired, success, failure, scope)                            \
    (*(expected) = gpusim_cas((p), *(expected), (desired)))

#include "entry.h"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/warp.h - warps, barriers by name and updates under a lock, for CUDA and HIP.
 */
#ifndef ACCEL_KERNEL_GPU_WARP_H
#define ACCEL_KERNEL_GPU_WARP_H

#define accel_warp_size(acc) ((void)(acc).core, static_cast<size_t>(accel_gpu_warp_size()))
#define accel_warp_lane(acc) ((void)(acc).core, static_cast<size_t>(accel_gpu_lane()))
#define accel_warp_ballot(acc, predicate) ((void)(acc).core, accel_gpu_ballot((predicate) != 0))
#define accel_warp_any(acc, predicate) ((void)(acc).core, accel_gpu_any((predicate) != 0) ? 1 : 0)
#define accel_warp_all(acc, predicate) ((void)(acc).core, accel_gpu_all((predicate) != 0) ? 1 : 0)
#define accel_warp_shuffle(acc, v, lane) ACCEL_SHUFFLE_(acc, accel_gpu_active(), v, lane)
#define accel_warp_up(acc, v, delta) ACCEL_SHUFFLE_(acc, accel_gpu_active(), v, accel_gpu_lane_up(ACCEL_U32_(delta)))
#define accel_warp_down(acc, v, delta)                                                                                 \
    ACCEL_SHUFFLE_(acc, accel_gpu_active(), v, accel_gpu_lane_down(ACCEL_U32_(delta)))
#define accel_warp_xor(acc, v, mask) ACCEL_SHUFFLE_(acc, accel_gpu_active(), v, accel_gpu_lane_xor(ACCEL_U32_(mask)))
#define ACCEL_U32_(number) static_cast<uint32_t>(number)
#define ACCEL_SHUFFLE_(acc, lanes, v, lane)                                                                            \
    ((void)(acc).core, accel_gpu_shuffle_of(ACCEL_U32_(lanes), (v), ACCEL_U32_(lane)))

#define accel_warp_ballot_masked(acc, lanes, predicate)                                                                \
    ((void)(acc).core, accel_gpu_ballot_of((lanes), (predicate) != 0))
#define accel_warp_any_masked(acc, lanes, predicate) (accel_warp_ballot_masked(acc, lanes, predicate) != 0 ? 1 : 0)
#define accel_warp_all_masked(acc, lanes, predicate) (accel_warp_ballot_masked(acc, lanes, !(predicate)) == 0 ? 1 : 0)
#define accel_warp_shuffle_masked(acc, lanes, v, lane) ACCEL_SHUFFLE_(acc, lanes, v, lane)
#define accel_warp_up_masked(acc, lanes, v, delta) ACCEL_SHUFFLE_(acc, lanes, v, accel_gpu_lane_up(ACCEL_U32_(delta)))
#define accel_warp_down_masked(acc, lanes, v, delta)                                                                   \
    ACCEL_SHUFFLE_(acc, lanes, v, accel_gpu_lane_down(ACCEL_U32_(delta)))
#define accel_warp_xor_masked(acc, lanes, v, mask) ACCEL_SHUFFLE_(acc, lanes, v, accel_gpu_lane_xor(ACCEL_U32_(mask)))

#define ACCEL_EVERY_LANE_ (~static_cast<uint64_t>(0))
#define accel_warp_ballot_full(acc, predicate) accel_warp_ballot_masked(acc, ACCEL_EVERY_LANE_, predicate)
#define accel_warp_any_full(acc, predicate) accel_warp_any_masked(acc, ACCEL_EVERY_LANE_, predicate)
#define accel_warp_all_full(acc, predicate) accel_warp_all_masked(acc, ACCEL_EVERY_LANE_, predicate)
#define accel_warp_shuffle_full(acc, v, lane) accel_warp_shuffle_masked(acc, ACCEL_EVERY_LANE_, v, lane)
#define accel_warp_up_full(acc, v, delta) accel_warp_up_masked(acc, ACCEL_EVERY_LANE_, v, delta)
#define accel_warp_down_full(acc, v, delta) accel_warp_down_masked(acc, ACCEL_EVERY_LANE_, v, delta)
#define accel_warp_xor_full(acc, v, mask) accel_warp_xor_masked(acc, ACCEL_EVERY_LANE_, v, mask)

/* A value of 32 or 64 bits moves between lanes in words, all of them among the lanes that take part in the first. */
template <class T_> ACCEL_INLINE_ T_ accel_gpu_shuffle_of(uint32_t active, T_ v, uint32_t lane)
{
    static_assert(sizeof(T_) == 4 || sizeof(T_) == 8, "shuffles take values of 32 or 64 bits");
    uint32_t words[sizeof(T_) / 4];
    __builtin_memcpy(words, &v, sizeof(T_));
    for (uint32_t &word : words)
        word = accel_gpu_read_lane(active, word, lane);
    __builtin_memcpy(&v, words, sizeof(T_));
    return v;
}
/* The lane to read, or the own one where there is none. */
ACCEL_INLINE_ uint32_t accel_gpu_lane_up(uint32_t delta)
{
    const uint32_t lane = accel_gpu_lane();
    return delta <= lane ? lane - delta : lane;
}
ACCEL_INLINE_ uint32_t accel_gpu_lane_down(uint32_t delta)
{
    const uint32_t lane = accel_gpu_lane();
    return delta < accel_gpu_warp_size() - lane ? lane + delta : lane;
}
ACCEL_INLINE_ uint32_t accel_gpu_lane_xor(uint32_t mask)
{
    const uint32_t lane = accel_gpu_lane();
    return (lane ^ mask) < accel_gpu_warp_size() ? lane ^ mask : lane;
}

/* True in one of the active lanes of a warp. */
ACCEL_INLINE_ bool accel_gpu_first_lane()
{
    const uint64_t active = accel_gpu_ballot(true);
    return (active & ((static_cast<uint64_t>(1) << accel_gpu_lane()) - 1)) == 0;
}

/* ------------------------------------------------------------------------------------------- barriers -- */

#define accel_sync_block(acc) ((void)(acc).thread_kernels_only, accel_gpu_barrier())
#define accel_sync_block_count(acc, predicate)                                                                         \
    ((void)(acc).thread_kernels_only, accel_gpu_barrier_count((predicate) != 0))
#define accel_sync_block_and(acc, predicate) ((void)(acc).thread_kernels_only, accel_gpu_barrier_and((predicate) != 0))
#define accel_sync_block_or(acc, predicate) ((void)(acc).thread_kernels_only, accel_gpu_barrier_or((predicate) != 0))

/* ------------------------------------------------------------------------------------ struct updates -- */

/*
 * The threads of a warp may want the same lock, so none may wait for it while others cannot proceed. All of them loop
 * together until none is left. In each turn those that got their lock do the update and release it:
 *
 *     for (accel_update u = begin(p); some active thread of the warp is not done; )
 *         for (bool mine = try; mine; mine = end)
 *             { ... }
 */
#define ACCEL_ATOMIC_UPDATE(acc, p)                                                                                    \
    for (accel_update accel_lock = accel_update_begin(accel_core_grid((acc).core), (p));                               \
         accel_gpu_any(!accel_lock.done);)                                                                             \
        for (bool accel_mine = accel_update_try(&accel_lock); accel_mine; accel_mine = accel_update_end(&accel_lock))

struct accel_update {
    accel_u32 *lock;
    bool done;
};

ACCEL_INLINE_ accel_update accel_update_begin(const accel_grid *grid, const void *p)
{
    return {reinterpret_cast<accel_u32 *>(grid->locks + accel_lock_index(p, grid->lock_mask)), false};
}

ACCEL_INLINE_ bool accel_update_try(accel_update *update)
{
    if (update->done || accel_gpu_lock_take(update->lock) != 0)
        return false;
    accel_gpu_fence_device();
    return true;
}

ACCEL_INLINE_ bool accel_update_end(accel_update *update)
{
    accel_gpu_fence_device();
    accel_gpu_lock_give(update->lock);
    update->done = true;
    return false;
}

/*
 * Objects of 4 and 8 bytes are compared and exchanged; a lock guards others. Either way all threads loop together:
 *
 *     for (accel_modify m = begin(p); some active thread of the warp is not done; )
 *         for (T v, *mine = try; mine != nullptr; mine = end)
 *             { ... }
 */
#define ACCEL_ATOMIC_MODIFY(acc, T, p, v)                                                                              \
    for (accel_modify<T> accel_modify_##v = accel_modify_begin<T>(accel_core_grid((acc).core), (p));                   \
         accel_gpu_any(!accel_modify_##v.update.done);)                                                                \
        for (T v, *accel_mine_##v = accel_modify_try(&accel_modify_##v, &v); accel_mine_##v != nullptr;                \
             accel_mine_##v = accel_modify_end(&accel_modify_##v, &v))

#define ACCEL_ATOMIC_MODIFY_BLOCK(acc, T, p, v) ACCEL_ATOMIC_MODIFY(acc, T, p, v)

/* `exchanges`: no lock; old is what was read. */
template <class T_> struct accel_modify {
    T_ *at;
    T_ old;
    accel_update update;
    bool exchanges;
};

template <class T_> ACCEL_INLINE_ accel_modify<T_> accel_modify_begin(const accel_grid *grid, T_ *p)
{
    accel_modify<T_> modify;
    modify.at = p;
    modify.update = accel_update_begin(grid, p);
    modify.exchanges = (sizeof(T_) == 4 || sizeof(T_) == 8) && (reinterpret_cast<uintptr_t>(p) & (sizeof(T_) - 1)) == 0;
    return modify;
}

template <class T_> ACCEL_INLINE_ T_ *accel_modify_try(accel_modify<T_> *modify, T_ *v)
{
    if (modify->exchanges && !modify->update.done) {
        if constexpr (sizeof(T_) == 4 || sizeof(T_) == 8)
            accel_raw_load(modify->at, &modify->old);
        *v = modify->old;
        return modify->at;
    }
    if (modify->exchanges || !accel_update_try(&modify->update))
        return nullptr;
    *v = *modify->at;
    return modify->at;
}

template <class T_> ACCEL_INLINE_ T_ *accel_modify_end(accel_modify<T_> *modify, const T_ *v)
{
    if (!modify->exchanges) {
        *modify->at = *v;
        accel_update_end(&modify->update);
        return nullptr;
    }
    if constexpr (sizeof(T_) == 4 || sizeof(T_) == 8)
        modify->update.done = accel_raw_cas(modify->at, &modify->old, v);
    return nullptr;
}

#endif

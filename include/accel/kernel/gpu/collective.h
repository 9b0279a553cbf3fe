/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/collective.h - collectives for CUDA and HIP: values move between the lanes of a warp within groups
 * of 32 threads, and through shared memory between groups. Both forms of kernel run the same code. A warp is one group
 * or two, and may have fewer lanes at the end of a block.
 *
 * A call has two barriers. What it reads behind the second it wrote between them, and what it reads between them it
 * wrote before the first. So no call disturbs threads that are still in the one before.
 */
#ifndef ACCEL_KERNEL_GPU_COLLECTIVE_H
#define ACCEL_KERNEL_GPU_COLLECTIVE_H

#define accel_block_reduce(acc, T, op, x)                                                                              \
    accel_gpu_reduce<T>(accel_gpu_core_of_block(acc), ACCEL_GPU_PRIVATE_(T, x), ACCEL_GPU_INTO_(T, op))
#define accel_block_inclusive_scan(acc, T, op, x)                                                                      \
    accel_gpu_block_scan<T>(accel_gpu_core_of_block(acc), x, nullptr, ACCEL_GPU_INTO_(T, op))
#define accel_block_exclusive_scan(acc, T, op, x)                                                                      \
    accel_gpu_block_scan<T>(accel_gpu_core_of_block(acc), x, ACCEL_GPU_START_(T, op), ACCEL_GPU_INTO_(T, op))
#define accel_block_broadcast(acc, T, x, t)                                                                            \
    accel_gpu_broadcast<T>(accel_gpu_core_of_block(acc), ACCEL_GPU_PRIVATE_(T, x), (t))
#define accel_block_sort(acc, T, less, tile, spare, n)                                                                 \
    accel_gpu_sort<T>(accel_gpu_core_of_block(acc), (tile), (spare), (n), ACCEL_GPU_LESS_(T, less))

#define accel_sync_block_reduce(acc, T, op, v)                                                                         \
    accel_gpu_reduce<T>(accel_gpu_core_of_thread(acc), (v), ACCEL_GPU_INTO_(T, op))
#define accel_sync_block_inclusive_scan(acc, T, op, v, all)                                                            \
    accel_gpu_scan<T>(accel_gpu_core_of_thread(acc), (v), (all), nullptr, ACCEL_GPU_INTO_(T, op))
#define accel_sync_block_exclusive_scan(acc, T, op, v, all)                                                            \
    accel_gpu_scan<T>(accel_gpu_core_of_thread(acc), (v), (all), ACCEL_GPU_START_(T, op), ACCEL_GPU_INTO_(T, op))
#define accel_sync_block_broadcast(acc, T, v, t) accel_gpu_broadcast<T>(accel_gpu_core_of_thread(acc), (v), (t))
#define accel_sync_block_sort(acc, T, less, tile, spare, n)                                                            \
    accel_gpu_sort<T>(accel_gpu_core_of_thread(acc), (tile), (spare), (n), ACCEL_GPU_LESS_(T, less))

/* What the macros paste, as objects to call. */
#define ACCEL_GPU_INTO_(T, op) [](T *accel_a, const T *accel_b) { accel_into_##op(accel_a, accel_b); }
#define ACCEL_GPU_LESS_(T, less) [](const T &accel_a, const T &accel_b) -> bool { return less(accel_a, accel_b); }
#define ACCEL_GPU_START_(T, op)                                                                                        \
    []() -> T {                                                                                                        \
        const T accel_start = accel_start_##op(static_cast<T *>(nullptr));                                             \
        return accel_start;                                                                                            \
    }
/* Only the array of a private value converts. */
#define ACCEL_GPU_PRIVATE_(T, x) (*static_cast<T *>(x))

ACCEL_INLINE_ accel_core accel_gpu_core_of_block(const accel_block_handle acc)
{
    return acc.core;
}
ACCEL_INLINE_ accel_core accel_gpu_core_of_thread(const accel_thread_handle acc)
{
    return acc.core;
}

/* ------------------------------------------------------------------------------------------------ lanes -- */

/* v of another lane of the warp. Every thread of the block comes here. */
template <class T_> ACCEL_INLINE_ T_ accel_gpu_move(T_ v, uint32_t lane)
{
    static_assert(__is_trivially_copyable(T_), "collectives take plain data");
    uint32_t words[(sizeof(T_) + 3) / 4] = {};
    __builtin_memcpy(words, &v, sizeof(T_));
    for (uint32_t &word : words)
        word = accel_gpu_read_lane(~0u, word, lane);
    __builtin_memcpy(&v, words, sizeof(T_));
    return v;
}

/* Value 0 of n becomes what all n make, by halves; k is this thread's place in its group. */
template <class T_, class Into> ACCEL_INLINE_ T_ accel_gpu_halves(T_ v, uint32_t k, uint32_t n, Into into)
{
    for (uint32_t h = 16; h != 0; h /= 2) {
        const T_ other = accel_gpu_move(v, accel_gpu_lane_down(h));
        if (k < h && k + h < n)
            into(&v, &other);
    }
    return v;
}

/* Each value becomes what it and those before it in the group make. */
template <class T_, class Into> ACCEL_INLINE_ T_ accel_gpu_prefixes(T_ v, uint32_t k, Into into)
{
    for (uint32_t h = 1; h < 32; h *= 2) {
        T_ left = accel_gpu_move(v, accel_gpu_lane_up(h));
        if (k >= h) {
            into(&left, &v);
            v = left;
        }
    }
    return v;
}

/* ---------------------------------------------------------------------------------------------- groups -- */

/* This thread, its place in its group, the group, the threads of the block and the groups. */
struct accel_gpu_place {
    uint32_t t, k, g, threads, groups;
};
ACCEL_INLINE_ accel_gpu_place accel_gpu_place_of(const accel_core core)
{
    const uint32_t t = static_cast<uint32_t>(accel_gpu_thread_linear(core));
    const uint32_t threads = static_cast<uint32_t>(accel_gpu_threads(core));
    return {t, t % 32, t / 32, threads, (threads + 31) / 32};
}

/* Three elements for each group: its result; what it and the groups before it make; the last value of its scan. One
 * more for broadcasts. */
enum { ACCEL_GPU_BEFORE_ = 32, ACCEL_GPU_LAST_ = 64, ACCEL_GPU_BROADCAST_ = 96, ACCEL_GPU_SHARED_ = 97 };
template <class T_> ACCEL_INLINE_ T_ *accel_gpu_collective_memory()
{
    static_assert(alignof(T_) <= 16, "collectives take types of an alignment of at most 16 bytes");
    ACCEL_SHARED_STORAGE_ static unsigned char memory[ACCEL_GPU_SHARED_ * sizeof(T_)] __attribute__((aligned(16)));
    return reinterpret_cast<T_ *>(memory);
}

/* What the values of the first at.threads threads make, at least of one. Every thread of the block comes here. */
template <class T_, class Into> ACCEL_INLINE_ T_ accel_gpu_reduce_at(const accel_gpu_place at, T_ v, Into into)
{
    T_ *shared = accel_gpu_collective_memory<T_>();
    const uint32_t left = at.threads - 32 * at.g;
    v = accel_gpu_move(v, accel_gpu_lane()); /* no compiler fuses with what made it */
    v = accel_gpu_halves(v, at.k, left < 32 ? left : 32, into);
    if (at.k == 0)
        shared[at.g] = v;
    accel_gpu_barrier();
    v = accel_gpu_halves(shared[at.k < at.groups ? at.k : 0], at.k, at.groups, into);
    if (at.t == 0)
        shared[ACCEL_GPU_LAST_] = v;
    accel_gpu_barrier();
    return shared[ACCEL_GPU_LAST_];
}

template <class T_, class Into> ACCEL_INLINE_ T_ accel_gpu_reduce(const accel_core core, T_ v, Into into)
{
    return accel_gpu_reduce_at(accel_gpu_place_of(core), v, into);
}

/* The inclusive scan, or the exclusive one where `start` is no nullptr, of the values of the first at.threads threads, at
 * least of one. Every thread of the block comes here. What the others get is no result. */
template <class Start> struct accel_is_null {
    static constexpr bool value = false;
};
template <> struct accel_is_null<decltype(nullptr)> {
    static constexpr bool value = true;
};
template <class T_, class Start, class Into>
ACCEL_INLINE_ T_ accel_gpu_scan_at(const accel_gpu_place at, T_ v, T_ *all, Start start, Into into)
{
    T_ *shared = accel_gpu_collective_memory<T_>();
    v = accel_gpu_move(v, accel_gpu_lane());
    v = accel_gpu_prefixes(v, at.k, into);
    if (at.t == at.threads - 1 || (at.k == 31 && at.t < at.threads))
        shared[at.g] = v;
    accel_gpu_barrier();
    const T_ result = shared[at.k < at.groups ? at.k : 0];
    const T_ before = accel_gpu_prefixes(result, at.k, into);
    T_ last = accel_gpu_move(before, accel_gpu_lane_up(1));
    if (at.k == 0)
        last = result;
    else
        into(&last, &result);
    if (at.t < at.groups) {
        shared[ACCEL_GPU_BEFORE_ + at.k] = before;
        shared[ACCEL_GPU_LAST_ + at.k] = last;
    }
    accel_gpu_barrier();
    if (at.g != 0 && at.g < at.groups) {
        T_ left = shared[ACCEL_GPU_BEFORE_ + at.g - 1];
        into(&left, &v);
        v = left;
    }
    if (all != nullptr)
        *all = shared[ACCEL_GPU_LAST_ + at.groups - 1];
    if constexpr (!accel_is_null<Start>::value) { /* the inclusive one, moved by a thread */
        v = accel_gpu_move(v, accel_gpu_lane_up(1));
        if (at.t == 0)
            v = start();
        else if (at.k == 0)
            v = shared[ACCEL_GPU_LAST_ + at.g - 1];
    }
    return v;
}

template <class T_, class Start, class Into>
ACCEL_INLINE_ T_ accel_gpu_scan(const accel_core core, T_ v, T_ *all, Start start, Into into)
{
    return accel_gpu_scan_at(accel_gpu_place_of(core), v, all, start, into);
}

template <class T_, class Start, class Into>
ACCEL_INLINE_ T_ accel_gpu_block_scan(const accel_core core, T_ *x, Start start, Into into)
{
    T_ all;
    *x = accel_gpu_scan<T_>(core, *x, &all, start, into);
    return all;
}

template <class T_> ACCEL_INLINE_ T_ accel_gpu_broadcast(const accel_core core, T_ v, size_t t)
{
    T_ *shared = accel_gpu_collective_memory<T_>();
    accel_gpu_barrier(); /* all threads have read the one before */
    if (accel_gpu_thread_linear(core) == t)
        shared[ACCEL_GPU_BROADCAST_] = v;
    accel_gpu_barrier();
    return shared[ACCEL_GPU_BROADCAST_];
}

/* ------------------------------------------------------------------------------------------------- sort -- */

/* How many of the n elements of an ordered run come before v. Equal ones do if `equal` says so. */
template <class T_, class Less>
ACCEL_INLINE_ size_t accel_gpu_rank(const T_ *run, size_t n, const T_ &v, bool equal, Less less)
{
    size_t first = 0;
    while (n != 0) {
        const size_t half = n / 2;
        const bool is_before = equal ? !less(v, run[first + half]) : less(run[first + half], v);
        first += is_before ? half + 1 : 0;
        n = is_before ? n - half - 1 : half;
    }
    return first;
}

/* Runs of 1, 2, 4, ... elements are merged, by turns from one array into the other. Each element finds its place by its
 * rank in the other run. */
template <class T_, class Less>
ACCEL_INLINE_ void accel_gpu_sort(const accel_core core, T_ *tile, T_ *spare, size_t n, Less less)
{
    const size_t t = accel_gpu_thread_linear(core), threads = accel_gpu_threads(core);
    T_ *from = tile, *to = spare;
    accel_gpu_barrier();
    for (size_t w = 1; w < n; w *= 2) {
        for (size_t i = t; i < n; i += threads) {
            const size_t begin = i / (2 * w) * (2 * w);
            const size_t middle = n - begin < w ? n : begin + w;
            const size_t end = n - middle < w ? n : middle + w;
            const bool is_left = i < middle;
            const size_t rank = is_left ? accel_gpu_rank(from + middle, end - middle, from[i], false, less)
                                        : accel_gpu_rank(from + begin, middle - begin, from[i], true, less);
            to[is_left ? i + rank : i - middle + begin + rank] = from[i];
        }
        accel_gpu_barrier();
        T_ *filled = to;
        to = from;
        from = filled;
    }
    if (from != tile) {
        for (size_t i = t; i < n; i += threads)
            tile[i] = from[i];
        accel_gpu_barrier();
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/warp.h - warps for host compilers: they have one thread.
 *
 * In objects for target `check` each of these is a call, as cpu-check may give a thread kernel warps of 32 or 64 lanes
 * (docs/checking.md):
 *
 *     accel_warp_ballot(acc, p)      accel_check_warp_call(BALLOT, ANY, 0, p ? 1 : 0, 0, __LINE__)
 *     accel_warp_up(acc, v, delta)   accel_cpu_warp_move_TYPE(UP, ANY, 0, v, delta, __LINE__): that call with v's bits
 */
#ifndef ACCEL_KERNEL_CPU_WARP_H
#define ACCEL_KERNEL_CPU_WARP_H

#if defined(ACCEL_OBSERVED_)

/* A thread kernel that calls one runs as fibers, as if it had a barrier. */
ACCEL_INLINE_ int accel_cpu_warp_in_block(const accel_block_handle acc)
{
    (void)acc;
    return 0;
}
ACCEL_INLINE_ int accel_cpu_warp_in_thread(const accel_thread_handle acc)
{
    (void)acc;
    accel_cpu_barrier_found();
    return 0;
}

#if defined(__cplusplus)
ACCEL_INLINE_ int accel_cpu_warp_in(const accel_block_handle acc)
{
    return accel_cpu_warp_in_block(acc);
}
ACCEL_INLINE_ int accel_cpu_warp_in(const accel_thread_handle acc)
{
    return accel_cpu_warp_in_thread(acc);
}
template <class T_>
ACCEL_INLINE_ T_ accel_cpu_warp_move(uint32_t what, uint32_t form, uint64_t mask, T_ v, uint64_t other, uint32_t line)
{
    static_assert(sizeof(T_) == 4 || sizeof(T_) == 8, "shuffles take values of 32 or 64 bits");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &v, sizeof(T_));
    bits = accel_check_warp_call(what, form, mask, bits, other, line);
    __builtin_memcpy(&v, &bits, sizeof(T_));
    return v;
}
#define ACCEL_CPU_WARP_MOVE_OF_(v) accel_cpu_warp_move
#else
#define accel_cpu_warp_in(acc)                                                                                         \
    _Generic((acc), accel_block_handle : accel_cpu_warp_in_block, accel_thread_handle : accel_cpu_warp_in_thread)(acc)
/* A value of 32 or 64 bits as the low bits of 64. */
#define ACCEL_CPU_WARP_MOVE_(T, S)                                                                                     \
    ACCEL_INLINE_ T accel_cpu_warp_move_##S(uint32_t what, uint32_t form, uint64_t mask, T v, uint64_t other,          \
                                            uint32_t line)                                                             \
    {                                                                                                                  \
        union {                                                                                                        \
            T value;                                                                                                   \
            uint64_t bits;                                                                                             \
        } word;                                                                                                        \
        word.bits = 0;                                                                                                 \
        word.value = v;                                                                                                \
        word.bits = accel_check_warp_call(what, form, mask, word.bits, other, line);                                   \
        return word.value;                                                                                             \
    }
ACCEL_CPU_WARP_MOVE_(int, int)
ACCEL_CPU_WARP_MOVE_(unsigned int, uint)
ACCEL_CPU_WARP_MOVE_(long, long)
ACCEL_CPU_WARP_MOVE_(unsigned long, ulong)
ACCEL_CPU_WARP_MOVE_(long long, llong)
ACCEL_CPU_WARP_MOVE_(unsigned long long, ullong)
ACCEL_CPU_WARP_MOVE_(float, float)
ACCEL_CPU_WARP_MOVE_(double, double)
#define ACCEL_CPU_WARP_MOVE_OF_(v) ACCEL_BY_NUMBER_(accel_cpu_warp_move, (v))
#endif

#define ACCEL_CPU_WARP_(acc, what, form, mask, value)                                                                  \
    ((void)accel_cpu_warp_in(acc),                                                                                     \
     accel_check_warp_call(ACCEL_CHECK_WARP_##what, ACCEL_CHECK_WARP_##form, (mask), (uint64_t)(value), 0, __LINE__))
#define ACCEL_CPU_VOTE_(acc, what, form, mask, predicate) ACCEL_CPU_WARP_(acc, what, form, mask, (predicate) ? 1 : 0)
#define ACCEL_CPU_SHUFFLE_(acc, what, form, mask, v, other)                                                            \
    ((void)accel_cpu_warp_in(acc), ACCEL_CPU_WARP_MOVE_OF_(v)(ACCEL_CHECK_WARP_##what, ACCEL_CHECK_WARP_##form,        \
                                                              (mask), (v), (uint32_t)(other), __LINE__))

#define accel_warp_size(acc) ((size_t)ACCEL_CPU_WARP_(acc, SIZE, ANY, 0, 0))
#define accel_warp_lane(acc) ((size_t)ACCEL_CPU_WARP_(acc, LANE, ANY, 0, 0))

#define accel_warp_ballot(acc, predicate) ACCEL_CPU_VOTE_(acc, BALLOT, ANY, 0, predicate)
#define accel_warp_any(acc, predicate) ((int)ACCEL_CPU_VOTE_(acc, SOME, ANY, 0, predicate))
#define accel_warp_all(acc, predicate) ((int)ACCEL_CPU_VOTE_(acc, ALL, ANY, 0, predicate))
#define accel_warp_shuffle(acc, v, lane) ACCEL_CPU_SHUFFLE_(acc, SHUFFLE, ANY, 0, v, lane)
#define accel_warp_up(acc, v, delta) ACCEL_CPU_SHUFFLE_(acc, UP, ANY, 0, v, delta)
#define accel_warp_down(acc, v, delta) ACCEL_CPU_SHUFFLE_(acc, DOWN, ANY, 0, v, delta)
#define accel_warp_xor(acc, v, mask) ACCEL_CPU_SHUFFLE_(acc, XOR, ANY, 0, v, mask)

#define accel_warp_ballot_full(acc, predicate) ACCEL_CPU_VOTE_(acc, BALLOT, FULL, 0, predicate)
#define accel_warp_any_full(acc, predicate) ((int)ACCEL_CPU_VOTE_(acc, SOME, FULL, 0, predicate))
#define accel_warp_all_full(acc, predicate) ((int)ACCEL_CPU_VOTE_(acc, ALL, FULL, 0, predicate))
#define accel_warp_shuffle_full(acc, v, lane) ACCEL_CPU_SHUFFLE_(acc, SHUFFLE, FULL, 0, v, lane)
#define accel_warp_up_full(acc, v, delta) ACCEL_CPU_SHUFFLE_(acc, UP, FULL, 0, v, delta)
#define accel_warp_down_full(acc, v, delta) ACCEL_CPU_SHUFFLE_(acc, DOWN, FULL, 0, v, delta)
#define accel_warp_xor_full(acc, v, mask) ACCEL_CPU_SHUFFLE_(acc, XOR, FULL, 0, v, mask)

#define accel_warp_ballot_masked(acc, lanes, predicate) ACCEL_CPU_VOTE_(acc, BALLOT, MASKED, lanes, predicate)
#define accel_warp_any_masked(acc, lanes, predicate) ((int)ACCEL_CPU_VOTE_(acc, SOME, MASKED, lanes, predicate))
#define accel_warp_all_masked(acc, lanes, predicate) ((int)ACCEL_CPU_VOTE_(acc, ALL, MASKED, lanes, predicate))
#define accel_warp_shuffle_masked(acc, lanes, v, lane) ACCEL_CPU_SHUFFLE_(acc, SHUFFLE, MASKED, lanes, v, lane)
#define accel_warp_up_masked(acc, lanes, v, delta) ACCEL_CPU_SHUFFLE_(acc, UP, MASKED, lanes, v, delta)
#define accel_warp_down_masked(acc, lanes, v, delta) ACCEL_CPU_SHUFFLE_(acc, DOWN, MASKED, lanes, v, delta)
#define accel_warp_xor_masked(acc, lanes, v, mask) ACCEL_CPU_SHUFFLE_(acc, XOR, MASKED, lanes, v, mask)

#else

#define accel_warp_size(acc) ((void)(acc).core, (size_t)1)
#define accel_warp_lane(acc) ((void)(acc).core, (size_t)0)
#define accel_warp_ballot(acc, predicate) ((void)(acc).core, (uint64_t)((predicate) ? 1 : 0))
#define accel_warp_any(acc, predicate) ((void)(acc).core, (predicate) ? 1 : 0)
#define accel_warp_all(acc, predicate) ((void)(acc).core, (predicate) ? 1 : 0)
#define accel_warp_shuffle(acc, v, lane) ((void)(acc).core, (void)(lane), (v))
#define accel_warp_up(acc, v, delta) ((void)(acc).core, (void)(delta), (v))
#define accel_warp_down(acc, v, delta) ((void)(acc).core, (void)(delta), (v))
#define accel_warp_xor(acc, v, mask) ((void)(acc).core, (void)(mask), (v))

/* With the mask evaluated. */
#define accel_warp_ballot_full(acc, predicate) accel_warp_ballot(acc, predicate)
#define accel_warp_any_full(acc, predicate) accel_warp_any(acc, predicate)
#define accel_warp_all_full(acc, predicate) accel_warp_all(acc, predicate)
#define accel_warp_shuffle_full(acc, v, lane) accel_warp_shuffle(acc, v, lane)
#define accel_warp_up_full(acc, v, delta) accel_warp_up(acc, v, delta)
#define accel_warp_down_full(acc, v, delta) accel_warp_down(acc, v, delta)
#define accel_warp_xor_full(acc, v, mask) accel_warp_xor(acc, v, mask)
#define accel_warp_ballot_masked(acc, lanes, predicate) ((void)(lanes), accel_warp_ballot(acc, predicate))
#define accel_warp_any_masked(acc, lanes, predicate) ((void)(lanes), accel_warp_any(acc, predicate))
#define accel_warp_all_masked(acc, lanes, predicate) ((void)(lanes), accel_warp_all(acc, predicate))
#define accel_warp_shuffle_masked(acc, lanes, v, lane) ((void)(lanes), accel_warp_shuffle(acc, v, lane))
#define accel_warp_up_masked(acc, lanes, v, delta) ((void)(lanes), accel_warp_up(acc, v, delta))
#define accel_warp_down_masked(acc, lanes, v, delta) ((void)(lanes), accel_warp_down(acc, v, delta))
#define accel_warp_xor_masked(acc, lanes, v, mask) ((void)(lanes), accel_warp_xor(acc, v, mask))
#endif

#endif

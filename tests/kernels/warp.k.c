/* SPDX-License-Identifier: Apache-2.0 */
/* Warp functions; the header says what each thread must have found. One block, in one dimension, of a multiple of 64
 * threads. */
#include <accel/kernel.h>
#include "warp.h"

#define WARP_OF_THREAD(acc, t, r)                                                                                      \
    const size_t w = accel_warp_size(acc);                                                                             \
    const size_t l = accel_warp_lane(acc);                                                                             \
    const uint64_t big = (uint64_t)1 << 40;                                                                            \
    warp_result found;                                                                                                 \
    found.size = (uint32_t)w;                                                                                          \
    found.lane = (uint32_t)l;                                                                                          \
    found.odd = accel_warp_ballot(acc, (t) % 2);                                                                       \
    found.any_last = (uint32_t)accel_warp_any(acc, l == w - 1);                                                        \
    found.any_none = (uint32_t)accel_warp_any(acc, 0);                                                                 \
    found.all_lane = (uint32_t)accel_warp_all(acc, l < w);                                                             \
    found.all_zero = (uint32_t)accel_warp_all(acc, l == 0);                                                            \
    found.reserved = 0;                                                                                                \
    found.from_last = accel_warp_shuffle(acc, -(int32_t)(t), w - 1);                                                   \
    found.from_up = accel_warp_up(acc, (uint32_t)(t), 1);                                                              \
    found.from_down = accel_warp_down(acc, (int64_t)(big + (t)), 1);                                                   \
    found.from_xor = accel_warp_xor(acc, big + (t), 1);                                                                \
    found.sum = (float)(t);                                                                                            \
    for (size_t mask = w / 2; mask > 0; mask /= 2)                                                                     \
        found.sum += accel_warp_xor(acc, found.sum, mask);                                                             \
    found.first = accel_warp_shuffle(acc, (float)(t), 0);                                                              \
    found.last = accel_warp_shuffle(acc, (double)(t), w - 1);                                                          \
    (r)[t] = found

ACCEL_KERNEL(warp_block, warp_args, args)
{
    ACCEL_THREADS(acc, t) {
        WARP_OF_THREAD(acc, t, args.result);
    }
}

ACCEL_THREAD_KERNEL(warp_thread, warp_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    WARP_OF_THREAD(acc, t, args.result);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Warp functions; the header says what each thread must have found. One block, in one dimension, of a multiple of 64
 * threads. `form` is the end of the functions' names. */
#include <accel/kernel.h>
#include "warp.h"

#define WARP_OF_THREAD(acc, t, r, form)                                                                                \
    const size_t w = accel_warp_size(acc);                                                                             \
    const size_t l = accel_warp_lane(acc);                                                                             \
    const uint64_t big = (uint64_t)1 << 40;                                                                            \
    warp_result found;                                                                                                 \
    found.size = (uint32_t)w;                                                                                          \
    found.lane = (uint32_t)l;                                                                                          \
    found.odd = accel_warp_ballot##form(acc, (t) % 2);                                                                 \
    found.any_last = (uint32_t)accel_warp_any##form(acc, l == w - 1);                                                  \
    found.any_none = (uint32_t)accel_warp_any##form(acc, 0);                                                           \
    found.all_lane = (uint32_t)accel_warp_all##form(acc, l < w);                                                       \
    found.all_zero = (uint32_t)accel_warp_all##form(acc, l == 0);                                                      \
    found.from_last = accel_warp_shuffle##form(acc, -(int32_t)(t), w - 1);                                             \
    found.from_up = accel_warp_up##form(acc, (uint32_t)(t), 1);                                                        \
    found.from_down = accel_warp_down##form(acc, (int64_t)(big + (t)), 1);                                             \
    found.from_xor = accel_warp_xor##form(acc, big + (t), 1);                                                          \
    found.sum = (float)(t);                                                                                            \
    for (size_t mask = w / 2; mask > 0; mask /= 2)                                                                     \
        found.sum += accel_warp_xor##form(acc, found.sum, mask);                                                       \
    found.first = accel_warp_shuffle##form(acc, (float)(t), 0);                                                        \
    found.last = accel_warp_shuffle##form(acc, (double)(t), w - 1);                                                    \
    const uint64_t low = accel_warp_ballot_full(acc, l < (w + 1) / 2);                                                 \
    found.differ = accel_warp_ballot_full(acc, (t) % 2) != found.odd;                                                  \
    found.differ += accel_warp_any_full(acc, l == w - 1) != 1 || accel_warp_any_full(acc, 0) != 0;                     \
    found.differ +=                                                                                                    \
        accel_warp_all_full(acc, l < w) != 1 || (uint32_t)accel_warp_all_full(acc, l == 0) != found.all_zero;          \
    found.differ += accel_warp_shuffle_full(acc, -(int32_t)(t), w - 1) != found.from_last;                             \
    found.differ += accel_warp_up_full(acc, (uint32_t)(t), 1) != found.from_up;                                        \
    found.differ += accel_warp_down_full(acc, (int64_t)(big + (t)), 1) != found.from_down;                             \
    found.differ += accel_warp_xor_full(acc, big + (t), 1) != found.from_xor;                                          \
    if (l < (w + 1) / 2) {                                                                                             \
        found.differ += accel_warp_ballot_masked(acc, low, 1) != low;                                                  \
        found.differ += accel_warp_any_masked(acc, low, l >= (w + 1) / 2) != 0;                                        \
        found.differ += accel_warp_all_masked(acc, low, l < (w + 1) / 2) != 1;                                         \
        found.differ += accel_warp_shuffle_masked(acc, low, (uint32_t)(t), 0) != (uint32_t)((t)-l);                    \
        found.differ += accel_warp_up_masked(acc, low, (uint32_t)(t), 1) != found.from_up;                             \
        found.differ += accel_warp_xor_masked(acc, low, big + (t), 0) != big + (t);                                    \
        found.differ += accel_warp_down_masked(acc, low, (uint32_t)(t), 0) != (uint32_t)(t);                           \
    }                                                                                                                  \
    (r)[t] = found

/* Lanes that are converged. */
ACCEL_KERNEL(warp_block, warp_args, args)
{
    ACCEL_THREADS(acc, t) {
        WARP_OF_THREAD(acc, t, args.result, );
    }
}

ACCEL_THREAD_KERNEL(warp_thread, warp_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    WARP_OF_THREAD(acc, t, args.result, );
}

/* All lanes, converged or not. */
ACCEL_KERNEL(warp_full_block, warp_args, args)
{
    ACCEL_THREADS(acc, t) {
        WARP_OF_THREAD(acc, t, args.result, _full);
    }
}

ACCEL_THREAD_KERNEL(warp_full_thread, warp_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    WARP_OF_THREAD(acc, t, args.result, _full);
}

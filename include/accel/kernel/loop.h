/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/loop.h - ACCEL_FOR_EACH and its relatives, for every target.
 *
 * For each dimension a target says where a thread's share of [0, n) begins and ends, and its step. On CPUs the share is
 * a contiguous range with step 1. On GPUs it goes from the thread's global index to n in steps of the number of
 * threads.
 *
 * ACCEL_FOR_EACH(acc, i, args.n) expands to
 *
 *     #pragma GCC ivdep
 *     for (size_t accel_end_i = (args.n), i = accel_share((acc).core, &accel_end_i);
 *          i < accel_end_i; i += accel_step((acc).core))
 */
#ifndef ACCEL_KERNEL_LOOP_H
#define ACCEL_KERNEL_LOOP_H

/* What a target does with the bounds of all dimensions when a loop begins, and with each iteration. */
#ifndef ACCEL_EACH_
#define ACCEL_EACH_(more) (more)
#define ACCEL_EACH_1_(acc, n) (n)
#define ACCEL_EACH_32_(acc, n) (n)
#define ACCEL_EACH_2_(acc, ni, nj) (ni)
#define ACCEL_EACH_3_(acc, ni, nj, nk) (ni)
#endif

/* How a loop comes from the first index of its share to accel_end_i: what it declares, whether it goes on, and its step. */
#ifndef ACCEL_WALK_
#define ACCEL_WALK_(T, i, first) i = (first)
#define ACCEL_WALKS_(i) (i < accel_end_##i)
#define ACCEL_WALK_ON_(T, i, step) i += (step)
#endif

#define ACCEL_FOR_EACH(acc, i, n)                                                                                      \
    ACCEL_INDEPENDENT_                                                                                                 \
    for (size_t accel_end_##i = ACCEL_EACH_1_(acc, n),                                                                 \
                ACCEL_WALK_(size_t, i, accel_share((acc).core, &accel_end_##i));                                       \
         ACCEL_EACH_(ACCEL_WALKS_(i)); ACCEL_WALK_ON_(size_t, i, accel_step((acc).core)))

#define ACCEL_FOR_EACH_32(acc, i, n)                                                                                   \
    ACCEL_INDEPENDENT_                                                                                                 \
    for (uint32_t accel_end_##i = ACCEL_EACH_32_(acc, n),                                                              \
                  ACCEL_WALK_(uint32_t, i, accel_share_32((acc).core, &accel_end_##i));                                \
         ACCEL_EACH_(ACCEL_WALKS_(i)); ACCEL_WALK_ON_(uint32_t, i, accel_step_32((acc).core)))

#define ACCEL_FOR_EACH_2D(acc, i, j, ni, nj)                                                                           \
    for (size_t accel_end_##i = ACCEL_EACH_2_(acc, ni, nj),                                                            \
                ACCEL_WALK_(size_t, i, accel_share_yz((acc).core, &accel_end_##i));                                    \
         ACCEL_WALKS_(i); ACCEL_WALK_ON_(size_t, i, accel_step_yz((acc).core)))                                        \
        ACCEL_INDEPENDENT_                                                                                             \
    for (size_t accel_end_##j = (nj), ACCEL_WALK_(size_t, j, accel_share_x((acc).core, &accel_end_##j));               \
         ACCEL_EACH_(ACCEL_WALKS_(j)); ACCEL_WALK_ON_(size_t, j, accel_step_x((acc).core)))

#define ACCEL_FOR_EACH_3D(acc, i, j, k, ni, nj, nk)                                                                    \
    for (size_t accel_end_##i = ACCEL_EACH_3_(acc, ni, nj, nk),                                                        \
                ACCEL_WALK_(size_t, i, accel_share_z((acc).core, &accel_end_##i));                                     \
         ACCEL_WALKS_(i); ACCEL_WALK_ON_(size_t, i, accel_step_z((acc).core)))                                         \
        for (size_t accel_end_##j = (nj), ACCEL_WALK_(size_t, j, accel_share_y((acc).core, &accel_end_##j));           \
             ACCEL_WALKS_(j); ACCEL_WALK_ON_(size_t, j, accel_step_y((acc).core)))                                     \
            ACCEL_INDEPENDENT_                                                                                         \
    for (size_t accel_end_##k = (nk), ACCEL_WALK_(size_t, k, accel_share_x((acc).core, &accel_end_##k));               \
         ACCEL_EACH_(ACCEL_WALKS_(k)); ACCEL_WALK_ON_(size_t, k, accel_step_x((acc).core)))

#endif

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

#define ACCEL_FOR_EACH(acc, i, n)                                                                                      \
    ACCEL_INDEPENDENT_                                                                                                 \
    for (size_t accel_end_##i = ACCEL_EACH_1_(acc, n), i = accel_share((acc).core, &accel_end_##i);                    \
         ACCEL_EACH_(i < accel_end_##i); i += accel_step((acc).core))

#define ACCEL_FOR_EACH_32(acc, i, n)                                                                                   \
    ACCEL_INDEPENDENT_                                                                                                 \
    for (uint32_t accel_end_##i = ACCEL_EACH_32_(acc, n), i = accel_share_32((acc).core, &accel_end_##i);              \
         ACCEL_EACH_(i < accel_end_##i); i += accel_step_32((acc).core))

#define ACCEL_FOR_EACH_2D(acc, i, j, ni, nj)                                                                           \
    for (size_t accel_end_##i = ACCEL_EACH_2_(acc, ni, nj), i = accel_share_yz((acc).core, &accel_end_##i);            \
         i < accel_end_##i; i += accel_step_yz((acc).core))                                                            \
        ACCEL_INDEPENDENT_                                                                                             \
    for (size_t accel_end_##j = (nj), j = accel_share_x((acc).core, &accel_end_##j); ACCEL_EACH_(j < accel_end_##j);   \
         j += accel_step_x((acc).core))

#define ACCEL_FOR_EACH_3D(acc, i, j, k, ni, nj, nk)                                                                    \
    for (size_t accel_end_##i = ACCEL_EACH_3_(acc, ni, nj, nk), i = accel_share_z((acc).core, &accel_end_##i);         \
         i < accel_end_##i; i += accel_step_z((acc).core))                                                             \
        for (size_t accel_end_##j = (nj), j = accel_share_y((acc).core, &accel_end_##j); j < accel_end_##j;            \
             j += accel_step_y((acc).core))                                                                            \
            ACCEL_INDEPENDENT_                                                                                         \
    for (size_t accel_end_##k = (nk), k = accel_share_x((acc).core, &accel_end_##k); ACCEL_EACH_(k < accel_end_##k);   \
         k += accel_step_x((acc).core))

#endif

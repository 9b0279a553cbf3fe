/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/region.h - regions of block kernels for CUDA and HIP. The code already runs in a thread, so a
 * region is a loop of one trip: `continue` leaves it, and its increment is the barrier of the block.
 */
#ifndef ACCEL_KERNEL_GPU_REGION_H
#define ACCEL_KERNEL_GPU_REGION_H

#define ACCEL_UNUSED_ __attribute__((unused))

/* for (bool once = true; once; once = false, barrier()) for (size_t t = my index, trip = 1; trip; trip = 0) */
#define ACCEL_THREADS(acc, t) ACCEL_REGION_ ACCEL_TRIP_IF_(t, true, size_t t ACCEL_UNUSED_ = accel_region_thread(acc))
#define ACCEL_THREADS_NOSYNC(acc, t) ACCEL_TRIP_IF_(t, true, size_t t ACCEL_UNUSED_ = accel_region_thread(acc))
#define ACCEL_THREADS_FIRST(acc, t, h)                                                                                 \
    ACCEL_REGION_ for (size_t t = accel_region_thread(acc), accel_end_##t = (h); t < accel_end_##t; t = accel_end_##t)
#define ACCEL_THREADS_2D(acc, ty, tx)                                                                                  \
    ACCEL_REGION_ ACCEL_TRIP_IF_(ty, true, size_t ty ACCEL_UNUSED_ = accel_region_row(acc))                            \
        ACCEL_TRIP_IF_(tx, true, size_t tx ACCEL_UNUSED_ = accel_gpu_thread_x())
#define ACCEL_ONCE(acc)                                                                                                \
    ACCEL_REGION_ for (bool accel_once = accel_region_thread(acc) == 0; accel_once; accel_once = false)

#define ACCEL_FOR_EACH_THREAD(acc, t, i, n)                                                                            \
    ACCEL_REGION_ for (size_t t ACCEL_UNUSED_ = accel_region_thread(acc), accel_end_##i = (n),                         \
                       i = accel_share((acc).core, nullptr);                                                           \
                       i < accel_end_##i; i += accel_step((acc).core))

#define ACCEL_REGION_ for (bool accel_region = true; accel_region; accel_region = false, accel_gpu_barrier())
#define ACCEL_TRIP_IF_(t, condition, declaration)                                                                      \
    for (declaration, accel_trip_##t = (condition); accel_trip_##t != 0; accel_trip_##t = 0)

#define ACCEL_PRIVATE(acc, T, s)                                                                                       \
    T s[sizeof(*accel_private_only_in_kernel_bodies) + 0 * sizeof((acc).block_kernels_only)] ACCEL_UNUSED_
#define ACCEL_MY(s, t) ((s)[(void)(t), 0])

ACCEL_INLINE_ size_t accel_region_thread(const accel_block_handle acc)
{
    return accel_gpu_thread_linear(acc.core);
}
ACCEL_INLINE_ size_t accel_region_row(const accel_block_handle acc)
{
    return accel_gpu_thread_z() * acc.core.block_extent.y + accel_gpu_thread_y();
}

#endif

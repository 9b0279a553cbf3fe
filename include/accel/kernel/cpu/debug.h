/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/debug.h - assertions for host compilers.
 *
 * ACCEL_ASSERT(acc, i < n) becomes (i < n) ? (void)0 : accel_assert_failed(acc, __FILE__, __LINE__, "i < n"). The handle does
 * not know which thread a region is at, so that regions note it.
 */
#ifndef ACCEL_KERNEL_CPU_DEBUG_H
#define ACCEL_KERNEL_CPU_DEBUG_H

/* cpu-check is not to see what these read and write. */
#if defined(ACCEL_OBSERVED_)
#define ACCEL_DEBUG_INLINE_ static __attribute__((noinline, unused, no_sanitize("thread")))
#define ACCEL_DEBUG_COLD_ static __attribute__((noinline, cold, noreturn, unused, no_sanitize("thread")))
#elif defined(ACCEL_LIGHT_) /* what their frames would poison stayed so, as they never return */
#define ACCEL_DEBUG_INLINE_ ACCEL_INLINE_
#define ACCEL_DEBUG_COLD_ static __attribute__((noinline, cold, noreturn, unused, no_sanitize("address")))
#else
#define ACCEL_DEBUG_INLINE_ ACCEL_INLINE_
#define ACCEL_DEBUG_COLD_ static __attribute__((noinline, cold, noreturn, unused))
#endif

/* The thread of the region that runs. */
static __thread size_t accel_cpu_region_thread __attribute__((unused)) = ACCEL_NO_THREAD;

ACCEL_DEBUG_INLINE_ int accel_cpu_in_region(int more, size_t t)
{
    accel_cpu_region_thread = more ? t : ACCEL_NO_THREAD;
    return more;
}

/* In a row of threads, whose end is not the region's. One call, without && around it: gcc annotates such a loop only. */
ACCEL_DEBUG_INLINE_ int accel_cpu_in_row(int more, size_t t)
{
    if (more)
        accel_cpu_region_thread = t;
    return more;
}

#undef ACCEL_REGION_
#undef ACCEL_REGION_ROWS_
#undef ACCEL_REGION_IN_ROW_
#if defined(ACCEL_OBSERVED_)
#define ACCEL_REGION_(more, t, sync) accel_cpu_in_region(accel_check_region((more), (t), (sync)), (t))
#define ACCEL_REGION_ROWS_(more) ((more) || accel_cpu_in_region(accel_check_region(0, 0, 1), 0))
#define ACCEL_REGION_IN_ROW_(more, t) accel_cpu_in_row((more) && accel_check_region(1, (t), 1), (t))
#else
#define ACCEL_REGION_(more, t, sync) accel_cpu_in_region((more), (t))
#define ACCEL_REGION_ROWS_(more) ((more) || accel_cpu_in_region(0, 0))
#define ACCEL_REGION_IN_ROW_(more, t) accel_cpu_in_row((more), (t))
#endif

/* The next launch of this thread begins outside regions. */
ACCEL_DEBUG_INLINE_ size_t accel_cpu_leave_region(void)
{
    const size_t t = accel_cpu_region_thread;
    accel_cpu_region_thread = ACCEL_NO_THREAD;
    return t;
}

ACCEL_DEBUG_COLD_ void accel_cpu_fail(const accel_launch_context *launch, const accel_thread_context *context,
                                      const accel_index block, const accel_index thread, const char *file,
                                      uint32_t line, const char *condition)
{
    const accel_assertion failed = {
        (uint32_t)sizeof(accel_assertion), line, file, condition, {block.x, block.y, block.z},
        {thread.x, thread.y, thread.z}};
    ACCEL_LIGHT_LEAVE_();
    launch->fail(launch, context, &failed);
    __builtin_trap();
}

ACCEL_DEBUG_COLD_ void accel_assert_failed_in_block(const accel_block_handle acc, const char *file, uint32_t line,
                                                    const char *condition)
{
    const size_t t = accel_cpu_leave_region();
    const accel_index extent = acc.core.block_extent;
    const accel_index none = {t, t, t};
    const accel_index here = {t % extent.x, t / extent.x % extent.y, t / extent.x / extent.y};
    accel_cpu_fail(acc.core.launch, NULL, acc.core.block_index, t == ACCEL_NO_THREAD ? none : here, file, line,
                   condition);
}

ACCEL_DEBUG_COLD_ void accel_assert_failed_in_thread(const accel_thread_handle acc, const char *file, uint32_t line,
                                                     const char *condition)
{
    accel_cpu_fail(acc.core.launch, acc.thread_kernels_only, acc.core.block_index, acc.core.part, file, line,
                   condition);
}

#if defined(__cplusplus)
ACCEL_INLINE_ void accel_assert_failed(const accel_block_handle acc, const char *file, uint32_t line,
                                       const char *condition)
{
    accel_assert_failed_in_block(acc, file, line, condition);
}
ACCEL_INLINE_ void accel_assert_failed(const accel_thread_handle acc, const char *file, uint32_t line,
                                       const char *condition)
{
    accel_assert_failed_in_thread(acc, file, line, condition);
}
#else
#define accel_assert_failed(acc, file, line, condition)                                                                \
    _Generic((acc), accel_block_handle                                                                                 \
             : accel_assert_failed_in_block, accel_thread_handle                                                       \
             : accel_assert_failed_in_thread)(acc, file, line, condition)
#endif

#define ACCEL_ASSERT(acc, ...) ((__VA_ARGS__) ? (void)0 : accel_assert_failed(acc, __FILE__, __LINE__, #__VA_ARGS__))

#endif

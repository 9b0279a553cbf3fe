/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/debug.h - assertions for CUDA and HIP: the first thread whose assertion fails writes the queue's report.
 */
#ifndef ACCEL_KERNEL_GPU_DEBUG_H
#define ACCEL_KERNEL_GPU_DEBUG_H

/* Ends the thread, or the whole wavefront. The others do not wait for it at barriers. */
#if defined(__HIP__)
#define accel_gpu_exit() __builtin_amdgcn_endpgm()
#else
#define accel_gpu_exit() __asm__("exit;")
#endif

/* What is behind it is 0. */
ACCEL_INLINE_ void accel_gpu_say(char *to, const char *text, uint32_t size)
{
    ACCEL_UNROLL(1)
    for (uint32_t i = 0; i + 1 < size && text[i] != 0; i++)
        to[i] = text[i];
}

ACCEL_INLINE_ void accel_assert_failed(const accel_core core, const char *file, uint32_t line, const char *condition)
{
    accel_report *report = core.grid->report;
    if (accel_word_add(&report->count, 1u) == 0) {
        report->line = line;
        report->launch = core.grid->launch;
        report->block[0] = accel_gpu_block_x();
        report->block[1] = accel_gpu_block_y();
        report->block[2] = accel_gpu_block_z();
        report->thread[0] = accel_gpu_thread_x();
        report->thread[1] = accel_gpu_thread_y();
        report->thread[2] = accel_gpu_thread_z();
        accel_gpu_say(report->file, file, ACCEL_REPORT_FILE);
        accel_gpu_say(report->condition, condition, ACCEL_REPORT_CONDITION);
    }
    accel_gpu_exit();
}

/* The end of a path that is too long. */
#define ACCEL_GPU_FILE_ (&__FILE__[sizeof(__FILE__) > ACCEL_REPORT_FILE ? sizeof(__FILE__) - ACCEL_REPORT_FILE : 0])

#define ACCEL_ASSERT(acc, ...)                                                                                         \
    ((__VA_ARGS__) ? (void)0 : accel_assert_failed((acc).core, ACCEL_GPU_FILE_, __LINE__, #__VA_ARGS__))

#endif

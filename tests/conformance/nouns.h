/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the conformance program, one per noun. */
#ifndef NOUNS_H
#define NOUNS_H

#include "assertions.h"

Suite *instance_suite(void);
Suite *device_suite(void);
Suite *error_suite(void);
Suite *queue_suite(void);
Suite *start_suite(void);
Suite *failure_suite(void);
Suite *host_function_suite(void);
Suite *event_suite(void);
Suite *host_event_suite(void);
Suite *across_suite(void);
Suite *across_copy_suite(void);
Suite *buffer_suite(void);
Suite *copy_suite(void);
Suite *fill_suite(void);
Suite *module_suite(void);
Suite *kernel_suite(void);
Suite *work_suite(void);
Suite *launch_suite(void);
Suite *reduce_suite(void);
Suite *algorithm_suite(void);
Suite *reduce_values_suite(void);
Suite *own_kernels_suite(void);
Suite *parts_suite(void);
Suite *scan_suite(void);
Suite *scan_values_suite(void);
Suite *scatter_suite(void);
Suite *select_suite(void);
Suite *sort_suite(void);
Suite *histogram_suite(void);
Suite *transpose_suite(void);
Suite *gemm_suite(void);
Suite *cooperative_suite(void);
Suite *block_kernel_suite(void);
Suite *thread_kernel_suite(void);
Suite *atomic_suite(void);
Suite *warp_suite(void);
Suite *threads_suite(void);
Suite *release_suite(void);
Suite *fork_suite(void);
Suite *exit_suite(void);
Suite *tool_suite(void);
Suite *debugging_suite(void);
/* The kernels of tests/kernels: kernel_*.c. */
Suite *kernels_suite(void);

#endif

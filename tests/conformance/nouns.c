/* SPDX-License-Identifier: Apache-2.0 */
#include "nouns.h"
#include "suite.h"

const suite_function suite_host_nouns[] = {
    instance_suite, device_suite,     error_suite,   queue_suite,       start_suite,  host_function_suite,
    event_suite,    host_event_suite, across_suite,  across_copy_suite, buffer_suite, copy_suite,
    fill_suite,     threads_suite,    release_suite, fork_suite,        exit_suite,   NULL};

const suite_function suite_nouns[] = {
    transpose_suite,     gemm_suite,    failure_suite, module_suite,    kernel_suite,        work_suite,
    launch_suite,        reduce_suite,  scan_suite,    scatter_suite,   cooperative_suite,   block_kernel_suite,
    thread_kernel_suite, atomic_suite,  warp_suite,    algorithm_suite, reduce_values_suite, scan_values_suite,
    own_kernels_suite,   parts_suite,   select_suite,  sort_suite,      histogram_suite,     tool_suite,
    debugging_suite,     kernels_suite, NULL};

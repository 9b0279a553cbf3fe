/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

const bench_case bench_cases[] = {
    {"launch", "launch and wait of an empty one-block kernel on a blocking queue; native: a call through a pointer",
     case_launch},
    {"launch-async", "launches on a non-blocking queue: in a row, submitting alone, and one at a time after a pause",
     case_launch_async},
    {"axpy", "y += a x through ACCEL_FOR_EACH, launch and wait included; native: the plain C loop", case_axpy},
    {"barrier", "switching between the threads of a block at a barrier of a thread kernel", case_barrier},
    {"dgemm-thread", "matrix product of tiles in shared memory as a thread kernel with barriers", case_dgemm_thread},
    {"dgemm-block", "the same as a block kernel with fixed extents; native: the peak of multiply-and-add",
     case_dgemm_block},
};
const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];

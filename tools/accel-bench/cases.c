/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

const bench_case bench_cases[] = {
    {"launch", "launch and wait of empty kernels on a blocking queue; native: a call, empty OpenMP regions and loops",
     case_launch},
    {"launch-non-blocking", "the same on a non-blocking queue", case_launch_non_blocking},
    {"launch-async", "launches on a non-blocking queue: in a row, submitting alone, and one at a time after a pause",
     case_launch_async},
    {"events",
     "two queues in turns, each waiting for the other's event; native: a signal between two threads that poll",
     case_events},
    {"axpy", "y += a x, launch and wait included; native: the plain C loop, and OpenMP", case_axpy},
    {"stream", "copy, scale, add, triad and dot over sizes; native: OpenMP", case_stream},
    {"copy", "copies and fills of the library over sizes; native: memcpy and memset of one thread, and of OpenMP's",
     case_copy},
    {"cg", "ten iterations of examples/cg on a cube of 100 x 100 x 100 nodes; native: the same loops in OpenMP",
     case_cg},
    {"barrier", "switching between the threads of a block at a barrier of a thread kernel", case_barrier},
    {"dgemm-thread", "matrix product of tiles in shared memory as a thread kernel with barriers; native: OpenBLAS",
     case_dgemm_thread},
    {"dgemm-block", "the same as a block kernel with fixed extents", case_dgemm_block},
    {"dgemm-packs", "the same with sums in registers, in tiles that fit into the caches", case_dgemm_packs},
    {"reduce", "the sum of an array by trees of 256 threads; native: OpenMP simd", case_reduce},
    {"min-sum", "the minimum and the sum of an array in one pass; native: OpenMP simd", case_min_sum},
    {"scatter", "updates of few cells in any order, by atomics and in copies; native: OpenMP's", case_scatter},
    {"tensor", "the sum of two tensors as one loop, three, and in tiles; native: OpenMP over the outer loops",
     case_tensor},
};
const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];

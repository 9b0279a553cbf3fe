/* SPDX-License-Identifier: Apache-2.0 */
/* The cases: each a file of its own, each validating its results before it adds a row. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "bench.h"

enum case_result {
    CASE_DONE,
    CASE_SKIPPED, /* it is for GPUs, and the device is none */
    CASE_FAILED   /* after a message */
};

typedef struct bench_case {
    const char *name;
    const char *what;
    enum case_result (*run)(bench *);
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

enum case_result case_start(bench *);
enum case_result case_launch(bench *);
enum case_result case_launch_non_blocking(bench *);
enum case_result case_launch_gaps(bench *);
enum case_result case_heavy(bench *);
enum case_result case_launch_cpu(bench *);
enum case_result case_launch_async(bench *);
enum case_result case_events(bench *);
enum case_result case_axpy(bench *);
enum case_result case_turns(bench *);
enum case_result case_stencil(bench *);
enum case_result case_crowd(bench *);
enum case_result case_stream(bench *);
enum case_result case_copy(bench *);
enum case_result case_copy_shapes(bench *);
bool case_copy_has_memory(void); /* for rows of a gigabyte */
enum case_result case_cg(bench *);
enum case_result case_barrier(bench *);
enum case_result case_dgemm_thread(bench *);
enum case_result case_dgemm_block(bench *);
enum case_result case_dgemm_packs(bench *);
enum case_result case_reduce(bench *);
enum case_result case_min_sum(bench *);
enum case_result case_mathematics(bench *);
enum case_result case_pairs(bench *);
enum case_result case_pattern(bench *);
enum case_result case_order(bench *);
enum case_result case_scan(bench *);
enum case_result case_scatter(bench *);
enum case_result case_sort(bench *);
enum case_result case_histogram(bench *);
enum case_result case_select(bench *);
enum case_result case_gemm(bench *);
enum case_result case_rows(bench *);
enum case_result case_transpose(bench *);
enum case_result case_counts(bench *);
enum case_result case_tensor(bench *);

/* gpu/: skipped on other devices. */
enum case_result case_gpu_launch(bench *);
enum case_result case_gpu_copy(bench *);
enum case_result case_gpu_fill(bench *);
enum case_result case_gpu_pageable(bench *);
enum case_result case_gpu_pageable_queues(bench *);
enum case_result case_gpu_axpy(bench *);
enum case_result case_gpu_dgemm(bench *);
enum case_result case_gpu_reduce(bench *);
enum case_result case_gpu_pattern(bench *);
enum case_result case_gpu_scan(bench *);
enum case_result case_gpu_sort(bench *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The ways in C and, where the compiler has it, OpenMP. Without OpenMP its names are missing here, and rows have
 * nothing beside them. */
#include "way.h"

extern const native_way native_signal, native_wake, native_axpy_serial, native_peak_one, native_memcpy_serial,
    native_memset_serial, native_qsort, native_scan_serial, native_select;
#if defined(NATIVE_CPP)
extern const native_way native_std_sort;
#endif
#if defined(NATIVE_PARALLEL_CPP)
extern const native_way native_mergesort, native_quicksort;
#endif
#if defined(_OPENMP)
extern const native_way native_axpy_parallel, native_peak_all, native_memcpy, native_memset, native_stream_copy,
    native_stream_copy_serial, native_stream_scale, native_stream_scale_serial, native_stream_add,
    native_stream_add_serial, native_stream_triad, native_stream_triad_serial, native_stream_dot,
    native_stream_dot_serial, native_cg, native_min_sum, native_pattern_sum, native_pattern_sum_serial,
    native_pattern_rows, native_pattern_rows_serial, native_pattern_summary, native_pattern_dot,
    native_pattern_dot_serial, native_scan_parallel, native_scatter, native_scatter_ahead, native_scatter_copies,
    native_scatter_copies_ahead, native_counts, native_counts_atomics, native_counts_tables, native_counts_serial,
    native_tensor, native_tensor_tiles, native_turns, native_stencil, native_busy, native_heavy, native_crowd,
    native_crowd_dynamic, native_tasks, native_histogram, native_select_omp, native_transpose, native_rows,
    native_rows_guided, native_float_sum, native_float_sum_serial, native_float_dot, native_float_dot_serial,
    native_float_min_sum, native_float_min_sum_serial, native_min_sum_serial, native_copy_rows, native_copy_rows_ahead,
    native_copy_rows_serial, native_copy_read, native_fill_rows, native_fill_rows_serial, native_exponentials,
    native_logarithms, native_pattern_sum_eight, native_pattern_sum_eight_serial, native_pattern_dot_eight,
    native_pattern_dot_eight_serial, native_min_sum_eight, native_min_sum_eight_serial, native_float_sum_eight,
    native_float_sum_eight_serial, native_float_dot_eight, native_float_dot_eight_serial, native_float_min_sum_eight,
    native_float_min_sum_eight_serial, native_pairs, native_tensor_inside;
#if defined(NATIVE_MVEC) && !defined(__clang__)
extern const native_way native_vector_exponentials, native_vector_logarithms, native_vector_pairs, native_vector_tiles;
#endif
#if defined(__x86_64__)
extern const native_way native_copy_past, native_copy_rows_past, native_copy_read_past, native_fill_past,
    native_scan_past, native_fill_rows_past;
#endif
#endif

const native_way *const native_ways[] = {
    &native_signal,
    &native_wake,
    &native_axpy_serial,
    &native_peak_one,
    &native_memcpy_serial,
    &native_memset_serial,
    &native_qsort,
    &native_scan_serial,
    &native_select,
#if defined(NATIVE_CPP)
    &native_std_sort,
#endif
#if defined(NATIVE_PARALLEL_CPP)
    &native_mergesort,
    &native_quicksort,
#endif
#if defined(_OPENMP)
    &native_axpy_parallel,
    &native_peak_all,
    &native_memcpy,
    &native_memset,
    &native_stream_copy,
    &native_stream_copy_serial,
#if defined(__x86_64__)
    &native_copy_past,
    &native_copy_rows_past,
    &native_copy_read_past,
    &native_fill_past,
    &native_fill_rows_past,
    &native_scan_past,
#endif
    &native_copy_rows,
    &native_copy_rows_ahead,
    &native_copy_read,
    &native_copy_rows_serial,
    &native_fill_rows,
    &native_fill_rows_serial,
    &native_stream_scale,
    &native_stream_scale_serial,
    &native_stream_add,
    &native_stream_add_serial,
    &native_stream_triad,
    &native_stream_triad_serial,
    &native_stream_dot,
    &native_stream_dot_serial,
    &native_cg,
    &native_min_sum,
    &native_min_sum_serial,
    &native_pattern_sum,
    &native_pattern_sum_serial,
    &native_pattern_rows,
    &native_pattern_rows_serial,
    &native_pattern_summary,
    &native_pattern_dot,
    &native_pattern_dot_serial,
    &native_scan_parallel,
    &native_scatter,
    &native_scatter_ahead,
    &native_scatter_copies,
    &native_scatter_copies_ahead,
    &native_counts,
    &native_counts_atomics,
    &native_counts_tables,
    &native_counts_serial,
    &native_tensor,
    &native_tensor_inside,
    &native_tensor_tiles,
    &native_turns,
    &native_stencil,
    &native_busy,
    &native_heavy,
    &native_crowd,
    &native_crowd_dynamic,
    &native_tasks,
    &native_histogram,
    &native_select_omp,
    &native_transpose,
    &native_rows,
    &native_rows_guided,
    &native_float_sum,
    &native_float_sum_serial,
    &native_float_dot,
    &native_float_dot_serial,
    &native_float_min_sum,
    &native_float_min_sum_serial,
    &native_pattern_sum_eight,
    &native_pattern_sum_eight_serial,
    &native_pattern_dot_eight,
    &native_pattern_dot_eight_serial,
    &native_min_sum_eight,
    &native_min_sum_eight_serial,
    &native_float_sum_eight,
    &native_float_sum_eight_serial,
    &native_float_dot_eight,
    &native_float_dot_eight_serial,
    &native_float_min_sum_eight,
    &native_float_min_sum_eight_serial,
    &native_exponentials,
    &native_logarithms,
    &native_pairs,
#if defined(NATIVE_MVEC) && !defined(__clang__)
    &native_vector_exponentials,
    &native_vector_logarithms,
    &native_vector_pairs,
    &native_vector_tiles,
#endif
#endif
    NULL,
};

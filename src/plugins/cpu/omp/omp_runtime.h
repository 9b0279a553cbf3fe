/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP runtime of the process: found or loaded when cpu-omp opens, never linked. GNU's and LLVM's (Intel's, AMD's)
 * libraries all have the entry points that gcc's code calls.
 *
 * The runtime that the process already has is taken: first the one that the program was linked with, then one that is
 * hidden in the scope of a library, by its usual name or by another that begins so. If there is none, one is loaded and
 * stays. ACCEL_OMP_LIBRARY names one, and then it is that one or none.
 */
#ifndef ACCEL_CPU_OMP_RUNTIME_H
#define ACCEL_CPU_OMP_RUNTIME_H

#include <accel/plugin.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cpu_omp_runtime {
    /* A team of up to so many threads, the calling one included, runs body(data); returns when all are done. */
    void (*parallel)(void (*body)(void *), void *data, unsigned threads, unsigned flags);
    /* The same, with a loop of schedule(runtime), of which body takes parts by loop_next and ends by loop_end. */
    void (*parallel_loop)(void (*body)(void *), void *data, unsigned threads, long first, long end, long step,
                          unsigned flags);
    bool (*loop_next)(long *first, long *end);
    void (*loop_end)(void);
    int (*thread_num)(void);
    int (*num_threads)(void);
    int (*max_threads)(void);
    uint32_t version; /* of OpenMP, as in _OPENMP: by the functions that there are */
    bool survives_fork;
    char name[96]; /* "OpenMP 5.1 by GNU libgomp.so.1.0.0" */
} cpu_omp_runtime;

/* Libraries that are tried, in order, if the process has none; ends with NULL. */
extern const char *const cpu_omp_libraries[];

/* `chosen`: ACCEL_OMP_LIBRARY, or NULL. ACCEL_NOT_FOUND, with a text that lists what was tried. */
accel_status cpu_omp_runtime_find(cpu_omp_runtime *, const char *chosen, const char *const libraries[]);

#endif

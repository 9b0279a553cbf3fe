/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP runtime of the process: found or loaded when cpu-omp opens, never linked. The libraries of GNU and LLVM (also
 * Intel's and AMD's) all have the entry points that gcc's code calls.
 *
 * A runtime that the process already has is used: first the one that the program was linked with, then one that is
 * hidden in the scope of a library, under its usual name or under another that begins so. If there is none, one is loaded and
 * stays. If ACCEL_OMP_LIBRARY names a runtime, only that one is used.
 */
#ifndef ACCEL_CPU_OMP_RUNTIME_H
#define ACCEL_CPU_OMP_RUNTIME_H

#include <accel/plugin.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cpu_omp_runtime {
    /* A team of up to so many threads, the calling one included, runs body(data); returns when all are done. */
    void (*parallel)(void (*body)(void *), void *data, unsigned threads, unsigned flags);
    /* The same, with a loop of schedule(runtime): body takes parts of it by loop_next, and leaves it by loop_end. */
    void (*parallel_loop)(void (*body)(void *), void *data, unsigned threads, long first, long end, long step,
                          unsigned flags);
    bool (*loop_next)(long *first, long *end);
    void (*loop_end)(void);
    int (*thread_num)(void);
    int (*num_threads)(void);
    int (*max_threads)(void);
    uint32_t version; /* of OpenMP, as in _OPENMP: known from the functions that it has */
    bool survives_fork;
    uint32_t generation; /* of forks, when it was found: in a later one its threads may be gone */
    char name[96];       /* "OpenMP 5.1 by GNU libgomp.so.1.0.0" */
} cpu_omp_runtime;

/* That of the process: written when cpu-omp opens first, read-only afterwards. */
extern cpu_omp_runtime cpu_omp_process_runtime;

/* Libraries to try, in order, if the process has none; ends with NULL. */
extern const char *const cpu_omp_libraries[];

/* `chosen`: ACCEL_OMP_LIBRARY, or NULL. ACCEL_NOT_FOUND, with a text that lists what was tried. */
accel_status cpu_omp_runtime_find(cpu_omp_runtime *, const char *chosen, const char *const libraries[]);

/*
 * LLVM's runtime is taken down when the program exits, and crashes if another thread then begins a team (semantics O5). So
 * from the moment of exit on, launches run inline, and exit waits a while for teams at work.
 */

/* Once per process, after the runtime was loaded, so that this is told of the exit before the runtime is. False: out of memory. */
bool cpu_omp_watch_exit(void);
/* Before the runtime is called, and after. False: the program exits; do not call. */
bool cpu_omp_enter(void);
void cpu_omp_leave(void);
/* Calls between the two, for which exit waits. */
uint32_t cpu_omp_inside(void);
/* In the child of a fork: what other threads entered is void. True once per fork. */
bool cpu_omp_after_fork(void);

#endif

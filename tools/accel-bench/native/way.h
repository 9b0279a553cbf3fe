/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A native way: what one would write without libaccel, in plain C, with OpenMP or a BLAS. It lives in a program of its
 * own (serve.c says why), which is built once per instruction set with the flags that accelcc gives kernels.
 *
 * To add one: a file that defines a `const native_way`, its name in a table of ways.c or blas.c, the file in
 * meson.build; a case then asks for it by name with bench_add_native.
 */
#ifndef NATIVE_WAY_H
#define NATIVE_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NATIVE_PARAMETERS = 4 };

typedef struct native_way {
    const char *name;
    /* Makes data for these parameters, whose meaning the case and its way share. The threads that will use the data
     * touch it first, as in good OpenMP programs. NULL: no memory. */
    void *(*open)(const uint64_t parameters[NATIVE_PARAMETERS]);
    /* Optional: prepares what must be ready before the clock starts. */
    void (*begin)(void *state, size_t repetitions);
    /* What is timed. */
    void (*run)(void *state, size_t repetitions);
    /* Is the result right after everything that ran so far? NULL: there is none to check. */
    bool (*check)(void *state);
    void (*close)(void *state);
} native_way;

/* Of the program; ends with NULL. */
extern const native_way *const native_ways[];

/* n elements at 64 bytes' alignment, not touched. For native_release. */
void *native_allocate(size_t n, size_t element_size);
void native_release(void *);

#endif

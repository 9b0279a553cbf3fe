/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU compilers of this machine, nvcc and clang, and the targets for which they make code. */
#ifndef ACCELCC_GPU_COMPILER_H
#define ACCELCC_GPU_COMPILER_H

#include "compile/compiler.h"

/* One vendor. */
typedef struct gpu_vendor {
    const char *name;     /* as in --cc-for: "cuda" */
    const char *triple;   /* for clang */
    const char *what;     /* "a CUDA compiler" */
    const char *searched; /* where one is looked for, and how to get one */
    /* Adds commands, the preferred ones first. */
    void (*candidates)(list *commands);
    /* (optional) Are there device functions for this compiler and processor? Such a compiler is preferred. */
    bool (*is_complete)(const accelcc_compiler *, const char *processor);
} gpu_vendor;

/* A target, or a range of them, and the first compilers that make it. */
typedef struct gpu_origin {
    const char *pattern, *compilers;
} gpu_origin;

/* Finds the first complete compiler, else the first, that makes code for `processor` ("sm_90", "gfx90a"). Returns false after a message unless
 * `quiet`. The message names `target` and the compilers that make it, from the table, which ends with a NULL
 * pattern. */
bool gpu_compiler_find(const accelcc_options *, const gpu_vendor *, const char *target, const char *processor,
                       const gpu_origin *, bool quiet, accelcc_compiler *);
/* Every processor for which an installed compiler makes code: "sm_90". */
void gpu_compiler_processors(const accelcc_options *, const gpu_vendor *, list *processors);
/* Is it nvcc? By its name. */
bool gpu_compiler_is_nvcc(const list *command);
/* Adds the clangs that may be installed, newest first. */
void gpu_compiler_clangs(list *commands);

#endif

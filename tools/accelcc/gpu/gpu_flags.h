/* SPDX-License-Identifier: Apache-2.0 */
/* The user's flags for GPU compilers, without those that concern the host processor. */
#ifndef ACCELCC_GPU_FLAGS_H
#define ACCELCC_GPU_FLAGS_H

#include "options.h"

typedef struct gpu_flags {
    list preprocessor;    /* -I, -D, -U, -include and the like, each with its value as a separate word */
    list warnings;        /* -W..., -w, -pedantic */
    const char *level;    /* "-O3" */
    const char *contract; /* "fast", "on" or "off" */
    const char *standard; /* "c++17": kernels are C++ on GPUs, whatever their suffix */
    bool line_info, no_warnings, warnings_are_errors, fast_math;
} gpu_flags;

/* Later flags win, as they do in compilers. */
gpu_flags gpu_flags_of(const accelcc_options *, const char *source);

/* The command line for nvcc, or for clang, without what depends on the target. */
void gpu_flags_for_nvcc(const gpu_flags *, list *command);
void gpu_flags_for_clang(const gpu_flags *, list *command);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a simulated driver (tests/gpusim), and what came of it. A test sets the simulator's variables first. */
#ifndef TESTS_GPU_OPENED_H
#define TESTS_GPU_OPENED_H

#include "plugins/gpu/driver/open.h"

typedef struct opened {
    accel_status status;
    uint32_t state; /* of a failure */
    const gpu_driver *driver;
    const char *text; /* of a failure */
} opened;

/* libaccel counts forks when an instance was made; a test does it itself. */
extern volatile uint32_t opened_generation;

/* Of the family's simulated library. Lives until the thread's next call. */
const char *simulated_path(const gpu_family *);
/* Of meson.build's library that cannot be loaded: "needy", "hip-amd". Lives as long. */
const char *broken_path(const char *name);

/* Opens the simulated library, on a machine without device nodes; or with those below root. */
opened open_simulated(const gpu_family *);
opened open_simulated_in(const gpu_family *, const char *root);
/* Opens the first of those names, as if the kernel's part were there. */
opened open_names(const gpu_family *, const char *const names[], const char *root);
/* The same, and looks for the kernel's part below root. */
opened open_below(const gpu_family *, const char *const names[], const char *root);
/* Opens the library that the family's variable names. */
opened open_chosen(const gpu_family *, const char *library, const char *root);

/* From now on the simulated drivers' calls are counted: how often was this function called? */
void count_calls(void);
unsigned calls_of(const char *function);

/* Fails the test unless the opening failed in this state, and its text contains the words (NULL ends them). */
void ck_assert_refused(const opened *, uint32_t state, ...);

#endif

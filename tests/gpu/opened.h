/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a fake driver library, and what came of it. */
#ifndef TESTS_GPU_OPENED_H
#define TESTS_GPU_OPENED_H

#include "fake.h"
#include "plugins/gpu/driver/open.h"

typedef struct opened {
    accel_status status;
    uint32_t state; /* of a failure */
    const gpu_driver *driver;
    const char *text; /* of a failure */
} opened;

/* libaccel counts forks when an instance was made; a test does it itself. */
extern volatile uint32_t opened_generation;

/* "cuda" of meson.build: the path of its library, and its controls. The path lives until the thread's next call. */
const char *fake_path(const char *variant);
fake_controls *fake_load(const char *variant);

/* Opens that library, on a machine without device nodes; or with those below root. */
opened open_fake(const gpu_family *, const char *variant);
opened open_fake_in(const gpu_family *, const char *variant, const char *root);
/* Opens the first of those names, as if the kernel's part were there. */
opened open_names(const gpu_family *, const char *const names[], const char *root);
/* The same, and looks for the kernel's part below root. */
opened open_below(const gpu_family *, const char *const names[], const char *root);
/* Opens the library that the family's variable names. */
opened open_chosen(const gpu_family *, const char *library, const char *root);

/* Fails the test unless the opening failed in this state, and its text contains the words (NULL ends them). */
void ck_assert_refused(const opened *, uint32_t state, ...);

#endif

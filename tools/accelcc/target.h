/* SPDX-License-Identifier: Apache-2.0 */
/* The targets of kernel libraries, and their compilers. */
#ifndef ACCELCC_TARGET_H
#define ACCELCC_TARGET_H

#include "compile/compiler.h"

struct accelcc_target;

/* One compilation of all sources for one target. */
typedef struct accelcc_job {
    const accelcc_options *options;
    const struct accelcc_target *target;
    const char *name; /* as asked for: "x86-64-v3" */
    const accelcc_compiler *compiler;
    const char *include_directory; /* where <accel/kernel.h> is */
    list *shown;                   /* diagnostics already shown: not repeated for the next target */
    bool light;                    /* of target check: its light version (light.h) */
} accelcc_job;

/* Makes the objects of a family of targets. */
typedef struct accelcc_driver {
    const char *format; /* suffix of its objects: "so" */
    /* Finds the compiler for the target `name`; `own` is the one for programs. `quiet`: no message. */
    bool (*find)(const accelcc_options *, const struct accelcc_target *, const char *name, const accelcc_compiler *own,
                 bool quiet, accelcc_compiler *);
    /* (optional) Adds all targets of a family that installed compilers make. */
    void (*names)(const accelcc_options *, list *);
    /* Writes the object into the workspace file `output` and dependency files beside it, and adds their names to
     * `dependencies`. Returns false after a message. */
    bool (*build)(const accelcc_job *, const char *output, list *dependencies);
    bool checked; /* its objects are instrumented, for the backend cpu-check */
} accelcc_driver;

typedef struct accelcc_target {
    const char *pattern; /* its name; "sm_[0-9]*" stands for many */
    const accelcc_driver *driver;
    const accelcc_architecture *architecture; /* of host targets */
    const char *flags[3];                     /* up to a NULL */
    const char *gcc_flags[7];                 /* for gcc only; likewise */
} accelcc_target;

/* One target that was asked for. */
typedef struct accelcc_selection {
    const accelcc_target *target;
    const char *name;
    accelcc_compiler compiler;
} accelcc_selection;

/* Resolves --targets, or the default, to distinct targets with their compilers. Returns 0, or the exit status after a
 * message. */
int targets_select(const accelcc_options *, const accelcc_compiler *own, accelcc_selection **, size_t *count);
/* The plainest target of a processor family; NULL for NULL. */
const accelcc_target *targets_plainest(const accelcc_architecture *);
/* For --print-targets. */
void targets_print(const accelcc_options *, const accelcc_compiler *own);

#endif

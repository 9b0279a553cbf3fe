/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef ACCELCC_OPTIONS_H
#define ACCELCC_OPTIONS_H

#include "base/list.h"

typedef enum accelcc_action {
    ACTION_BUILD,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_PRINT_TARGETS,
    ACTION_PRINT_FILES
} accelcc_action;

typedef struct accelcc_options {
    accelcc_action action;
    list sources;          /* not empty when there is something to build */
    const char *output;    /* where the results go: DIR/NAME, or the object file with embed */
    const char *directory; /* of output */
    const char *name;      /* of the library: "blas1" */
    const char *targets;   /* as given; NULL: the default */
    list compile, link;    /* the user's flags for the compiler, and for its link step; some are in both */
    const char *c_standard, *cxx_standard; /* "-std=..." */
    const char *compiler;                  /* --cc, $CC or NULL: words separated by spaces */
    const char *compiler_origin;           /* "--cc" or "CC" */
    list cross_compilers;                  /* "aarch64=COMMAND", "cuda=COMMAND" */
    bool embed, lint, verbose, keep, resources, vector_math;
    bool light; /* target check has a light version, too */
    bool dependencies, phony_targets;
    const char *dependency_file; /* NULL: beside the output */
    list dependency_targets;     /* empty: the outputs */
} accelcc_options;

/* false after a message: the command line is wrong. */
bool options_parse(int count, char *arguments[], accelcc_options *);
/* Is it C++, by its suffix? */
bool options_is_cxx(const char *source);

#endif

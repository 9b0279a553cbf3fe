/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_OPTIONS_H
#define CG_OPTIONS_H

#include "solution.h"

typedef struct cg_options {
    const char *file;   /* Matrix Market file; NULL: the heat matrix */
    size_t size[3];     /* its elements in x, y, z */
    const char *device; /* NULL: the first one */
    solver_options solver;
    bool quiet;     /* the result only, no residual history */
    bool table_row; /* one line for examples/demo.sh */
} cg_options;

enum parse_result { PARSED, PARSED_HELP, PARSE_FAILED };

/* Prints the help text or what is wrong itself. */
enum parse_result cg_options_parse(int argc, char **argv, cg_options *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of the compiler of host targets. */
#ifndef ACCELCC_COMMAND_H
#define ACCELCC_COMMAND_H

#include "target.h"

/* The command that compiles a source, without what to do with it (-c, -fsyntax-only) and without the source. */
void command_make(const accelcc_job *, const char *source, list *command);
/* Adds what the target itself asks for, also where objects are linked. */
void command_add_target(const accelcc_job *, list *command);
/* Whether the user asked for a sanitizer, or for the one named; NULL: for any. */
bool command_is_sanitized(const accelcc_options *, const char *name);
/* *text: the assembly that the compiler makes of the source, with these flags behind all others; NULL if it refuses the source,
 * which the compilation itself says. `name`: of the file in the workspace. Returns false after a message. */
bool command_assembly(const accelcc_job *, const char *source, const list *flags, const char *name, const char **text);

#endif

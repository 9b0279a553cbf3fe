/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling one source for one target: the part that is the same for every compiler. */
#ifndef ACCELCC_COMPILE_H
#define ACCELCC_COMPILE_H

#include "base/process.h"
#include "target.h"

/* Ends a command that has all its flags with dependencies (if the user wants them, into the workspace file of that
 * name; NULL: it asks for them already), source and workspace file `output`, runs it, and shows what it says. false after
 * a message if it cannot be run; whether it succeeded stands in *result. */
bool compile_run(const accelcc_job *, list *command, const char *source, const char *output, const char *dependencies,
                 process_result *);
/* Returns whether *result is a success; prints a message if not. */
bool compile_succeeded(const accelcc_job *, const list *command, const char *source, const process_result *result);

#endif

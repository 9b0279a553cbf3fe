/* SPDX-License-Identifier: Apache-2.0 */
/* Host targets: shared objects, made by gcc or clang. */
#ifndef ACCELCC_HOST_H
#define ACCELCC_HOST_H

#include "target.h"

extern const accelcc_driver host_driver, check_driver;

/* The command that compiles a source, without what to do with it (-c, -fsyntax-only) and without the source. */
void host_compile_command(const accelcc_job *, const char *source, list *command);
/* *text: the assembly that the compiler makes of the source, with these flags behind all others; NULL if it refuses the source,
 * which the compilation itself says. `name`: of the file in the workspace. Returns false after a message. */
bool host_assembly(const accelcc_job *, const char *source, const list *flags, const char *name, const char **text);

#endif

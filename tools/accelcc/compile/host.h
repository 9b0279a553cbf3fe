/* SPDX-License-Identifier: Apache-2.0 */
/* Host targets: shared objects, made by gcc or clang. */
#ifndef ACCELCC_HOST_H
#define ACCELCC_HOST_H

#include "target.h"

extern const accelcc_driver host_driver, check_driver;

/* The command that compiles a source, without what to do with it (-c, -fsyntax-only) and without the source. */
void host_compile_command(const accelcc_job *, const char *source, list *command);

#endif

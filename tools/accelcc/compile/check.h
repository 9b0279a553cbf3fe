/* SPDX-License-Identifier: Apache-2.0 */
/* Target `check`: instrumented objects, for the backend cpu-check. */
#ifndef ACCELCC_CHECK_H
#define ACCELCC_CHECK_H

#include "target.h"

/* Compiler flags that make every access of a kernel a call. */
void check_flags(const accelcc_job *, list *command);
/* Compiles the stub that defines what is called, and adds it to the objects. Returns false after a message. */
bool check_add_stub(const accelcc_job *, list *objects);
/* Linker flags: copies that compilers leave to the C library are seen, too. */
void check_link_flags(list *command);

#endif

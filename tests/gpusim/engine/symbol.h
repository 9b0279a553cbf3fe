/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that this library does not have: those in the list GPUSIM_MISSING, and those that are newer than
 * GPUSIM_VERSION. When it is loaded, their entries in its symbol table lose their values; dlsym then finds nothing.
 */
#ifndef GPUSIM_SYMBOL_H
#define GPUSIM_SYMBOL_H

#include <stdbool.h>

bool sim_symbol_is_missing(const char *exported);
/* In the list GPUSIM_NEWER of functions, as cuGetProcAddress names them: it says that the asked version is too old. */
bool sim_symbol_is_newer(const char *name);

/* Defined by each library: since which driver version (as GPUSIM_VERSION counts) it has the function; 0: always. */
unsigned sim_symbol_version(const char *exported);

#endif

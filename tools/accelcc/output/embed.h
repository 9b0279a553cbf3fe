/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of all targets in one object file, to be linked into the program. */
#ifndef ACCELCC_EMBED_H
#define ACCELCC_EMBED_H

#include "compile/compiler.h"

/* One finished object in the workspace. */
typedef struct embed_entry {
    const char *target, *format, *file;
} embed_entry;

/* "accel_bundle_NAME", where characters that C does not allow in a name are '_'. */
const char *embed_symbol(const char *library);
/* Writes the workspace file `output`, which defines the bundle, with the compiler for programs. Returns false after a
 * message. */
bool embed_build(const accelcc_options *, const accelcc_compiler *, const char *include_directory, const embed_entry *,
                 size_t count, const char *output);

#endif

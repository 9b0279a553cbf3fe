/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary directory of one run. It lies beside the outputs, so that a finished file is renamed into place. A
 * program that loads the library meanwhile sees either the old file or the new one, complete. Compilers have a second one as
 * TMPDIR, in the directory that TMPDIR named before, and what they leave there is removed.
 */
#ifndef ACCELCC_WORKSPACE_H
#define ACCELCC_WORKSPACE_H

#include <stdbool.h>

/* Creates it in `directory`, which must exist. `keep`: it stays, and its name is printed. Returns false after a
 * message. */
bool workspace_create(const char *directory, bool keep);
/* The path of a file in it; the arena's. */
const char *workspace_path(const char *name);
const char *workspace_directory(void);
/* Writes a text file of the workspace. false after a message. */
bool workspace_write(const char *name, const char *text);
/* Moves a file of the workspace to its place. false after a message. */
bool workspace_publish(const char *name, const char *destination);
/* Does nothing without one; for atexit and signals (outside the handler). */
void workspace_remove(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary directory of one run. It lies beside the outputs, so that a finished file takes its place by rename:
 * a program that loads the library meanwhile sees the old file or the new one, whole.
 */
#ifndef ACCELCC_WORKSPACE_H
#define ACCELCC_WORKSPACE_H

#include <stdbool.h>

/* In `directory`, which must exist. With `keep` it stays, and its name is shown. false after a message. */
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
